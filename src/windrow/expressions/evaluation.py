"""Expressions on columns of Arrow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from windrow.common.limits import LONG_MAX
from windrow.expressions.casts import cast
from windrow.expressions.kernels import KERNELS
from windrow.expressions.logical_types import arrow_of, is_integer
from windrow.expressions.nodes import USERS, Call, Expression, InputRef, Literal, Timestamp, walk
from windrow.table.data_types import BigIntType

#: What may raise: its operands are evaluated for those rows alone that need them.
MAY_FAIL = USERS | {"/", "%", "CAST", "CAST_IMPLICIT", "MOD", "JSON_VALUE", "JSON_QUERY", "JSON_EXISTS"}


@dataclass
class Input:
    """The columns that expressions refer to, made when they are asked for or before, with the elements' timestamps."""

    columns: Sequence[pa.Array]
    timestamps: NDArray[np.int64]
    #: The processing time, in milliseconds.
    now: int = 0
    #: The watermark, in milliseconds; None: there is none yet.
    watermark: int | None = None
    #: The ``id`` of each call that is computed once, wherever it stands (:func:`~windrow.expressions.nodes.shared`).
    shared: frozenset[int] = frozenset()
    computed: dict[int, pa.Array] = field(default_factory=dict)

    def __len__(self) -> int:
        return int(self.timestamps.size)

    def filtered(self, chosen: pa.Array) -> Input:
        """The rows for which ``chosen`` is true; of columns that are used there."""
        if chosen.true_count == len(self):
            return self
        mask = np.asarray(chosen.fill_null(False))
        columns = _Filtered(self.columns, chosen)
        return replace(self, columns=columns, timestamps=self.timestamps[mask], computed={})


class _Filtered(Sequence[pa.Array]):
    """Of each column that is asked for the values for which ``chosen`` is true."""

    def __init__(self, columns: Sequence[pa.Array], chosen: pa.Array) -> None:
        self._columns = columns
        self._chosen = chosen
        self._found: dict[int, pa.Array] = {}

    def __len__(self) -> int:
        return len(self._columns)

    def __getitem__(self, index: Any) -> Any:
        found = self._found.get(index)
        if found is None:
            found = self._found[index] = self._columns[index].filter(self._chosen)
        return found


def evaluate(expression: Expression, given: Input) -> pa.Array:
    """The values of an expression, one for each row.

    Raises:
        ArithmeticError: a division by zero, a CAST of what does not fit.

    Example:
        >>> from windrow.expressions.logical_types import BIGINT
        >>> numbers = Input([pa.array([1, None])], np.zeros(2, np.int64))
        >>> plus = Call("+", (InputRef(0, BIGINT), Literal(1, BIGINT)), BIGINT)
        >>> evaluate(plus, numbers).to_pylist()
        [2, None]
    """
    match expression:
        case InputRef():
            return given.columns[expression.index]
        case Literal():
            return _repeated(expression.value, arrow_of(expression.type), len(given))
        case Timestamp():
            if isinstance(expression.type, BigIntType):
                return pa.array(given.timestamps)
            return pa.array(given.timestamps * 1000).cast(arrow_of(expression.type))
    if id(expression) not in given.shared:
        return _computed(expression, given)
    found = given.computed.get(id(expression))
    if found is None:
        found = given.computed[id(expression)] = _computed(expression, given)
    return found


def _repeated(value: Any, kind: pa.DataType, count: int) -> pa.Array:
    if value is not None and (pa.types.is_integer(kind) or pa.types.is_float64(kind)):
        return pa.array(np.full(count, value, kind.to_pandas_dtype()))  # in a tenth of the time
    return pa.repeat(pa.scalar(value, kind), count)


def _computed(call: Call, given: Input) -> pa.Array:
    return _LAZY[call.name](call, given) if call.name in _LAZY else _call(call, given)


def _now(call: Call, given: Input) -> pa.Array:
    return pa.repeat(pa.scalar(given.now * 1000).cast(arrow_of(call.type)), len(given))


def _watermark(call: Call, given: Input) -> pa.Array:
    micros = None if given.watermark is None else min(given.watermark, LONG_MAX // 1000) * 1000
    return pa.repeat(pa.scalar(micros, pa.int64()).cast(arrow_of(call.type)), len(given))


def _call(call: Call, given: Input) -> pa.Array:
    values = [evaluate(operand, given) for operand in call.operands]
    if call.name in ("CAST", "TRY_CAST", "CAST_IMPLICIT"):
        return cast(values[0], call.operands[0].type, call.type, strict=call.name != "TRY_CAST", options=call.options)
    made = KERNELS[call.name](call, values, len(given))
    wanted = arrow_of(call.type)
    if isinstance(made, pa.ChunkedArray):
        made = made.combine_chunks()
    return made if made.type == wanted else made.cast(wanted, safe=False)


def may_fail(expression: Expression) -> bool:
    """Tell whether evaluating it for a row that does not need it could raise.

    Example:
        >>> from windrow.expressions.logical_types import INT
        >>> [may_fail(Call("MOD", (InputRef(0, INT), by), INT)) for by in (Literal(6, INT), Literal(0, INT))]
        [False, True]
    """
    return any(isinstance(each, Call) and each.name in MAY_FAIL and not _is_safe(each) for each in walk(expression))


def _is_safe(call: Call) -> bool:
    """Tell whether it divides by a number that is not 0, or casts into a type with room for all that it may get."""
    first, *others = (each.type for each in call.operands)
    if call.name in ("/", "%", "MOD"):
        by = call.operands[1]
        return (
            isinstance(by, Literal) and by.value not in (None, 0) and all(is_integer(kind) for kind in (first, *others))
        )
    if call.name in ("CAST", "CAST_IMPLICIT") and is_integer(first):
        return is_integer(call.type) and arrow_of(call.type).bit_width >= arrow_of(first).bit_width
    return False


def _case(call: Call, given: Input) -> pa.Array:
    """Operands are conditions and values in turn, and last the value where no condition is true."""
    wanted = arrow_of(call.type)
    *pairs, otherwise = call.operands
    if not any(may_fail(operand) for operand in call.operands):
        chosen: list[tuple[pa.Array, Expression]] = []
        for condition, value in zip(pairs[::2], pairs[1::2], strict=True):
            where = evaluate(condition, given)
            count = where.true_count
            if count == len(given):  # mostly the first one: there is a value
                otherwise = value
                break
            if count:
                chosen.append((where.fill_null(False), value))
        found = _as(wanted, evaluate(otherwise, given))
        for where, value in reversed(chosen):
            found = pc.if_else(where, _as(wanted, evaluate(value, given)), found)
        return found
    parts, places = [], []
    rest, at = given, np.arange(len(given))
    for condition, value in zip(pairs[::2], pairs[1::2], strict=True):
        chosen = evaluate(condition, rest).fill_null(False)
        mask = np.asarray(chosen)
        if mask.any():
            parts.append(evaluate(value, rest.filtered(chosen)).cast(wanted))
            places.append(at[mask])
        rest, at = rest.filtered(pc.invert(chosen)), at[~mask]
    if at.size:
        parts.append(evaluate(otherwise, rest).cast(wanted))
        places.append(at)
    return _scattered(parts, places, wanted)


def _as(wanted: pa.DataType, values: pa.Array) -> pa.Array:
    return values if values.type == wanted else values.cast(wanted)


def _scattered(parts: list[pa.Array], places: list[NDArray[np.int64]], wanted: pa.DataType) -> pa.Array:
    if not parts:
        return pa.array([], wanted)
    joined = pa.concat_arrays(parts)
    return joined.take(pa.array(np.argsort(np.concatenate(places))))


def _and(call: Call, given: Input) -> pa.Array:
    return _junction(call, given, stops_at=False)


def _or(call: Call, given: Input) -> pa.Array:
    return _junction(call, given, stops_at=True)


def _junction(call: Call, given: Input, *, stops_at: bool) -> pa.Array:
    """A conjunction or disjunction.

    What may raise is evaluated where the operands before it have decided nothing, and so is what costs more than to
    choose few rows.
    """
    combine: Any = pc.or_kleene if stops_at else pc.and_kleene
    found = evaluate(call.operands[0], given)
    for operand in call.operands[1:]:
        if may_fail(operand) or (_is_nested(operand) and _few_are_left(found, stops_at=stops_at)):
            decided = pc.equal(found, stops_at).fill_null(False)
            undecided = pc.invert(decided)
            mask = np.asarray(undecided)
            values = evaluate(operand, given.filtered(undecided))
            places = [np.flatnonzero(mask), np.flatnonzero(~mask)]
            filled = pa.repeat(pa.scalar(stops_at), int((~mask).sum()))
            found = combine(found, _scattered([values, filled], places, pa.bool_()))
        else:
            found = combine(found, evaluate(operand, given))
    return found


def _is_nested(expression: Expression) -> bool:
    return isinstance(expression, Call) and any(isinstance(each, Call) for each in expression.operands)


def _few_are_left(found: pa.Array, *, stops_at: bool) -> bool:
    decided = found.true_count if stops_at else found.false_count
    return bool(4 * (len(found) - decided) < len(found))


def _coalesce(call: Call, given: Input) -> pa.Array:
    wanted = arrow_of(call.type)
    found = evaluate(call.operands[0], given).cast(wanted)
    for operand in call.operands[1:]:
        if not found.null_count:
            return found
        missing = found.is_null()
        values = evaluate(operand, given.filtered(missing)).cast(wanted)
        mask = np.asarray(missing)
        found = _scattered([values, found.drop_null()], [np.flatnonzero(mask), np.flatnonzero(~mask)], wanted)
    return found


_LAZY: dict[str, Any] = {
    "CASE": _case,
    "AND": _and,
    "OR": _or,
    "COALESCE": _coalesce,
    "NOW": _now,
    "PROCTIME": _now,
    "CURRENT_WATERMARK": _watermark,
}
