"""Objects of users' classes are stored by the names of their fields, and read when their class has been changed."""

import re
import sys
from collections import namedtuple
from dataclasses import InitVar, dataclass, field
from enum import Enum
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pyarrow as pa
import pytest

from windrow.common import SimpleVersionedSerializer, serialized_by
from windrow.elements.class_fields import plain_fields
from windrow.elements.columns import Columns
from windrow.elements.inert import loads_inert
from windrow.elements.shape import DataclassShape
from windrow.elements.stored import dumps, dumps_with_code, loads
from windrow.errors import CheckpointError, ConfigurationTypeError

DOCS = Path(__file__).parents[2] / "docs" / "deploying.md"


@pytest.fixture
def shop(monkeypatch):
    """A module of the program's whose class ``Order`` is now this one, now that."""
    module = ModuleType("shop")
    monkeypatch.setitem(sys.modules, "shop", module)

    renamed = []

    def put(kind):
        renamed.append((kind, kind.__module__, kind.__qualname__))
        kind.__module__, kind.__qualname__ = "shop", "Order"
        module.Order = kind
        return kind

    yield put
    for kind, place, name in reversed(renamed):
        kind.__module__, kind.__qualname__ = place, name


@dataclass
class Plain:
    number: int
    name: str = "a"


@dataclass
class Reordered:
    name: str
    number: int


@dataclass
class Longer:
    number: int
    tags: list = field(default_factory=list)
    name: str = "other"
    price: float = 1.5


@dataclass
class Shorter:
    name: str


@dataclass(slots=True)
class Slots:
    number: int
    name: str = "a"


@dataclass(frozen=True, slots=True)
class FrozenSlots:
    number: int
    name: str = "a"


@dataclass(frozen=True, slots=True)
class ReorderedSlots:
    name: str
    number: int
    price: float = 1.5


@dataclass
class WithoutDefault:
    number: int
    name: str
    price: float


class Named(NamedTuple):
    number: int
    name: str = "a"


class ReorderedNamed(NamedTuple):
    name: str
    price: float = 1.5
    number: int = 0


class NamedWithoutDefault(NamedTuple):
    name: str
    price: float


@dataclass
class Migrating:
    total: int

    def __setstate__(self, state):
        self.total = state.get("total", state.get("number", 0) * 100)


class Ordinary:
    price = 1.5

    def __init__(self, number, name):
        self.number = number
        self.name = name


def fields_of(value):
    """The fields of an object, by name."""
    if isinstance(value, tuple):
        return value._asdict()
    names = getattr(type(value), "__slots__", None) or vars(value)
    return {name: getattr(value, name) for name in names}


PLAIN, WRITTEN = {"number": 7, "name": "b"}, (dumps, dumps_with_code)
RULES = {
    "a field with a default added": [
        (Plain, Longer, {**PLAIN, "tags": [], "price": 1.5}),
        (FrozenSlots, ReorderedSlots, {**PLAIN, "price": 1.5}),
        (Slots, Longer, {**PLAIN, "tags": [], "price": 1.5}),
        (Named, ReorderedNamed, {**PLAIN, "price": 1.5}),
    ],
    "a field taken away": [
        (Plain, Shorter, {"name": "b"}),
        (Slots, Shorter, {"name": "b"}),
        (Named, Shorter, {"name": "b"}),
    ],
    "the order of fields": [
        (Plain, Reordered, PLAIN),
        (FrozenSlots, ReorderedSlots, {**PLAIN, "price": 1.5}),
        (Named, ReorderedNamed, {**PLAIN, "price": 1.5}),
    ],
    "a field without a default added": [
        (Plain, WithoutDefault, "shop.Order was stored without the field 'price'"),
        (Slots, WithoutDefault, "shop.Order was stored without the field 'price'"),
        (Named, NamedWithoutDefault, "shop.Order was stored without the field 'price'"),
    ],
    "a dataclass made one with slots or a frozen one, and back; a named tuple made a dataclass": [
        *((one, other, PLAIN) for one in (Plain, Slots, FrozenSlots, Named) for other in (Plain, Slots, FrozenSlots)),
        (Plain, Named, "objects of shop.Order were stored when it was a dataclass"),
    ],
}


@pytest.mark.parametrize("write", WRITTEN)
@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [pytest.param(*case, id=f"{rule}-{number}") for rule, cases in RULES.items() for number, case in enumerate(cases)],
)
def test_an_object_becomes_one_of_the_changed_class(shop, before, after, expected, write):
    """By the names of its fields, twice in one pickle; what there is no rule for is refused with what to do."""
    old = shop(before)(7, "b")
    data = write([old, [old]])
    new = shop(after)
    if isinstance(expected, str):
        with pytest.raises(CheckpointError, match=re.escape(expected)):
            loads(data)
        return
    first, (second,) = loads(data)
    assert first is second
    assert (type(first), fields_of(first)) == (new, expected)
    assert fields_of(loads(write(first))) == expected


@pytest.mark.parametrize("kind", [Plain, Slots, FrozenSlots, Named, Ordinary])
def test_an_object_of_a_class_that_has_not_changed_is_equal(kind):
    """Also with an attribute that is no field, where there may be one."""
    value = kind(7, "b")
    if kind in (Plain, Ordinary):
        value.more = [1]
    (found,) = loads(dumps([value]))
    assert (type(found), fields_of(found)) == (kind, fields_of(value))


def test_attributes_that_are_no_fields_stay(shop):
    """What a __post_init__ has computed is there as pickle has it, when fields have come and gone."""
    value = shop(Plain)(7)
    value.twice = 14
    data = dumps(value)
    shop(Shorter)
    assert vars(loads(data)) == {"name": "a", "twice": 14}


@pytest.mark.parametrize("kind", [Plain, Slots])
def test_an_object_may_hold_itself(kind):
    """Its fields come behind it."""
    value = kind(7)
    value.name = [value]
    found = loads(dumps(value))
    assert found.name[0] is found


def test_a_class_decides_itself_with_setstate(shop):
    """It gets the fields of before by their names, whatever the class was."""
    for before in (Plain, Slots):
        data = dumps(shop(before)(7))
        shop(Migrating)
        assert loads(data) == Migrating(700)


def test_a_subclass_of_before_is_not_told_of_what_is_read(shop):
    """Nothing of the user's runs when an object is made."""
    told = []

    @dataclass
    class Base:
        number: int
        price: float = 2.5

        def __init_subclass__(cls, **_):
            told.append(cls)

        def __post_init__(self):
            told.append(self)

    data = dumps(shop(Plain)(7))
    shop(Base)
    assert fields_of(loads(data)) == {"number": 7, "price": 2.5}
    assert told == []


def test_other_classes_are_pickled_as_they_are(shop):
    """What a plain class has got is found in the class; attributes that it does not know any more stay."""

    class Before:
        def __init__(self):
            self.number, self.old = 7, True

    data = dumps(shop(Before)())
    shop(Ordinary)
    found = loads(data)
    assert (found.number, found.old, found.price) == (7, True, 1.5)


def test_columns_of_a_dataclass_become_objects_by_the_names_of_its_fields(shop):
    """Windows keep arrays of fields in the order that the class had."""
    shape = DataclassShape((pa.int64(), pa.string()), kind=shop(Plain), field_names=("number", "name"))
    data = dumps((shape.kind, shape.field_names))
    shop(Longer)
    kind, names = loads(data)
    changed = DataclassShape(shape.types, kind=kind, field_names=names)
    found = Columns.of(changed, [pa.array([7]), pa.array(["b"])]).rows()
    assert found == [Longer(7, [], "b", 1.5)]


@dataclass(slots=True)
class Unset:
    number: int
    last: float = field(init=False)


@dataclass
class UnsetInDict:
    number: int
    last: float = field(init=False)


@dataclass
class UnsetAndMore(UnsetInDict):
    more: int = 3


@pytest.mark.parametrize(("before", "after"), [(Unset, Unset), (UnsetInDict, UnsetInDict), (UnsetInDict, UnsetAndMore)])
def test_a_field_that_was_not_set_is_not_set(shop, before, after):
    """It is no field that the class has got since."""
    data = dumps(shop(before)(7))
    shop(after)
    found = loads(data)
    assert (type(found), found.number, hasattr(found, "last")) == (after, 7, False)


class Method(namedtuple("Method", "number name")):
    """A named tuple with a ``__dict__``, as most are that have a method."""

    def shout(self):
        return self.name.upper()


class ReorderedMethod(namedtuple("ReorderedMethod", "name number price", defaults=[1.5])):
    pass


def test_named_tuples_with_methods_are_stored_by_name(shop):
    """And with their attributes, if they have any."""
    value = shop(Method)(7, "b")
    value.more = [1]
    data = dumps([value, Method(8, "c")])
    one, other = loads(data)
    assert (one, one.more, one.shout(), other, vars(other)) == (value, [1], "B", (8, "c"), {})
    shop(ReorderedMethod)
    one, other = loads(data)
    assert (one._asdict(), one.more) == ({"name": "b", "number": 7, "price": 1.5}, [1])
    assert other._asdict() == {"name": "c", "number": 8, "price": 1.5}


class Base:
    __slots__ = ("old",)


@dataclass
class Mixed(Base):
    old: int
    new: int


@dataclass(slots=True)
class AllSlots:
    old: int


def test_fields_of_a_class_with_some_slots_are_fields(shop):
    """Those that are in its dictionary as well."""
    value = shop(Mixed)(1, 2)
    value.more = 3
    data = dumps(value)
    found = loads(data)
    assert (found.old, found.new, found.more, vars(found)) == (1, 2, 3, {"new": 2, "more": 3})
    shop(AllSlots)
    assert loads(data) == AllSlots(1)


@dataclass(slots=True)
class OfPickle:
    number: int

    def __setstate__(self, state):
        _, slots = state
        self.number = slots["number"] + 1


def test_a_class_with_slots_that_takes_what_pickle_gives_gets_it():
    """Nobody else knows what it expects."""
    assert loads(dumps(OfPickle(7))).number == 8


@dataclass
class WithInitVar:
    number: int
    scale: InitVar[int] = 1
    name: str = "z"


@dataclass(kw_only=True)
class OnlyByName:
    number: int
    name: str


@dataclass
class Posting:
    number: int
    name: str

    def __post_init__(self):
        raise AssertionError


@pytest.mark.parametrize("kind", [WithInitVar, OnlyByName, Posting])
def test_no_code_of_the_class_runs_for_what_was_stored_as_columns(kind):
    """Objects get their fields, whatever the class's __init__ takes."""
    shape = DataclassShape((pa.int64(), pa.string()), kind=kind, field_names=("number", "name"))
    (found,) = Columns.of(shape, [pa.array([7]), pa.array(["b"])]).rows()
    assert (type(found), vars(found)) == (kind, {"number": 7, "name": "b"})


@pytest.mark.parametrize("kind", [Migrating, Posting, OnlyByName, Plain])
def test_classes_that_say_how_they_are_stored_are_no_mere_fields(kind):
    """Windows and running results keep objects of them as they are, and not by their columns."""
    assert plain_fields(kind) == (("number", "name") if kind is Plain else None)


class Cents(SimpleVersionedSerializer):
    """Money in cents; version 1 had whole euros."""

    def __init__(self, version):
        self.version = version

    def get_version(self):
        return self.version

    def serialize(self, obj):
        return str(obj.number if self.version == 2 else obj.number // 100).encode()

    def deserialize(self, version, serialized):
        number = int(serialized)
        return sys.modules["shop"].Order(number if version == self.version else number * 100)


def test_a_class_may_name_a_serializer(shop):
    """It writes the class's objects, and reads those that an earlier version of it has written."""

    class Money:
        def __init__(self, number):
            self.number = number

    data = dumps([shop(serialized_by(Cents(1))(Money))(300)])
    assert b"number" not in data
    assert loads(data)[0].number == 3
    shop(serialized_by(Cents(2))(type("Other", (Money,), {})))
    assert loads(data)[0].number == 300
    shop(type("None", (Money,), {}))
    with pytest.raises(CheckpointError, match="stored by a serializer, and the class names none now"):
        loads(data)


def test_a_class_with_a_serializer_is_no_mere_fields():
    """What was stored is the serializer's to read."""
    kind = type("Priced", (), {"__annotations__": {"number": int}})
    assert plain_fields(dataclass(kind)) == ("number",)
    plain_fields.cache_clear()
    assert plain_fields(serialized_by(Cents(1))(kind)) is None


def test_what_is_no_serializer_is_refused():
    """Where the user names it."""
    with pytest.raises(ConfigurationTypeError, match="serialized_by must be an object of SimpleVersionedSerializer"):
        serialized_by(Cents)
    with pytest.raises(ConfigurationTypeError, match="what serialized_by decorates must be an object of type"):
        serialized_by(Cents(1))(7)


class Color(Enum):
    RED = 1


@pytest.mark.parametrize(
    "value", [Plain(7), Slots(7), FrozenSlots(7), Named(7), Color.RED, namedtuple("Pair", "a b")(1, 2)], ids=repr
)
def test_nothing_of_it_is_made_by_who_only_looks(value, monkeypatch):
    """The class is named, and not found."""
    kind = type(value)
    monkeypatch.setattr(sys.modules[__name__], kind.__name__, kind, raising=False)
    data = dumps([1, value, 2])
    monkeypatch.delattr(sys.modules[__name__], kind.__name__)
    first, unread, last = loads_inert(data)
    assert (first, last) == (1, 2)
    assert repr(unread) == f"<{__name__}.{kind.__name__}, not read>"


def test_the_documented_changes_are_these():
    """Each row of the table has its test."""
    _, _, behind = DOCS.read_text().partition("| changed in a class of state |")
    rows = re.findall(r"^\| ([^|]+) \|", behind.partition("\n\n")[0], re.MULTILINE)
    others = {
        "anything, with a `__setstate__`": test_a_class_decides_itself_with_setstate,
        "anything, with a serializer": test_a_class_may_name_a_serializer,
        "another class: no dataclass or named tuple, or one that says itself how it is pickled or made (`__reduce__`, "
        "`__getstate__`, `__new__`, a base such as `Exception`)": test_other_classes_are_pickled_as_they_are,
        "its module or its name": "tests/state/test_items.py",
        "a class of keys": "tests/state/test_items.py",
    }
    assert rows == [*RULES, *others]
