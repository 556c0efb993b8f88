"""What a checkpoint holds is read without anything of it being run."""

import copyreg
import functools
import pickle
import sys
from collections import OrderedDict, deque
from dataclasses import dataclass
from datetime import date
from enum import Enum
from pathlib import Path
from typing import NamedTuple

import cloudpickle
import pytest

from windrow.common import Row, RowKind
from windrow.connectors.kafka.partitions import KafkaPartitionSplit, KafkaTopicPartition
from windrow.datastream.window import GlobalWindow
from windrow.elements import registered
from windrow.elements.inert import Unread, loads_inert
from windrow.elements.registered import EXTENSION
from windrow.elements.stored import dumps, dumps_with_code, loads
from windrow.runtime.stage.input_gate import ChannelStatus
from windrow.state.ttl import WithTtl


class Harmful:
    """Has a file made by whoever reads it."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path(self.path).touch, ()


def test_nothing_that_a_pickle_names_is_called(tmp_path):
    """Not by its name, not by what builds an object, and not in the middle of other values."""
    file = tmp_path / "made"
    assert repr(loads_inert(dumps([1, Harmful(str(file)), "b"]))) == "[1, <builtins.getattr, not read>, 'b']"
    assert not file.exists()
    pickle.loads(dumps(Harmful(str(file))))
    assert file.exists()


def test_windrows_own_classes_are_made():
    """Those that are numbers in a checkpoint, with what is in them."""
    split = KafkaPartitionSplit(KafkaTopicPartition("orders", 3), 17)
    value = [Row(a=1), ChannelStatus(7, idle=True), split]
    assert loads_inert(dumps(value)) == value


@pytest.mark.parametrize(
    "value",
    [
        date(2026, 1, 1),
        OrderedDict(a=1),
        deque([1, 2]),
        {frozenset({1})},
        functools.partial(print, 1),
        Path("/a"),
        Unread,
    ],
    ids=repr,
)
def test_whatever_else_is_there_is_said(value):
    """Lists, dicts and sets of other classes are filled without being made."""
    before, unread, behind = loads_inert(dumps(("before", value, [0, "behind"])))
    assert (before, behind) == ("before", [0, "behind"])
    assert "not read" in repr(unread) or isinstance(unread, set | type)


@dataclass(frozen=True)
class Frozen:
    number: int


class Named(NamedTuple):
    number: int


class Plain:
    def __init__(self):
        self.number = 1


class Color(Enum):
    RED = 1


@pytest.mark.parametrize("value", [Frozen(1), Named(1), Plain(), Color.RED, [Frozen(1), Frozen(2)]], ids=str)
def test_objects_of_a_main_programs_classes_are_said(value):
    """These stand there with their code, and are made of what other functions make."""
    module = sys.modules[type(value if not isinstance(value, list) else value[0]).__module__]
    cloudpickle.register_pickle_by_value(module)
    try:
        data = dumps_with_code({"rule": value, "behind": 7})
    finally:
        cloudpickle.unregister_pickle_by_value(module)
    found = loads_inert(data)
    assert found["behind"] == 7
    assert "not read" in repr(found["rule"])


def test_a_pickle_does_not_change_what_reads_it():
    """What makes Windrow's own objects stays as it is."""
    before = registered.restorer()._makers
    for state in (b"}", b"(N}K\x01K\x02st"):
        data = b"\x80\x05\x83" + EXTENSION.to_bytes(2, "little") + b")R" + state + b"b."
        with pytest.raises(pickle.UnpicklingError, match="may not change what reads it"):
            loads_inert(data)
        with pytest.raises(pickle.UnpicklingError, match="may not change what reads it"):
            pickle.loads(data)
    assert registered.restorer()._makers is before


def test_numbers_that_others_have_registered_are_refused():
    """Python would find what they stand for by itself."""
    copyreg.add_extension("builtins", "print", 77)
    try:
        with pytest.raises(pickle.UnpicklingError, match="the number 77 is none of Windrow's"):
            loads_inert(pickle.dumps(print, protocol=5))
        assert loads_inert(dumps(Row(a=1))) == Row(a=1)
    finally:
        copyreg.remove_extension("builtins", "print", 77)


def test_code_is_not_read_either():
    """Functions that only the main program knows stand there with their code."""
    assert "not read" in repr(loads_inert(dumps_with_code(lambda: 1)))


@pytest.mark.parametrize("data", [b"", b"\x80", dumps(["a"])[:-2], dumps(Row(a=1))[:9], b"no pickle"])
def test_what_is_no_pickle_is_one_error(data):
    """Whatever is wrong with it."""
    with pytest.raises(pickle.UnpicklingError):
        loads_inert(data)


@pytest.mark.parametrize(
    "value", [RowKind.UPDATE_BEFORE, GlobalWindow.get(), WithTtl], ids=["row-kind", "global-window", "ttl"]
)
def test_what_there_is_once_is_not_handed_out(value):
    """A pickle that changes it would change it for all others."""
    written = dumps(value)
    assert written[-1:] == pickle.STOP
    changing = written[:-1] + pickle.dumps({"_value_": 3, "x": 1}, 0)[:-1] + pickle.BUILD + pickle.STOP
    assert "not read" in repr(loads_inert(changing))
    assert RowKind.UPDATE_BEFORE.value == 1
    assert loads(written) is value


def test_what_gives_the_classes_cannot_be_changed():
    """Nor what makes them."""
    written = dumps(Row(a=1))
    at = written.index(EXTENSION.to_bytes(2, "little")) + 2
    changing = written[:at] + pickle.dumps({"__name__": "x"}, 0)[:-1] + pickle.BUILD + written[at:]
    with pytest.raises(pickle.UnpicklingError, match="a pickle may not change what reads it"):
        loads_inert(changing)
    assert loads_inert(written) == Row(a=1)
