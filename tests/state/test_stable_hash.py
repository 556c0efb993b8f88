"""Hashes of keys. The numbers of the first table were computed by Flink 2.3's KeyGroupRangeAssignment."""

import dataclasses
import datetime
import decimal
import enum
import fractions
import ipaddress
import os
import pickle
import subprocess
import sys
import uuid
from collections import namedtuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.common.types import Row, RowKind
from windrow.state.key_groups import SubtaskCache, key_group, operator_index
from windrow.state.stable_hash import stable_hash

#: key, Java's hash code, key group of 128, key group of 4096, subtask of 3 with 128 groups
FLINK = [
    (0, 0, 94, 2526, 2),
    (1, 1, 86, 4054, 2),
    (-1, -1, 80, 2896, 1),
    (42, 42, 29, 3613, 0),
    (2147483647, 2147483647, 62, 3262, 1),
    (-2147483648, -2147483648, 108, 2156, 2),
    (2147483648, -2147483648, 108, 2156, 2),
    (-2147483649, -2147483648, 108, 2156, 2),
    (9223372036854775807, -2147483648, 108, 2156, 2),
    (-9223372036854775808, -2147483648, 108, 2156, 2),
    (1234567890123, 1912276436, 92, 3420, 2),
    ("", 0, 94, 2526, 2),
    ("a", 97, 81, 3025, 1),
    ("hello", 99162322, 35, 2723, 0),
    ("Grüße", 69215351, 115, 1523, 2),
    ("日本", 835047, 95, 2655, 2),
    ("😀x", 54959989, 60, 1980, 1),
    ((5,), 5, 126, 2942, 2),
    (("a", 1), 3008, 29, 1181, 0),
    (("a", 1, 9999999999), 1410158653, 16, 1552, 0),
    ((("x", 2), "y"), 115503, 19, 659, 0),
]


class Color(enum.Enum):
    RED = 1


class Level(enum.IntEnum):
    LOW = 1


class Word(str, enum.Enum):  # noqa: UP042  (its str is not its value)
    ONE = "one"


@dataclasses.dataclass(frozen=True)
class Sensor:
    street: str
    number: int
    note: str = dataclasses.field(default="", compare=False)


class Custom:
    def __init__(self, name, more):
        self.name, self.more = name, more

    def __eq__(self, other):
        return (self.name, self.more) == (other.name, other.more)

    def __hash__(self):
        return hash(self.name)


Pair = namedtuple("Pair", "a b")
UTC = datetime.UTC
NOON = datetime.datetime(2020, 1, 1, 12, tzinfo=UTC)
NOON_IN_BERLIN = NOON.astimezone(datetime.timezone(datetime.timedelta(hours=1)))

#: Keys that are equal in Python.
EQUAL = [
    [1, 1.0, True, np.int8(1), np.uint64(1), np.float32(1), np.bool_(True), np.longdouble(1), decimal.Decimal("1.00"),
     fractions.Fraction(1), complex(1), Level.LOW],
    [0, 0.0, -0.0, False, decimal.Decimal("-0")],
    [0.5, np.float16(0.5), decimal.Decimal("0.5"), fractions.Fraction(1, 2), complex(0.5)],
    [2**40, float(2**40), np.int64(2**40)],
    [2**80, float(2**80), decimal.Decimal(2**80)],
    [float("inf"), decimal.Decimal("Infinity"), np.float64("inf")],
    ["one", np.str_("one"), Word.ONE],
    [("a", 1), ("a", True), Pair("a", np.int32(1))],
    [b"ab", np.bytes_(b"ab"), memoryview(b"ab")],
    [NOON, NOON_IN_BERLIN],
    [datetime.datetime(2020, 1, 1), np.datetime64("2020-01-01T00", "s"), np.datetime64("2020-01-01T00", "us")],
    [datetime.timedelta(hours=1), np.timedelta64(3600, "s")],
    [frozenset({1, "a", 2**40}), frozenset({"a", 2**40, 1.0})],
    [Row(a=1, b="x"), Row(b="x", a=1.0)],
    [Sensor("A", 1), Sensor("A", 1, note="new")],
    [Custom("a", [1, {"b": {3}}]), Custom("a", [1.0, {"b": {3}}])],
    [uuid.UUID(int=7), uuid.UUID(int=7)],
]  # fmt: skip

DISTINCT = [
    None, float("nan"), Color.RED, datetime.date(2020, 1, 1), datetime.time(1, 2), datetime.time(1, 3, tzinfo=UTC),
    ipaddress.ip_address("10.0.0.1"), ipaddress.ip_address("10.0.0.2"), int, str, len, Row(1), complex(1, 2),
    Row.of_kind(RowKind.DELETE, 1), 3.25, (None, "a"), np.datetime64("2021-01-01"), b"\xff", uuid.UUID(int=2**100),
]  # fmt: skip


@pytest.mark.parametrize(("key", "java_hash", "of_128", "of_4096", "subtask"), FLINK, ids=repr)
def test_numbers_strings_and_tuples_are_where_flink_puts_them(key, java_hash, of_128, of_4096, subtask):
    """Hash code, key group and subtask are Flink's."""
    assert stable_hash(key) == java_hash
    assert key_group(key, 128) == of_128
    assert key_group(key, 4096) == of_4096
    assert operator_index(of_128, 3, 128) == subtask


@pytest.mark.parametrize("keys", EQUAL, ids=lambda keys: repr(keys[0]))
def test_equal_keys_share_a_group(keys):
    """Keys that Python takes for one key have one hash, alone and in tuples."""
    assert all(key == keys[0] for key in keys)
    assert len({stable_hash(key) for key in keys}) == 1
    assert len({stable_hash(("x", (key,))) for key in keys}) == 1


def test_other_keys_are_told_apart():
    """The hashes of different keys of many kinds differ."""
    assert len({stable_hash(key) for key in DISTINCT}) == len(DISTINCT)


def test_hashes_fit_32_bits_and_groups_their_number():
    """Every kind of key has a signed 32-bit hash and a group from 0 to the maximum parallelism."""
    for key in [*DISTINCT, *(key for keys in EQUAL for key in keys)]:
        assert -(2**31) <= stable_hash(key) < 2**31
        assert 0 <= key_group(key, 7) < 7


@given(st.integers(), st.integers(1, 2**15))
def test_every_group_is_in_range(key, max_parallelism):
    """No key falls outside of the groups, not even where Java's arithmetic overflows."""
    assert 0 <= key_group(key, max_parallelism) < max_parallelism


@given(st.floats() | st.integers() | st.decimals(allow_nan=False) | st.fractions())
def test_equal_numbers_share_a_hash(number):
    """A number has the hash of the equal numbers of other types."""
    for kind in (int, float, decimal.Decimal, complex):
        try:
            other = kind(number)
        except (TypeError, ValueError, OverflowError):
            continue
        if other == number:
            assert stable_hash(other) == stable_hash(number)


def test_hashes_are_the_same_in_every_process():
    """Another process with another hash seed gives the same hashes."""
    keys = [key for keys in EQUAL for key in keys if type(key).__module__ not in (__name__, "__main__")]
    portable = [key for key in keys if not isinstance(key, memoryview | Level | Word | Pair | Sensor | Custom)]
    code = (
        "import pickle, sys; from windrow.state.stable_hash import stable_hash\n"
        "print([stable_hash(key) for key in pickle.loads(sys.stdin.buffer.read())])"
    )
    data = pickle.dumps(portable)
    expected = str([stable_hash(key) for key in portable])
    for seed in ("1", "2"):
        ran = subprocess.run(
            [sys.executable, "-c", code],
            input=data,
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        assert ran.stdout.decode().strip() == expected


@pytest.mark.parametrize("key", [[1], {"a": 1}, {1}, (1, [2]), np.array([1, 2])], ids=repr)
def test_keys_that_are_not_hashable_are_type_errors(key):
    """What cannot be a dictionary's key cannot be a stream's."""
    with pytest.raises(TypeError, match="unhashable"):
        key_group(key, 128)
    with pytest.raises(TypeError, match="unhashable"):
        SubtaskCache(2, 128)[key]


def test_keys_that_compare_by_identity_are_type_errors():
    """An object that no other process could find again is refused."""

    class Plain:
        pass

    with pytest.raises(TypeError, match="compares by identity"):
        key_group((1, Plain()), 128)
