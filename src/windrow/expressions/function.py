"""Functions of SQL that are no aggregates: their names, their parameters, the types they give, and their kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, NamedTuple

import pyarrow as pa

from windrow.expressions import logical_types as lt
from windrow.expressions.distinct_values import by_value
from windrow.expressions.logical_types import NullType, arrow_of, common, may_be_null, with_nullability
from windrow.expressions.nodes import DRAWS_LOTS, Call, is_constant
from windrow.table import data_types as t
from windrow.table.data_types import LONGEST, DataType

#: Computes a call: the call itself, the values of its operands, and how many rows there are.
Kernel = Callable[[Call, Sequence[pa.Array], int], pa.Array]


class Family(NamedTuple):
    """A kind of parameter: what it is called in errors, which types it takes, and what they are cast to."""

    name: str
    takes: Callable[[DataType], bool]
    becomes: DataType | None = None


ANY = Family("any type", lambda _: True)
TEXT = Family("text", lt.is_text)
NUMBER = Family("a number", lt.is_numeric)
AS_DOUBLE = Family("a number", lt.is_numeric, lt.DOUBLE)
AS_INT = Family("an integer", lt.is_integer, lt.INT)
AS_LONG = Family("an integer", lt.is_integer, lt.BIGINT)
TRUTH = Family("a BOOLEAN", lambda kind: isinstance(kind, t.BooleanType))
TIME = Family("a date or time", lt.is_temporal)
TIME_OR_TEXT = Family("a date, a time or text", lambda kind: lt.is_temporal(kind) or lt.is_text(kind))
MOMENT = Family("a TIMESTAMP", lambda kind: lt.is_timestamp(kind) or isinstance(kind, t.DateType))
BINARY = Family("bytes", lt.is_binary)
MAP = Family("a MAP", lambda kind: isinstance(kind, t.MapType) and not isinstance(kind, t.MultisetType))
COLLECTION = Family("an ARRAY or MAP", lambda kind: isinstance(kind, t.ArrayType) or MAP.takes(kind))
ARRAY = Family("an ARRAY", lambda kind: isinstance(kind, t.ArrayType))

#: A type, or what makes it of the operands' types.
Returns = DataType | Callable[[Sequence[DataType]], DataType]


@dataclass(frozen=True)
class Function:
    """A function of SQL that is no aggregate.

    Attributes:
        name: Its name in upper case.
        section: Where Flink's documentation lists it.
        parameters: What it is called with; the last one may come again if ``repeats``.
        returns: The type of its result.
        kernel: What computes it.
        required: How many arguments there are at least.
        repeats: Whether the last parameter may come any number of times.
        nullable: Whether the result may be NULL: None, if an operand may.
        alike: Whether all operands are made the type that they have in common.
    """

    name: str
    section: str
    parameters: tuple[Family, ...]
    returns: Returns
    kernel: Kernel
    required: int
    repeats: bool = False
    nullable: bool | None = None
    alike: bool = False

    def result(self, types: Sequence[DataType]) -> DataType:
        """The type of the result for operands of these types."""
        kind = self.returns if isinstance(self.returns, DataType) else self.returns(types)
        nullable = self.nullable if self.nullable is not None else any(map(may_be_null, types))
        return with_nullability(kind, nullable)

    def wanted(self, position: int) -> Family:
        """Find the family that the argument at a position belongs to; the last one is for all behind it, too."""
        return self.parameters[min(position, len(self.parameters) - 1)]


#: All functions by name.
FUNCTIONS: dict[str, Function] = {}


def function(
    names: str,
    section: str,
    parameters: Sequence[Family],
    returns: Returns,
    kernel: Kernel,
    *,
    required: int | None = None,
    repeats: bool = False,
    nullable: bool | None = None,
    alike: bool = False,
) -> None:
    """Make a function known, by one name or several."""
    for name in names.split():
        FUNCTIONS[name] = Function(
            name,
            section,
            tuple(parameters),
            returns,
            kernel,
            len(parameters) if required is None else required,
            repeats,
            nullable,
            alike,
        )


def direct(compute: Callable[..., Any]) -> Kernel:
    """A kernel that is a function of Arrow's."""
    return lambda _call, values, _count: compute(*values)


def each(compute: Callable[..., Any]) -> Kernel:
    """A kernel that calls a function for each row; one with a NULL among its operands gives NULL.

    Where one operand alone is not the same for all rows, it is called for each of its values that differ.
    """

    def kernel(call: Call, values: Sequence[pa.Array], count: int) -> pa.Array:
        kind, fixed = arrow_of(call.type), constants(call, values)
        if None in fixed.values():
            return pa.nulls(count, kind)
        varying = [place for place in range(len(values)) if place not in fixed]
        if len(varying) == 1 and call.name not in DRAWS_LOTS:
            (place,) = varying
            before, after = [fixed[at] for at in range(place)], [fixed[at] for at in range(place + 1, len(values))]
            return by_value(values[place], lambda value: compute(*before, value, *after), kind)
        columns = [
            repeat(fixed[place], count) if place in fixed else value.to_pylist() for place, value in enumerate(values)
        ]
        rows = zip(*columns, strict=True) if columns else ((),) * count
        made = [None if None in row else compute(*row) for row in rows]
        return pa.array(made, kind)

    return kernel


def constants(call: Call, values: Sequence[pa.Array]) -> dict[int, Any]:
    """The operands that are the same for all rows, by their places; none where there are no rows."""
    if len(values) != len(call.operands) or not values or not len(values[0]) or call.name in DRAWS_LOTS:
        return {}
    return {place: values[place][0].as_py() for place, each in enumerate(call.operands) if is_constant(each)}


def on_columns(compute: Callable[..., Any], otherwise: Kernel) -> Kernel:
    """A kernel that is a function of Arrow's where all operands but the first are the same for all rows.

    Args:
        compute: Called with the column and those values, none of which is NULL; gives None where it does not serve.
        otherwise: Takes all else.
    """

    def kernel(call: Call, values: Sequence[pa.Array], count: int) -> pa.Array:
        fixed = constants(call, values)
        wanted = range(1, len(values))
        if count and 0 not in fixed and all(fixed.get(place) is not None for place in wanted):
            made = compute(values[0], *[fixed[place] for place in wanted])
            if made is not None:
                return made
        return otherwise(call, values, count)

    return kernel


def each_nullable(compute: Callable[..., Any]) -> Kernel:
    """A kernel that calls a function for each row, with NULL as None."""

    def kernel(call: Call, values: Sequence[pa.Array], count: int) -> pa.Array:
        rows = zip(*[value.to_pylist() for value in values], strict=True) if values else ((),) * count
        return pa.array([compute(*row) for row in rows], arrow_of(call.type))

    return kernel


def same(position: int = 0) -> Callable[[Sequence[DataType]], DataType]:
    """The type of an operand."""
    return lambda types: types[position]


def varying(*positions: int) -> Callable[[Sequence[DataType]], DataType]:
    """Text as long as some operands together."""

    def made(types: Sequence[DataType]) -> DataType:
        lengths = [getattr(types[place], "length", LONGEST) for place in positions]
        return t.VarCharType(min(sum(lengths), LONGEST))

    return made


def in_common(types: Sequence[DataType]) -> DataType:
    """The type that the operands have in common."""
    found = common(types)
    return found if found is not None and not isinstance(found, NullType) else types[0]
