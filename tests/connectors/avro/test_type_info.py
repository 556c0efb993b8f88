"""The type of a stream of Avro records."""

import pickle

import pytest

from tests.connectors.avro.records import schema_of
from windrow.common import Row
from windrow.connectors.avro.type_info import GenericRecordAvroTypeInfo
from windrow.errors import TypeConversionError

INNER = {"type": "record", "name": "I", "fields": [{"name": "s", "type": ["null", "string"]}]}


def test_rows_become_dicts_at_any_depth():
    """A record is a dict; what fits is left as it is."""
    convert = GenericRecordAvroTypeInfo(schema_of(n="int", l={"type": "array", "items": INNER})).converter()
    wanted = {"n": 1, "l": [{"s": "a"}, {"s": None}]}
    assert convert(Row(n=1, l=[Row(s="a"), Row(s=None)])) == wanted == convert(wanted)


def test_what_does_not_fit_is_refused_with_the_field():
    """A value of another type, or a field that is missing."""
    type_info = GenericRecordAvroTypeInfo(schema_of(n="int"))
    with pytest.raises(TypeConversionError, match=r"does not fit the Avro schema: R\.n is <x> of type .* expected int"):
        type_info.to_internal_type({"n": "x"})
    with pytest.raises(TypeConversionError, match=r"Field\(R.n\) is None expected int"):
        type_info.to_internal_type({})


def test_types_are_equal_if_their_schemas_are():
    """Also after pickling."""
    type_info = GenericRecordAvroTypeInfo(schema_of(n="int"))
    assert pickle.loads(pickle.dumps(type_info)) == type_info != GenericRecordAvroTypeInfo(schema_of(n="long"))
