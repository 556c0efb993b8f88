"""JSON in text."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from windrow.expressions.function import TEXT, Kernel, each, each_nullable, function
from windrow.expressions.logical_types import BOOLEAN, STRING
from windrow.expressions.nodes import Call

_SECTION = "JSON functions"
_STEP = re.compile(r"\.([A-Za-z_][A-Za-z_0-9]*)|\['([^']*)'\]|\[(\d+)\]")
_ABSENT = object()


def _found(text: str, path: str) -> Any:
    """What a path such as ``lax $.a[0]`` leads to; ``_ABSENT`` if it leads nowhere."""
    try:
        value = json.loads(text)
    except ValueError:
        return _ABSENT
    steps = path.strip().removeprefix("lax").removeprefix("strict").strip().removeprefix("$")
    for name, quoted, index in _STEP.findall(steps):
        try:
            value = value[int(index)] if index else value[name or quoted]
        except (KeyError, IndexError, TypeError):
            return _ABSENT
    return value


def _value(text: str, path: str) -> str | None:
    found = _found(text, path)
    if found is _ABSENT or found is None or isinstance(found, dict | list):
        return None
    return json.dumps(found) if isinstance(found, bool | int | float) else str(found)


def _query(text: str, path: str) -> str | None:
    found = _found(text, path)
    return json.dumps(found, separators=(",", ":")) if isinstance(found, dict | list) else None


def _is_json(text: str | None) -> bool:
    try:
        json.loads(text or "")
    except ValueError:
        return False
    return True


def _quoted(_call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
    return pa.array([None if value is None else json.dumps(value) for value in values[0].to_pylist()], pa.string())


OPERATORS: dict[str, Kernel] = {"IS JSON": each_nullable(_is_json)}

function(
    "JSON_EXISTS",
    _SECTION,
    [TEXT, TEXT],
    BOOLEAN,
    each(lambda text, path: _found(text, path) is not _ABSENT),
    nullable=True,
)
function("JSON_VALUE", _SECTION, [TEXT, TEXT], STRING, each(_value), nullable=True)
function("JSON_QUERY", _SECTION, [TEXT, TEXT], STRING, each(_query), nullable=True)
function("JSON_QUOTE", _SECTION, [TEXT], STRING, _quoted)
