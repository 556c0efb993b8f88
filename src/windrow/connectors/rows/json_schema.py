"""JSON schemas as row types, as Flink's ``JsonRowSchemaConverter`` reads them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from windrow.common.composite_types import RowTypeInfo
from windrow.common.typeinfo import TypeInformation, Types
from windrow.errors import ConfigurationError

_CALL: Final = "json_schema of JsonRowDeserializationSchema"
_ROOT: Final = "<root>"

#: What says something of values, but not what their types are.
_WITHOUT_MEANING: Final = frozenset({"$ref", "allOf", "anyOf", "not", "extends", "disallow"})

_FORMATS: Final[Mapping[str, TypeInformation]] = {
    "date": Types.SQL_DATE(),
    "time": Types.SQL_TIME(),
    "date-time": Types.SQL_TIMESTAMP(),
}


def row_type_of_json_schema(json_schema: str) -> RowTypeInfo:
    """The row type that a JSON schema describes.

    Numbers and integers are ``BIG_DEC``, texts ``STRING``, or by their ``format`` (``date``, ``time``, ``date-time``)
    or ``contentEncoding`` (``base64``) times and bytes; arrays with one kind of items and objects with properties may
    stand in each other. A type may be a list with ``"null"``, or a ``oneOf`` with it. References, unions and tuples
    are refused.

    Raises:
        ConfigurationError: it is no JSON, or says something that is not described above; names the place.

    Example:
        >>> row_type_of_json_schema('{"type": "object", "properties": {"n": {"type": ["null", "integer"]}}}')
        RowTypeInfo(n: BigDecimal)
    """
    try:
        schema = json.loads(json_schema)
    except ValueError as error:
        msg = f"{_CALL} takes a JSON schema; got no JSON: {error}"
        raise ConfigurationError(msg) from None
    row_type = _type_of(_ROOT, schema)
    if not isinstance(row_type, RowTypeInfo):
        raise _refused(_ROOT, "an object with properties is expected")
    return row_type


def _type_of(place: str, node: Any) -> TypeInformation:
    if not isinstance(node, dict):
        raise _refused(place, "a JSON object is expected")
    for name in sorted(_WITHOUT_MEANING & node.keys()):
        raise _refused(place, f"{name!r} is not supported")
    types = node.get("type", [])
    kinds = [_simple(place, kind, node) for kind in (types if isinstance(types, list) else [types]) if kind != "null"]
    choices = node.get("oneOf", [])
    kinds += [_type_of(f"{place}/oneOf", choice) for choice in choices if choice != {"type": "null"}]
    if len(kinds) != 1:
        raise _refused(place, f"one type, with or without null, is expected; there are {len(kinds)}")
    return kinds[0]


def _simple(place: str, kind: Any, node: dict[str, Any]) -> TypeInformation:
    match kind:
        case "boolean":
            return Types.BOOLEAN()
        case "number" | "integer":
            return Types.BIG_DEC()
        case "string":
            return _text(place, node)
        case "array":
            if not isinstance(node.get("items"), dict):
                raise _refused(place, "an array has to say what its items are, all of one type")
            return Types.OBJECT_ARRAY(_type_of(f"{place}/items", node["items"]))
        case "object":
            return _object(place, node)
    raise _refused(place, f"{kind!r} is no type")


def _text(place: str, node: dict[str, Any]) -> TypeInformation:
    if "format" in node:
        return _FORMATS.get(node["format"], Types.STRING())
    encoding = node.get("contentEncoding")
    if encoding not in (None, "base64"):
        raise _refused(place, f"contentEncoding may be base64; got {encoding!r}")
    return Types.STRING() if encoding is None else Types.PRIMITIVE_ARRAY(Types.BYTE())


def _object(place: str, node: dict[str, Any]) -> RowTypeInfo:
    properties = node.get("properties")
    if not isinstance(properties, dict) or not properties:
        raise _refused(place, "an object has to say what its properties are")
    if node.get("additionalProperties") is True:
        raise _refused(place, "an object must not have additional properties")
    types = [_type_of(f"{place}/{name}", schema) for name, schema in properties.items()]
    return RowTypeInfo(types, list(properties))


def _refused(place: str, reason: str) -> ConfigurationError:
    msg = f"{_CALL} cannot be made a row type at {place}: {reason}; give the type itself with type_info"
    return ConfigurationError(msg)
