"""Aggregates value by value, each of which can be taken back (Flink's aggregate functions with ``retract``).

What an aggregate has seen so far is a list of plain values, so that it can be stored; the functions here change it.
Where nothing is ever taken back, less is kept: of the least value only the value.
"""

from __future__ import annotations

import math
import struct
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any

from windrow.datastream.functions import RuntimeContext
from windrow.expressions.logical_types import is_integer
from windrow.expressions.reading import rounded
from windrow.operators.base import OperatorContext
from windrow.operators.table.collected import OF_NOTHING, collected, multiset
from windrow.operators.table.own_aggregates import OwnAggregate
from windrow.operators.table.row_aggregates import BITS, RowCall, single_value, variance_of
from windrow.table import data_types as t
from windrow.table.data_types import DataType

State = list[Any]


class Accumulator(ABC):
    """An aggregate function.

    Args:
        call: The aggregate.
    """

    def __init__(self, call: RowCall) -> None:
        self.call = call

    @abstractmethod
    def create(self) -> State:
        """The state of a group without values."""

    @abstractmethod
    def accumulate(self, state: State, value: Any) -> None:
        """Take a value."""

    @abstractmethod
    def retract(self, state: State, value: Any) -> None:
        """Take a value back."""

    @abstractmethod
    def value(self, state: State) -> Any:
        """The result so far."""


class Count(Accumulator):
    """``COUNT``."""

    def create(self) -> State:
        return [0]

    def accumulate(self, state: State, value: Any) -> None:
        state[0] += 1

    def retract(self, state: State, value: Any) -> None:
        state[0] -= 1

    def value(self, state: State) -> Any:
        return state[0]


class Sum(Accumulator):
    """``SUM`` and ``AVG``: the sum, and of how many values it is."""

    def __init__(self, call: RowCall) -> None:
        super().__init__(call)
        self._bound = _bounded(call.type_of_sum)

    def create(self) -> State:
        return [None, 0]

    def accumulate(self, state: State, value: Any) -> None:
        state[0] = value if state[0] is None else self._bound(state[0] + value)
        state[1] += 1

    def retract(self, state: State, value: Any) -> None:
        state[0] = self._bound((0 if state[0] is None else state[0]) - value)
        state[1] -= 1

    def value(self, state: State) -> Any:
        total, count = state
        if not count:
            return 0 if self.call.name == "SUM0" else None
        return rounded(total, self.call.type) if isinstance(self.call.type, t.DecimalType) else total


class Average(Sum):
    """``AVG``."""

    def __init__(self, call: RowCall) -> None:
        super().__init__(call)
        self._fit = _bounded(call.type)

    def value(self, state: State) -> Any:
        total, count = state
        if not count:
            return None
        kind = self.call.type
        if is_integer(kind):
            quotient = abs(total) // abs(count)
            return self._fit(quotient if (total < 0) == (count < 0) else -quotient)
        if isinstance(kind, t.DecimalType):
            return rounded(Context(prec=60, rounding=ROUND_HALF_UP).divide(total, Decimal(count)), kind)
        return self._fit(total / count)


class OneValue(Accumulator):
    """Keeps one value, so that none can be taken back."""

    def create(self) -> State:
        return [None]

    def retract(self, state: State, value: Any) -> None:
        msg = f"{self.call.name} of values that stay cannot take {value!r} back"
        raise NotImplementedError(msg)

    def value(self, state: State) -> Any:
        return state[0]


class Extreme(OneValue):
    """``MIN`` and ``MAX`` of values that stay, or make way for others that are no worse."""

    def __init__(self, call: RowCall) -> None:
        super().__init__(call)
        self._choose: Callable[..., Any] = min if call.name == "MIN" else max

    def accumulate(self, state: State, value: Any) -> None:
        state[0] = value if state[0] is None else self._choose(state[0], value)

    def retract(self, state: State, value: Any) -> None:
        """The value that comes instead counts."""


class RetractableExtreme(Extreme):
    """``MIN`` and ``MAX`` of values that may be taken back: the value, and how often there is each."""

    def create(self) -> State:
        return [None, {}]

    def accumulate(self, state: State, value: Any) -> None:
        counts = state[1]
        counts[value] = counts.get(value, 0) + 1
        if counts[value] == 1:
            super().accumulate(state, value)
        elif not counts[value]:  # it was taken back before it came
            del counts[value]

    def retract(self, state: State, value: Any) -> None:
        counts = state[1]
        counts[value] = counts.get(value, 0) - 1
        if counts[value]:
            return
        del counts[value]
        if value == state[0]:
            known = [each for each, count in counts.items() if count > 0]
            state[0] = self._choose(known) if known else None


class First(OneValue):
    """``FIRST_VALUE`` and ``LAST_VALUE`` of values that stay."""

    def accumulate(self, state: State, value: Any) -> None:
        if state[0] is None or self.call.name == "LAST_VALUE":
            state[0] = value


class Lag(Accumulator):
    """``LAG``: the last values, as many as it looks back and one."""

    def create(self) -> State:
        return [[]]

    def accumulate(self, state: State, value: Any) -> None:
        (values,) = state
        values.append(value)
        if len(values) > self.call.options[0] + 1:
            del values[0]

    def retract(self, state: State, value: Any) -> None:
        """Do nothing: of what is behind the last values none is looked at again."""

    def value(self, state: State) -> Any:
        offset, default = self.call.options
        return state[0][0] if len(state[0]) > offset else default


class Listed(Accumulator):
    """Keeps all values in their order; of equal ones the first is taken back."""

    def create(self) -> State:
        return [[], []]

    def accumulate(self, state: State, value: Any) -> None:
        values, missing = state
        if value in missing:
            missing.remove(value)
        else:
            values.append(value)

    def retract(self, state: State, value: Any) -> None:
        values, missing = state
        if value in values:
            values.remove(value)
        else:
            missing.append(value)

    def value(self, state: State) -> Any:
        values = state[0]
        if not values:
            return OF_NOTHING.get(self.call.name)
        match self.call.name:
            case "FIRST_VALUE":
                return values[0]
            case "LAST_VALUE":
                return values[-1]
            case "LISTAGG":
                separator: str = self.call.options[0] if self.call.options else ","
                return separator.join(values)
            case "SINGLE_VALUE":
                return single_value(values)
            case "COLLECT":
                return multiset(values)
            case "JSON_OBJECTAGG" | "JSON_ARRAYAGG" | "PERCENTILE":
                return collected(self.call.name, values, self.call.options)
        return list(values)


class Joined(OneValue):
    """``LISTAGG`` of values that stay: the text so far."""

    def accumulate(self, state: State, value: Any) -> None:
        separator = self.call.options[0] if self.call.options else ","
        state[0] = value if state[0] is None else f"{state[0]}{separator}{value}"


class Variance(Accumulator):
    """``VAR_POP`` and such by Welford's method: how many values, their mean, and how far they are from it."""

    def create(self) -> State:
        return [0, 0.0, 0.0]

    def accumulate(self, state: State, value: Any) -> None:
        count, mean, spread = state
        number, count = float(value), count + 1
        difference = number - mean
        mean += difference / count
        state[:] = count, mean, spread + difference * (number - mean)

    def retract(self, state: State, value: Any) -> None:
        count, mean, spread = state
        number, count = float(value), count - 1
        if not count:
            state[:] = 0, 0.0, 0.0
            return
        difference = number - mean
        mean -= difference / count
        state[:] = count, mean, spread - difference * (number - mean)

    def value(self, state: State) -> Any:
        count, _, spread = state
        return variance_of(count, spread, self.call)


class Distinct(Accumulator):
    """An aggregate of values that differ: how often there is each, and what the aggregate has seen."""

    def __init__(self, inner: Accumulator) -> None:
        super().__init__(inner.call)
        self.inner = inner

    def create(self) -> State:
        return [{}, self.inner.create()]

    def accumulate(self, state: State, value: Any) -> None:
        counts, inner = state
        counts[value] = counts.get(value, 0) + 1
        if counts[value] == 1:
            self.inner.accumulate(inner, value)
        elif not counts[value]:
            del counts[value]

    def retract(self, state: State, value: Any) -> None:
        counts, inner = state
        counts[value] = counts.get(value, 0) - 1
        if not counts[value]:
            del counts[value]
            self.inner.retract(inner, value)

    def value(self, state: State) -> Any:
        return self.inner.value(state[1])


class Own(Accumulator):
    """An aggregate of the program's own: its accumulator."""

    def __init__(self, call: RowCall) -> None:
        super().__init__(call)
        self.function = OwnAggregate(call)

    def create(self) -> State:
        return [self.function.create()]

    def accumulate(self, state: State, value: Any) -> None:
        self.function.accumulate(state[0], value)

    def retract(self, state: State, value: Any) -> None:
        self.function.retract(state[0], value)

    def value(self, state: State) -> Any:
        return self.function.value(state[0])


class Accumulators:
    """The aggregates of a group, over tuples.

    Args:
        calls: The aggregates.
        retracts: Whether tuples may be taken back.

    Example:
        >>> sums = Accumulators([RowCall("SUM", (0,), t.IntType())], retracts=True)
        >>> states = sums.create()
        >>> for number in 3, 4:
        ...     sums.accumulate(states, (number,))
        >>> sums.retract(states, (3,))
        >>> sums.values(states)
        (4,)
    """

    def __init__(self, calls: Sequence[RowCall], *, retracts: bool) -> None:
        self._calls = list(calls)
        self._parts = [_accumulator(call, retracts=retracts) for call in calls]
        inner = [part.inner if isinstance(part, Distinct) else part for part in self._parts]
        self._own = [part.function for part in inner if isinstance(part, Own)]

    def open(self, context: OperatorContext) -> None:
        """Open the functions of the program's own."""
        self.open_in(context.runtime_context, context.name)

    def open_in(self, runtime_context: RuntimeContext, name: str) -> None:
        """The same for an operator of that name."""
        for function in self._own:
            function.open(runtime_context, name)

    def close(self) -> None:
        """Close them."""
        for function in self._own:
            function.close()

    def create(self) -> list[State]:
        """The states of a group without values, one for each part."""
        return [part.create() for part in self._parts]

    def accumulate(self, states: list[State], row: Sequence[Any]) -> None:
        """Take a tuple."""
        for call, part, state in zip(self._calls, self._parts, states, strict=True):
            counted = call.counted(row)
            if counted is not None:
                part.accumulate(state, counted[0])

    def retract(self, states: list[State], row: Sequence[Any]) -> None:
        """Take a tuple back."""
        for call, part, state in zip(self._calls, self._parts, states, strict=True):
            counted = call.counted(row)
            if counted is not None:
                part.retract(state, counted[0])

    def values(self, states: list[State]) -> tuple[Any, ...]:
        """The results so far."""
        return tuple([part.value(state) for part, state in zip(self._parts, states, strict=True)])


def _accumulator(call: RowCall, *, retracts: bool) -> Accumulator:
    inner = _plain(call, retracts=retracts)
    return Distinct(inner) if call.distinct and (retracts or call.name not in ("MIN", "MAX")) else inner


def _plain(call: RowCall, *, retracts: bool) -> Accumulator:
    match call.name:
        case "USER_AGGREGATE":
            return Own(call)
        case "COUNT":
            return Count(call)
        case "SUM" | "SUM0":
            return Sum(call)
        case "AVG":
            return Average(call)
        case "MIN" | "MAX":
            return RetractableExtreme(call) if retracts and not call.grows else Extreme(call)
        case "FIRST_VALUE" | "LAST_VALUE":
            return Listed(call) if retracts else First(call)
        case "LISTAGG":
            return Listed(call) if retracts else Joined(call)
        case "COLLECT" | "ARRAY_AGG" | "SINGLE_VALUE" | "JSON_OBJECTAGG" | "JSON_ARRAYAGG" | "PERCENTILE":
            return Listed(call)
        case "LAG":
            return Lag(call)
    return Variance(call)


def _bounded(kind: DataType) -> Callable[[Any], Any]:
    """Give the function that keeps a sum within its type, as Java's arithmetic does."""
    if is_integer(kind):
        half = 1 << (BITS[type(kind)] - 1)
        return lambda total: (total + half) % (2 * half) - half
    if isinstance(kind, t.FloatType):
        return _single
    return lambda total: total


def _single(number: float) -> float:
    """A number in single precision."""
    try:
        found: float = struct.unpack("f", struct.pack("f", number))[0]
    except OverflowError:
        return math.copysign(math.inf, number)
    return found
