"""What a checkpoint holds is read without anything of it being run."""

import functools
import pickle
from collections import OrderedDict, deque
from datetime import date
from pathlib import Path

import pytest

from windrow.common import Row
from windrow.connectors.kafka.partitions import KafkaPartitionSplit, KafkaTopicPartition
from windrow.elements.inert import Unread, loads_inert
from windrow.elements.stored import dumps, dumps_with_code
from windrow.runtime.stage.input_gate import ChannelStatus


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


def test_code_is_not_read_either():
    """Functions that only the main program knows stand there with their code."""
    assert "not read" in repr(loads_inert(dumps_with_code(lambda: 1)))


@pytest.mark.parametrize("data", [b"", b"\x80", dumps(["a"])[:-2], dumps(Row(a=1))[:9], b"no pickle"])
def test_what_is_no_pickle_is_one_error(data):
    """Whatever is wrong with it."""
    with pytest.raises(pickle.UnpicklingError):
        loads_inert(data)
