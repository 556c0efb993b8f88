"""Types of values made of values."""

import pickle
from types import SimpleNamespace

import pytest

from windrow.common.composite_types import ExternalTypeInfo, RowTypeInfo
from windrow.common.typeinfo import Types
from windrow.common.types import Row, RowKind
from windrow.errors import ConfigurationError, ConfigurationTypeError, TypeConversionError

PERSON = Types.ROW_NAMED(["name", "age"], [Types.STRING(), Types.INT()])


@pytest.mark.parametrize(
    "given",
    [
        ("Alice", 11),
        ["Alice", 11],
        {"name": "Alice", "age": 11, "more": 1},
        Row("Alice", 11),
        Row(age=11, name="Alice"),
        SimpleNamespace(name="Alice", age=11),
    ],
)
def test_rows_are_made_of_many_things(given):
    """Tuples and lists are read by position; rows with names, dicts and objects by name."""
    assert PERSON.to_internal_type(given) == Row(name="Alice", age=11)


def test_rows_keep_their_kind():
    """The kind of change of a row stays."""
    row = PERSON.to_internal_type(Row.of_kind(RowKind.DELETE, "Alice", 11))
    assert row.get_row_kind() is RowKind.DELETE


def test_missing_names_are_none():
    """What a dictionary does not say is None, also where the type alone allows no None."""
    assert PERSON.to_internal_type({"name": "Bob"}) == Row(name="Bob", age=None)


def test_a_row_with_other_names_is_refused():
    """As in PyFlink: a row of None would be a wrong result without a word."""
    with pytest.raises(TypeConversionError, match=r"a Row without names, or with the field age; got Row\(name="):
        PERSON.to_internal_type(Row(name="Bob"))
    with pytest.raises(TypeConversionError, match=r"with the fields f0, f1; got Row\(a=1, b=2\)"):
        Types.ROW([Types.INT(), Types.INT()]).to_internal_type(Row(a=1, b=2))
    assert PERSON.to_internal_type(Row(age=3, name="Bob", more=1)) == Row(name="Bob", age=3)


def test_rows_without_names_are_named_by_position():
    """Field names default to f0, f1, ...; a position is only known for names that were given."""
    assert Types.ROW([Types.INT()]).to_internal_type((1,)) == Row(f0=1)
    assert Types.ROW([Types.INT()]).get_field_index("f0") == -1
    assert PERSON.get_field_index("age") == 1
    assert PERSON.get_field_names() == ["name", "age"]
    assert PERSON.get_field_types() == [Types.STRING(), Types.INT()]


@pytest.mark.parametrize("names", [["a"], ["a", "a"], ["a", "b", "c"]])
def test_field_names_must_fit(names):
    """There is one name for each field and no name twice."""
    with pytest.raises(ConfigurationError, match="field_names"):
        RowTypeInfo([Types.INT(), Types.INT()], names)


def test_tuples():
    """Lists and rows become tuples; a field is None only where its type may be."""
    pair = Types.TUPLE([Types.STRING(), Types.DOUBLE()])
    assert pair.to_internal_type(["a", 2]) == ("a", 2.0)
    assert pair.to_internal_type(Row(None, 2.0)) == (None, 2.0)
    assert pair.to_internal_type(None) is None
    with pytest.raises(TypeConversionError, match=r"field 1 of a Types.TUPLE: .*got None"):
        pair.to_internal_type(("a", None))


def test_errors_name_the_field():
    """The error of a value deep inside names the way to it."""
    nested = Types.TUPLE([Types.LIST(PERSON)])
    with pytest.raises(TypeConversionError) as raised:
        nested.to_internal_type(([("Alice", 11), ("Bob", 2**31)],))
    assert str(raised.value) == (
        "field 0 of a Types.TUPLE: element 1 of a Types.LIST: field age of a Types.ROW: "
        "Types.INT() takes an int from -2147483648 to 2147483647; got 2147483648 (int)"
    )


@pytest.mark.parametrize(
    ("type_info", "given"),
    [
        (PERSON, ("Alice",)),
        (PERSON, 1),
        (Types.TUPLE([Types.INT()]), (1, 2)),
        (Types.TUPLE([Types.INT()]), "a"),
        (Types.LIST(Types.INT()), 1),
        (Types.LIST(Types.STRING()), "abc"),
        (Types.LIST(Types.INT()), [None]),
        (Types.PRIMITIVE_ARRAY(Types.INT()), [None]),
        (Types.MAP(Types.STRING(), Types.INT()), [("a", 1)]),
        (Types.MAP(Types.STRING(), Types.INT()), {"a": "b"}),
    ],
)
def test_values_of_another_shape_are_refused(type_info, given):
    """The wrong number of fields or the wrong kind of thing is an error."""
    with pytest.raises(TypeConversionError):
        type_info.to_internal_type(given)


def test_collections():
    """Sequences become lists, with None where the type allows it; byte arrays are bytes; mappings become dicts."""
    assert Types.LIST(Types.DOUBLE()).to_internal_type((1, 2)) == [1.0, 2.0]
    assert Types.BASIC_ARRAY(Types.INT()).to_internal_type([1, None]) == [1, None]
    assert Types.OBJECT_ARRAY(PERSON).to_internal_type([None, ("A", 1)]) == [None, Row(name="A", age=1)]
    assert Types.PRIMITIVE_ARRAY(Types.BYTE()).to_internal_type(bytearray(b"ab")) == b"ab"
    assert Types.MAP(Types.STRING(), Types.DOUBLE()).to_internal_type({"a": 1}) == {"a": 1.0}
    assert Types.MAP(Types.STRING(), Types.INT()).to_internal_type(None) is None
    assert Types.LIST(Types.INT()).to_internal_type(None) is None


def test_arrays_take_the_elements_java_takes():
    """A primitive array has no strings, a basic one no rows."""
    with pytest.raises(ConfigurationTypeError, match="PRIMITIVE_ARRAY"):
        Types.PRIMITIVE_ARRAY(Types.STRING())
    with pytest.raises(ConfigurationTypeError, match="BASIC_ARRAY"):
        Types.BASIC_ARRAY(PERSON)


def test_external_types_stand_for_what_is_inside():
    """A table column's type converts as the type inside it."""
    assert ExternalTypeInfo(Types.DOUBLE()).to_internal_type(1) == 1.0
    assert not ExternalTypeInfo(Types.PICKLED_BYTE_ARRAY()).need_conversion()


def test_composite_types_are_values():
    """Types compare by their parts and survive pickling; names do not matter to rows, as in PyFlink."""
    for type_info in (PERSON, Types.TUPLE([PERSON]), Types.LIST(PERSON), Types.MAP(Types.INT(), PERSON)):
        assert pickle.loads(pickle.dumps(type_info)) == type_info
        assert hash(pickle.loads(pickle.dumps(type_info))) == hash(type_info)
    assert Types.ROW([Types.STRING(), Types.INT()]) == PERSON
    assert Types.LIST(Types.INT()) != Types.LIST(Types.LONG())
    assert Types.LIST(Types.INT()) != Types.BASIC_ARRAY(Types.INT())
