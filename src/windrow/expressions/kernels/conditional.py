"""Functions that choose among their arguments."""

from __future__ import annotations

from typing import Any

from windrow.expressions.function import ANY, TEXT, Kernel, each, each_nullable, function, in_common
from windrow.expressions.logical_types import BOOLEAN
from windrow.expressions.reading import fraction

_SECTION = "Conditional functions"

OPERATORS: dict[str, Kernel] = {
    "NULLIF": each_nullable(lambda a, b: None if a is not None and b is not None and a == b else a),
}


def _is_alpha(text: str | None) -> bool:
    return bool(text) and all(c.isalpha() for c in text or "")


def _is_digit(text: str | None) -> bool:
    return bool(text) and all(c.isdigit() for c in text or "")


def _is_decimal(text: str | None) -> bool:
    try:
        fraction(text or "")
    except ValueError:
        return False
    return True


def _greatest(*values: Any) -> Any:
    return max(values)


def _least(*values: Any) -> Any:
    return min(values)


function("GREATEST", _SECTION, [ANY], in_common, each(_greatest), repeats=True, alike=True)
function("LEAST", _SECTION, [ANY], in_common, each(_least), repeats=True, alike=True)
function("IS_ALPHA", _SECTION, [TEXT], BOOLEAN, each_nullable(_is_alpha), nullable=False)
function("IS_DIGIT", _SECTION, [TEXT], BOOLEAN, each_nullable(_is_digit), nullable=False)
function("IS_DECIMAL", _SECTION, [TEXT], BOOLEAN, each_nullable(_is_decimal), nullable=False)
