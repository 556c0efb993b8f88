"""Expressions of an element's fields: a graph of operations in which equal expressions are one object."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

import pyarrow as pa

from windrow.tracing.outcome import Refused


class Kind(Enum):
    """Python's type of a value; ``OTHER`` is what is passed on only."""

    INT = "int"
    FLOAT = "float"
    BOOL = "bool"
    STR = "str"
    OTHER = "other"


#: What an expression may contain besides expressions.
Constant: TypeAlias = int | float | bool | str


@dataclass(frozen=True, eq=False)
class Expression:
    """One operation; made by :class:`Graph`, so that equal ones are the same object.

    Args:
        operation: The name of a kernel, or ``input`` with the field's number as only argument.
        arguments: Expressions and constants.
        kind: The type of the result.
    """

    __slots__ = ("arguments", "kind", "operation")
    operation: str
    arguments: tuple[Any, ...]
    kind: Kind

    def __repr__(self) -> str:
        if self.operation == "input":
            return f"f{self.arguments[0]}"
        return f"{self.operation}({', '.join(map(repr, self.arguments))})"


Operand: TypeAlias = Expression | Constant

_KINDS: dict[type, Kind] = {int: Kind.INT, float: Kind.FLOAT, bool: Kind.BOOL, str: Kind.STR}

#: The Arrow types that computed values have.
ARROW_TYPES = {Kind.INT: pa.int64(), Kind.FLOAT: pa.float64(), Kind.BOOL: pa.bool_(), Kind.STR: pa.string()}

#: Operations that give a result for all values, whatever they are: evaluated for rows that do not ask for them, they do
#: no harm.
TOTAL = frozenset(
    {
        *("less", "less_equal", "greater", "greater_equal", "equal", "not_equal"),
        *("text_less", "text_less_equal", "text_greater", "text_greater_equal", "text_equal", "text_not_equal"),
        *("and", "or", "not", "xor", "bit_and", "bit_or", "bit_xor", "invert", "select", "text_select", "int_of_bool"),
        *("float_add", "float_subtract", "float_multiply", "float_negative", "float_absolute"),
        *("text_length", "starts_with", "ends_with", "contains"),
    }
)


#: What computes more is quicker by itself: a loop may do the same to ever so many constants.
_MOST_EXPRESSIONS = 500


class Graph:
    """The expressions of one trace."""

    def __init__(self) -> None:
        self._made: dict[tuple[Any, ...], Expression] = {}
        #: The fields that are computed with, and not only passed on.
        self.touched: set[int] = set()

    def input(self, index: int, kind: Kind) -> Expression:
        """The field of the given number."""
        return self._make("input", (index,), kind)

    def apply(self, operation: str, kind: Kind, *arguments: Operand) -> Expression:
        """An operation on expressions, which reads the fields among them."""
        for argument in arguments:
            self.touch(argument)
        made = self._make(operation, arguments, kind)
        if len(self._made) > _MOST_EXPRESSIONS:
            msg = f"computes more than {_MOST_EXPRESSIONS} things"
            raise Refused(msg)
        return made

    def touch(self, operand: Operand) -> None:
        """Note that the operand's values matter."""
        if isinstance(operand, Expression) and operand.operation == "input":
            self.touched.add(operand.arguments[0])

    def _make(self, operation: str, arguments: tuple[Any, ...], kind: Kind) -> Expression:
        key = operation, kind, *map(_identity, arguments)
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = Expression(operation, arguments, kind)
        return made


def kind_of(operand: Operand) -> Kind:
    """The kind of an expression's, or of a constant's, values."""
    return operand.kind if isinstance(operand, Expression) else _KINDS[type(operand)]


def is_constant(value: Any) -> bool:
    """Tell whether a value may stand in an expression.

    Raises:
        Refused: it is an integer beyond 64 bits, a NaN, or text that is no Unicode.

    Example:
        >>> is_constant(1.5), is_constant([1.5])
        (True, False)
    """
    if type(value) not in _KINDS:
        return False
    if type(value) is int and not -(2**63) <= value < 2**63:
        msg = f"uses {value}, which has more than 64 bits"
        raise Refused(msg)
    if type(value) is float and math.isnan(value):
        msg = "uses NaN"
        raise Refused(msg)
    if type(value) is str and any("\ud800" <= letter <= "\udfff" for letter in value):
        msg = f"uses {value!r}, which is no Unicode text"
        raise Refused(msg)
    return True


def nodes_of(expression: Operand) -> set[Expression]:
    """The expression and all that it is computed from."""
    found: set[Expression] = set()
    waiting = [expression]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Expression) and each not in found:
            found.add(each)
            waiting.extend(each.arguments)
    return found


def _identity(argument: Any) -> Any:
    if isinstance(argument, Expression):
        return argument  # by identity
    if type(argument) is float:
        return float, argument.hex()
    return type(argument), argument
