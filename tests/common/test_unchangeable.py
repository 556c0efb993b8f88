"""Which values never change."""

import datetime
import decimal
import fractions
import ipaddress
import pathlib
import uuid
import zoneinfo
from collections import namedtuple
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import NamedTuple

import numpy as np
import pytest

from windrow.common import Row
from windrow.common.unchangeable import all_never_change, never_changes


class Colour(Enum):
    RED = 1


class Level(IntEnum):
    LOW = 1


class Reading(NamedTuple):
    sensor: str
    value: float


class Named(namedtuple("Named", "a b")):
    """Has a dictionary, for want of slots."""


@dataclass(frozen=True)
class Frozen:
    name: str
    parts: object = None


@dataclass(frozen=True)
class Empty:
    pass


@dataclass
class Changeable:
    name: str


class MoreThanFrozen(Frozen):
    """May have attributes that its base forbids."""


@dataclass(frozen=True, eq=False)
class FrozenWithList:
    items: list = field(default_factory=list)


class Text(str):
    pass


NEVER = [
    *(1, 2.5, True, None, "a", b"a", 1j, ..., range(3), slice(1, 2), int, len, Colour.RED, Level.LOW),
    *(decimal.Decimal(1), fractions.Fraction(1, 2), uuid.UUID(int=1), pathlib.PurePosixPath("a")),
    *(datetime.date(2024, 1, 1), datetime.datetime(2024, 1, 1, tzinfo=zoneinfo.ZoneInfo("UTC")), datetime.timedelta(1)),
    *(datetime.UTC, zoneinfo.ZoneInfo("UTC"), ipaddress.ip_address("127.0.0.1")),
    *((), (1, ("a", None)), frozenset({1, (2,)}), Reading("a", 1.0), Named(1, 2), Text("a")),
    *(Frozen("a"), Frozen("a", (1, Frozen("b"))), Empty(), np.int64(1), np.float32(2), np.str_("a"), np.bool_(True)),
]
MAY = [
    *([], {}, set(), bytearray(), Row(1), Row(a=1), ([],), (1, ({},)), Reading("a", []), Named(1, [])),
    *(Frozen("a", []), Frozen("a", (Changeable("b"),)), Changeable("a"), MoreThanFrozen("a"), FrozenWithList()),
    *(np.zeros(1), object(), memoryview(b"a"), iter(()), np.array([(1, 2)], dtype="i4,i4")[0]),
]


@pytest.mark.parametrize("value", NEVER, ids=repr)
def test_what_never_changes(value):
    """Asked alone, again, in a tuple, and among many."""
    assert never_changes(value)
    assert never_changes(value)
    assert never_changes((1, value))
    assert all_never_change([value])
    assert all_never_change([1, value, ("a", value)])
    assert all_never_change([("a", value), ("b", (value,))])


@pytest.mark.parametrize("value", MAY, ids=lambda value: type(value).__name__)
def test_what_may_change(value):
    """Wherever it is."""
    assert not never_changes(value)
    assert not never_changes(value)
    assert not never_changes((1, value))
    assert not all_never_change([value])
    assert not all_never_change([1, value])
    assert not all_never_change([("a", 1), ("a", value)])
    assert not all_never_change([("a", 1), ("b", ("c", value))])


def test_an_attribute_makes_a_text_changeable():
    """An object of a subclass of ``str`` has room for attributes, and mostly none in it."""
    text = Text("b")
    text.notes = []
    assert not never_changes(text)
    assert not all_never_change([Text("a"), text])
    named = Named(1, 2)
    named.notes = []
    assert not never_changes(named)


def test_no_elements_never_change():
    """Of nothing everything is true."""
    assert all_never_change([])
