"""What checkpoints are written with: classes of Windrow are numbers, all else is pickle."""

import pickle
import pickletools
import subprocess
import sys
from dataclasses import dataclass

import pytest

from windrow.common import Duration, Row, RowKind, Time
from windrow.common.accumulators import IntCounter
from windrow.connectors.files.split import FileSourceSplit
from windrow.connectors.number_sequence import NumberSequenceSplit
from windrow.datastream.window import CountWindow, GlobalWindow, TimeWindow
from windrow.elements import registered
from windrow.elements.registered import CLASSES
from windrow.elements.stored import Writer, dumps, dumps_with_code, loads
from windrow.runtime.sources.coordinator_log import LogEntry
from windrow.runtime.sources.messages import AddSplits, NoMoreSplits, ReaderFinished, SplitRequest
from windrow.runtime.sources.read_record import ReadRecord, Run
from windrow.runtime.spark.source_plan import ChannelPlan, ReaderPlan, SourcePlan
from windrow.runtime.stage.totals import AccumulatorTotal, Totals
from windrow.state.keys import ComparableKey
from windrow.state.ttl import WithTtl

VALUES = [
    Row(1, "a"),
    Row(a=Row(b=None)),
    Row.of_kind(RowKind.DELETE, a=1),
    RowKind.UPDATE_AFTER,
    TimeWindow(-5, 5),
    CountWindow(3),
    GlobalWindow(),
    ComparableKey([1, float("nan")]),
    Time(5),
    Duration.of_millis(7),
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
@pytest.mark.parametrize("write", [dumps, dumps_with_code, Writer().write])
def test_objects_of_registered_classes_come_back_and_are_not_named(value, write):
    """By themselves and in others, equal and of their class; no name of a module stands for them."""
    data = write([value, {"in": (value,)}])
    (alone, inside) = loads(data)
    assert (alone, inside["in"][0]) == (value, value)
    assert type(alone) is type(value)
    assert not [text for _, text, _ in pickletools.genops(data) if isinstance(text, str) and "windrow" in text]


def test_objects_that_are_one_stay_one():
    """A registered class with one object, and an object that is there twice."""
    row = Row(1)
    first, second, marker = loads(dumps((row, row, WithTtl)))
    assert first is second
    assert marker is WithTtl


def test_objects_with_slots_and_with_fields_come_back():
    """What is kept is the fields, by their names."""
    split = loads(dumps(NumberSequenceSplit(1, 5)))
    assert (split.start, split.stop) == (1, 5)
    counter = IntCounter(3)
    counter.add(4)
    assert loads(dumps(counter)).get_local_value() == 7


@dataclass
class Grown:
    """A class that has a field more than when it was stored."""

    old: int
    new: str = "default"
    made: list = None


@pytest.fixture
def grown(monkeypatch):
    """A number for it."""
    monkeypatch.setitem(CLASSES, 999, (f"{__name__}:Grown", registered._FIELDS))
    monkeypatch.setitem(registered._NUMBERS, f"{__name__}:Grown", 999)


def test_a_field_that_came_later_has_its_default(grown):
    """A checkpoint of before has no value for it."""
    value = registered.restorer()(999, {"old": 1})
    assert (value.old, value.new, value.made) == (1, "default", None)


def test_a_split_of_a_file_that_says_no_time_of_change_is_read():
    """Checkpoints of before have it so."""
    stored = {"path": "/a", "offset": 0, "length": 5, "file_size": 9, "position": None, "limit": None}
    assert registered.restorer()(66, stored) == FileSourceSplit("/a", 0, 5, 9)


def test_classes_that_are_not_registered_are_pickled_as_ever():
    """Those of users, by their names; those of the main program, with their code."""

    class Local:
        number = 5

    assert loads(dumps(Local())).number == 5
    assert loads(dumps(pickle.PickleError("why"))).args == ("why",)
    assert loads(dumps([int, len, ...])) == [int, len, ...]


def test_a_value_that_failed_leaves_nothing_in_the_next_one():
    """The writer is used again."""
    writer = Writer()
    with pytest.raises(Exception, match="generator"):
        writer.write(["first", (number for number in ())])
    assert loads(writer.write(["second"])) == ["second"]


def test_another_process_reads_what_was_stored():
    """Numbers mean the same everywhere, once the codec is imported; so does plain pickle."""
    code = "import sys, pickle; from windrow.elements import stored\nprint(pickle.loads(sys.stdin.buffer.read()))"
    ran = subprocess.run([sys.executable, "-c", code], input=dumps(VALUES[:6]), capture_output=True, check=True)
    assert ran.stdout.decode().strip() == repr(VALUES[:6])


def test_what_the_files_beside_a_state_store_hold_names_no_module():
    """Plans, records of reads, decisions, counts and what readers are told come back and are not named."""
    record = ReadRecord([Run("a", 3), Run(None, 0, "idle")], messages=[SplitRequest("here"), ReaderFinished()])
    plan = SourcePlan([ChannelPlan(0, 1, [b"split"], ends=True)], [(1, 2, 3)], 4, 5, True, [ReaderPlan("a", [])])
    entry = LogEntry({0: dumps([AddSplits([b"split"], 1), NoMoreSplits()])}, b"state", batch=3)
    totals = Totals(accumulators={"seen": AccumulatorTotal(IntCounter(2), "map")})
    for value in (record, plan, entry, totals):
        data = dumps_with_code(value)
        assert repr(loads(data)) == repr(value)
        assert not [text for _, text, _ in pickletools.genops(data) if isinstance(text, str) and "windrow" in text]


#: A plan as it was stored while it said where the file is that ends the input.
OLDER_PLAN = (
    "800595b4000000000000008352572952944b2c7d94288c086368616e6e656c73945d9468004b2d7d94288c076368616e6e656c944b008c05706c61"
    "6365944b018c0673706c697473945d9443016194618c04656e647394887586945294618c067469636b6564945d944b014b024b038794618c107370"
    "6c6974735f7065725f6261746368944b048c0d7469636b5f696e74657276616c944b058c07626f756e64656494888c0772656164657273945d948c"
    "05647261696e944e75869452942e"
)


def test_a_field_that_a_class_has_no_longer_is_passed_over():
    """What an earlier version has stored is read."""
    plan = SourcePlan([ChannelPlan(0, 1, [b"a"], ends=True)], [(1, 2, 3)], 4, 5, True)
    assert loads(bytes.fromhex(OLDER_PLAN)) == plan


def test_each_number_is_of_a_class_that_is_there():
    """Who moves a class changes its place here."""
    paths = [path for path, _ in CLASSES.values()]
    assert len(set(paths)) == len(paths)
    for path in paths:
        assert isinstance(registered._found(path), type)
