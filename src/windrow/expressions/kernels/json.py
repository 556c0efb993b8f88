"""JSON in text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import pyarrow as pa

from windrow.common.json_values import PYTHON, STRICT, JsonReading
from windrow.expressions import logical_types as lt
from windrow.expressions.function import ANY, TEXT, Family, Kernel, each, function
from windrow.expressions.kernels.json_made import json_of, raw
from windrow.expressions.logical_types import BOOLEAN, STRING, arrow_of
from windrow.expressions.nodes import Call
from windrow.table import data_types as t

_SECTION = "JSON functions"
_STEP = re.compile(r"\.([A-Za-z_][A-Za-z_0-9]*)|\['([^']*)'\]|\[(\d+)\]")
_MODE = re.compile(r"\s*(strict|lax)\s+(.+)", re.DOTALL | re.IGNORECASE)
_ABSENT = object()


#: NaN and its like are numbers to functions that take a path, but not to IS JSON.
_EXACT = JsonReading(parse_float=Decimal)
#: What has one value of JSON in a text.
_PLAIN = Family(
    "text, a number or a BOOLEAN",
    lambda kind: lt.is_text(kind) or lt.is_numeric(kind) or isinstance(kind, t.BooleanType),
)


class OnNothing(NamedTuple):
    """The behaviour of a function where there is nothing, or something is wrong.

    Attributes:
        does: NULL, ERROR or DEFAULT; of JSON_QUERY also EMPTY ARRAY and EMPTY OBJECT; of JSON_EXISTS TRUE, FALSE and
            UNKNOWN.
        value: The default.
    """

    does: str
    value: Any = None

    def given(self, reason: str) -> Any:
        """Give the value in place of the missing one; ``reason`` says in an error why it is missing.

        Raises:
            ValueError: it is an error.
        """
        if self.does == "ERROR":
            raise ValueError(reason)
        return {"DEFAULT": self.value, "EMPTY ARRAY": "[]", "EMPTY OBJECT": "{}", "TRUE": True, "FALSE": False}.get(
            self.does
        )


class _Found(NamedTuple):
    """The value that a path leads to: None is JSON's null, or nothing where the path is lax."""

    value: Any
    is_lax: bool
    #: Why there is none; None: nothing is wrong.
    error: str | None = None


def _found(text: str, path: str) -> _Found:
    """Follow a path such as ``lax $.a[0]`` into a text; one that does not say is strict."""
    given = _MODE.fullmatch(path)
    is_lax = given is not None and given[1].lower() == "lax"
    try:
        value = _EXACT.decode(text)
    except ValueError as error:
        return _Found(None, is_lax, f"{text!r} is no JSON: {error}")
    steps = (path if given is None else given[2]).strip().removeprefix("$")
    for name, quoted, index in _STEP.findall(steps):
        try:
            value = value[int(index)] if index else value[name or quoted]
        except (KeyError, IndexError, TypeError):
            return _Found(None, is_lax, None if is_lax else f"there is nothing at {path!r} of {text!r}")
    return _Found(value, is_lax)


def _value(call: Call) -> Callable[[str, str], Any]:
    on_empty, on_error = call.options if len(call.options) == 2 else (OnNothing("NULL"), OnNothing("NULL"))
    as_type = _RETURNING[type(call.type)]

    def made(text: str, path: str) -> Any:
        value, is_lax, error = _found(text, path)
        if error is not None:
            return on_error.given(error)
        is_nested = isinstance(value, dict | list)
        if value is None or (is_lax and is_nested):
            return on_empty.given(f"JSON_VALUE found nothing at {path!r} of {text!r}")
        if is_nested:
            return on_error.given(f"JSON_VALUE takes one value with a strict path; {path!r} of {text!r} has several")
        return as_type(value)

    return made


def _as_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _only(kind: type, name: str, least: int = 0, most: int = 0) -> Callable[[Any], Any]:
    """Make a function that takes a value of JSON only if it is of a type already: nothing is cast."""

    def taken(value: Any) -> Any:
        is_kind: bool = type(value) is kind
        if not is_kind or (most and not least <= value <= most):
            msg = f"JSON_VALUE RETURNING {name} found {value!r}, which is none: CAST the text instead"
            raise ValueError(msg)
        return float(value) if kind is Decimal else value

    return taken


_RETURNING: dict[type, Callable[[Any], Any]] = {
    t.VarCharType: _as_text,
    t.IntType: _only(int, "INT", -(2**31), 2**31 - 1),
    t.BooleanType: _only(bool, "BOOLEAN"),
    t.DoubleType: _only(Decimal, "DOUBLE"),
}
#: The types behind RETURNING.
RETURNS = tuple(_RETURNING)


def _query(call: Call) -> Callable[[str, str], str | None]:
    known = len(call.options) == 3
    on_empty, on_error = call.options[:2] if known else (OnNothing("NULL"), OnNothing("NULL"))
    wrapper = call.options[2] if known else ""

    def made(text: str, path: str) -> Any:
        value, is_lax, error = _found(text, path)
        if error is not None:
            return on_error.given(error)
        if value is not None and (wrapper == "WRAPPER" or (wrapper and not isinstance(value, list))):
            value = [value]
        is_nested = isinstance(value, dict | list)
        if value is None or (is_lax and not is_nested):
            return on_empty.given(f"JSON_QUERY found nothing at {path!r} of {text!r}")
        if not is_nested:
            return on_error.given(
                f"JSON_QUERY takes an array or object with a strict path; {path!r} of {text!r} is none"
            )
        return json.dumps(value, separators=(",", ":"), default=float)

    return made


def _exists(call: Call) -> Callable[[str, str], bool | None]:
    on_error = (
        call.options[0] if len(call.options) == 1 and isinstance(call.options[0], OnNothing) else OnNothing("FALSE")
    )

    def made(text: str, path: str) -> Any:
        value, _, error = _found(text, path)
        return value is not None if error is None else on_error.given(error)

    return made


def _of_call(make: Callable[[Call], Callable[..., Any]]) -> Kernel:
    """A kernel that calls what is made of a call for each row; one with a NULL among its operands gives NULL."""
    return lambda call, values, count: each(make(call))(call, values, count)


def _is_json(call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
    (kind,) = call.options
    return pa.array([_is_of(text, kind) for text in values[0].to_pylist()], pa.bool_())


def _is_of(text: str | None, kind: str) -> bool:
    """Tell whether text is JSON of one kind: VALUE is any, SCALAR what is no ARRAY and no OBJECT."""
    given = (text or "").lstrip(" \t\r\n")
    try:
        value, end = STRICT.prefix(given)
    except ValueError:
        return False
    is_scalar = not isinstance(value, dict | list)
    if is_scalar and not isinstance(value, str) and given[end : end + 1].strip(" \t\r\n"):
        return False  # a number or a word goes on; behind all else there may be more, which nobody reads
    if kind == "SCALAR":
        return is_scalar
    return kind == "VALUE" or isinstance(value, dict if kind == "OBJECT" else list)


def _quoted(_call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
    return pa.array([None if value is None else json.dumps(value) for value in values[0].to_pylist()], pa.string())


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] == '"':
        try:
            return str(PYTHON.decode(text))
        except ValueError:
            return text
    return text


def _string(call: Call, values: Sequence[pa.Array], count: int) -> pa.Array:
    """One value as JSON; decimals with all their digits."""
    del count
    made = [
        None if value is None else str(value) if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False)
        for value in values[0].to_pylist()
    ]
    return pa.array(made, arrow_of(call.type))


OPERATORS: dict[str, Kernel] = {"IS JSON": _is_json}

function("JSON_EXISTS", _SECTION, [TEXT, TEXT], BOOLEAN, _of_call(_exists), nullable=True)
function("JSON_VALUE", _SECTION, [TEXT, TEXT], STRING, _of_call(_value), nullable=True)
function("JSON_QUERY", _SECTION, [TEXT, TEXT], STRING, _of_call(_query), nullable=True)
function("JSON_QUOTE", _SECTION, [TEXT], STRING, _quoted)
function("JSON_UNQUOTE", _SECTION, [TEXT], STRING, each(_unquoted))
function("JSON_STRING", _SECTION, [_PLAIN], STRING, _string)
function("JSON", _SECTION, [TEXT], STRING, each(raw), nullable=True)
function("JSON_ARRAY JSON_OBJECT", _SECTION, [ANY], STRING, json_of, required=0, repeats=True, nullable=False)
