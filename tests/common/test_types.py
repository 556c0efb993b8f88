"""Rows and their kinds."""

import copy
import pickle

import pytest

from windrow.common.types import Row, RowKind
from windrow.elements.named_rows import named_rows


def test_row_kinds_print_short():
    """A kind of change prints as Flink's short form."""
    assert [str(kind) for kind in RowKind] == ["+I", "-U", "+U", "-D"]


def test_named_rows_read_by_name_attribute_and_position():
    """A named field is an item, an attribute and a position."""
    row = Row(name="Alice", age=11)
    assert (row["name"], row.age, row[0], len(row), list(row)) == ("Alice", 11, "Alice", 2, ["Alice", 11])
    assert "age" in row
    assert "Alice" not in row


def test_unnamed_rows_read_by_position():
    """Without names a row contains its values."""
    row = Row(1, "a")
    assert row[1] == "a"
    assert row[0:2] == [1, "a"]
    assert "a" in row


def test_items_are_assigned_and_attributes_are_not():
    """Items change in place; assigning an attribute is an error as in PyFlink."""
    row = Row(a=1)
    row["a"] = 2
    row[0] += 1
    assert row.a == 3
    with pytest.raises(AttributeError):
        row.a = 4
    with pytest.raises(AttributeError):
        row.b = 4


def test_missing_fields_are_errors():
    """A field that is not there is a KeyError as item and an AttributeError as attribute."""
    with pytest.raises(KeyError, match="no field 'b'"):
        Row(a=1)["b"]
    with pytest.raises(KeyError):
        Row(1)["a"]
    with pytest.raises(AttributeError, match="no field 'b'"):
        _ = Row(a=1).b
    with pytest.raises(AttributeError):
        _ = Row(1).a


def test_equality_goes_by_names():
    """Order of names does not matter; names, values and kind do."""
    assert Row(a=1, b=2) == Row(b=2, a=1)
    assert hash(Row(a=1, b=2)) == hash(Row(b=2, a=1))
    assert Row(1, 2) == Row(1, 2)
    assert hash(Row(1, 2)) == hash((1, 2))
    assert Row(1, 2) != Row(2, 1)
    assert Row(a=1) != Row(1)
    assert Row(a=1) != Row(b=1)
    assert Row(1) != Row.of_kind(RowKind.DELETE, 1)
    assert Row(1) != (1,)


def test_values_and_names_together_are_refused():
    """A row is made of values or of names."""
    with pytest.raises(ValueError, match="either"):
        Row(1, a=2)


def test_rows_of_names_make_rows():
    """Calling a row of names names the values; too many are refused."""
    person = Row("name", "age")
    assert person("Alice", 11) == Row(name="Alice", age=11)
    with pytest.raises(ValueError, match="2 values"):
        person(1, 2, 3)


def test_as_dict():
    """A named row becomes a dictionary, with recursive also inside; one without names does not."""
    row = Row(key=1, value=[Row(a=2), {"x": Row(b=3)}])
    assert row.as_dict() == {"key": 1, "value": [Row(a=2), {"x": Row(b=3)}]}
    assert row.as_dict(recursive=True) == {"key": 1, "value": [{"a": 2}, {"x": {"b": 3}}]}
    with pytest.raises(TypeError, match="field names"):
        Row(1).as_dict()


def test_fields_by_names():
    """Values come in the order asked for."""
    assert Row(a=1, b=2).get_fields_by_names(["b", "a"]) == [2, 1]
    assert Row(1, 2).get_fields_by_names(["b", "a"]) == [1, 2]


def test_rows_survive_copies():
    """Pickling and copying keep names and kind."""
    row = Row.of_kind(RowKind.UPDATE_AFTER, a=1, b=[2])
    for again in (pickle.loads(pickle.dumps(row)), copy.copy(row), copy.deepcopy(row)):
        assert again == row
        assert again.get_row_kind() is RowKind.UPDATE_AFTER
        assert again.b == [2]


def test_repr():
    """A row shows its names if it has any."""
    assert repr(Row(a=1, b="x")) == "Row(a=1, b='x')"
    assert repr(Row(1, "x")) == "<Row(1, 'x')>"


def test_a_subclass_of_row_has_its_own_attributes():
    """Whatever fields rows were asked for before, and whatever classes have by themselves."""
    assert Row(own=1, seen=2, mro=3).own == 1
    assert Row(own=1, seen=2).seen == 2
    assert Row(mro=3).mro == 3
    assert Row.mro()[0] is Row

    class Own(Row):
        def __init__(self, **values):
            super().__init__(**values)
            self.own = "assigned"

        def __getattr__(self, name):
            return super().__getattr__(name) * 2

    assert (Own(seen=2).own, Own(seen=2).seen, Row(seen=2).seen, Own(seen=2).seen) == ("assigned", 4, 2, 4)


def test_a_field_that_was_asked_for_is_that_of_each_row():
    """Whatever its place in a row, with the same errors, and never instead of what a row has itself."""
    first, second = Row(asked_for=1, other=2), Row(other=3, asked_for=4)
    for _ in range(2):
        assert (first.asked_for, second.asked_for) == (1, 4)
        for without in (Row(other=1), Row(1, 2), Row()):
            with pytest.raises(AttributeError, match="has no field 'asked_for'"):
                _ = without.asked_for
    renamed = Row(asked_for=1)
    renamed.set_field_names(["other"])
    assert not hasattr(renamed, "asked_for")
    named = Row(as_dict=1, _hidden=2)
    assert named.as_dict() == {"as_dict": 1, "_hidden": 2}
    with pytest.raises(AttributeError, match=r"^_hidden$"):
        _ = named._hidden
    with pytest.raises(AttributeError):
        first.asked_for = 5


def test_a_field_is_found_wherever_the_row_before_had_it():
    """Rows with other names, another order of them, or names of their own since, give their own values by attribute."""
    made = named_rows(["count", "city"], [[1, 2], ["Bonn", "Oslo"]])
    assert [row.city for row in made] == ["Bonn", "Oslo"]
    others = [Row(city="Rome", count=3), made[0], Row(count=4, city="Kiel")]
    assert [row.city for row in others] == ["Rome", "Bonn", "Kiel"]
    made[1].set_field_names(["city", "count"])
    assert [row.city for row in made] == ["Bonn", 2]
    for without in (Row(count=1), Row(1, 2)):
        with pytest.raises(AttributeError, match="has no field 'city'"):
            without.city  # noqa: B018
    assert made[0].city == "Bonn"
