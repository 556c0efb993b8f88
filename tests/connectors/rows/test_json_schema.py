"""JSON schemas as row types."""

import json

import pytest

from windrow.common import Types
from windrow.connectors.rows.json_schema import row_type_of_json_schema
from windrow.errors import ConfigurationError


def of(**properties):
    return row_type_of_json_schema(json.dumps({"type": "object", "properties": properties}))


def test_types_are_flinks():
    """Numbers are decimals whether they are whole or not."""
    found = of(
        a={"type": "integer"},
        b={"type": ["string", "null"]},
        c={"type": "array", "items": {"type": "number"}},
        d={"type": "string", "format": "date-time"},
        e={"oneOf": [{"type": "null"}, {"type": "boolean"}]},
        f={"type": "string", "contentEncoding": "base64"},
        g={"type": "string", "format": "uri"},
        h={"type": "object", "properties": {"x": {"type": "string", "format": "date"}}, "additionalProperties": False},
    )
    assert found.get_field_names() == list("abcdefgh")
    assert found.get_field_types() == [
        Types.BIG_DEC(),
        Types.STRING(),
        Types.OBJECT_ARRAY(Types.BIG_DEC()),
        Types.SQL_TIMESTAMP(),
        Types.BOOLEAN(),
        Types.PRIMITIVE_ARRAY(Types.BYTE()),
        Types.STRING(),
        Types.ROW_NAMED(["x"], [Types.SQL_DATE()]),
    ]


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({"$ref": "#/definitions/a"}, "'\\$ref' is not supported"),
        ({"anyOf": []}, "'anyOf' is not supported"),
        ({"enum": [1]}, "one type, .* there are 0"),
        ({"type": ["string", "integer"]}, "one type, .* there are 2"),
        ({"type": "null"}, "one type, .* there are 0"),
        ({"type": "float"}, "'float' is no type"),
        ({"type": "array"}, "what its items are"),
        ({"type": "array", "items": [{"type": "string"}]}, "what its items are"),
        ({"type": "object"}, "what its properties are"),
        ({"type": "object", "properties": {"x": {"type": "string"}}, "additionalProperties": True}, "additional"),
        ({"type": "string", "contentEncoding": "base32"}, "base32"),
        (5, "a JSON object is expected"),
    ],
)
def test_what_says_more_is_refused(schema, reason):
    """With the place, and what to do instead."""
    with pytest.raises(ConfigurationError, match=f"at <root>/a: .*{reason}.*; give the type itself"):
        of(a=schema)


def test_the_root_is_an_object():
    """And JSON at all."""
    with pytest.raises(ConfigurationError, match="an object with properties is expected"):
        row_type_of_json_schema('{"type": "string"}')
    with pytest.raises(ConfigurationError, match="got no JSON"):
        row_type_of_json_schema("x")
