"""Relations as streams of tuples, made by the operators that there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from windrow.common.time import Time
from windrow.common.watermark_generators import BoundedOutOfOrdernessWatermarks
from windrow.common.watermark_strategy import WatermarkStrategy
from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.program import factory
from windrow.datastream.window import EventTimeSessionWindows, SlidingEventTimeWindows, TumblingEventTimeWindows
from windrow.errors import ConfigurationError
from windrow.expressions import logical_types as lt
from windrow.expressions.logical_types import BIGINT, DAY_TIME
from windrow.expressions.nodes import (
    Call,
    Expression,
    InputRef,
    Literal,
    Timestamp,
    references,
    shifted,
    substituted,
    walk,
)
from windrow.operators.table.calc import CalcOperator
from windrow.operators.table.field_folds import FieldFolds
from windrow.operators.table.first_rows import FirstRows
from windrow.operators.table.joins import Condition, PairsWithin, WindowJoin
from windrow.operators.table.row_aggregates import RowAggregates
from windrow.operators.table.session_rows import SessionRows
from windrow.operators.table.top_rows import TopRows
from windrow.operators.table.window_table import WindowTableOperator
from windrow.sql.plan import (
    Aggregate,
    AssignTime,
    Column,
    Filter,
    IntervalJoin,
    Join,
    Limit,
    Project,
    Relation,
    RowNumber,
    Scan,
    Union,
    Values,
    Window,
    WindowTable,
)
from windrow.table.data_types import DataType, LocalZonedTimestampType
from windrow.table.planner.aggregates import folds_of, row_calls

_MOMENT = lt.TIMESTAMP_3.not_null()
_CLOCK = frozenset({"NOW", "PROCTIME"})


@dataclass
class Calc:
    """Expressions over the columns of a relation, for the rows that a condition chooses."""

    base: Relation
    expressions: list[Expression]
    condition: Expression | None

    def references(self) -> set[int]:
        """The places of the base's columns that are used."""
        condition = [] if self.condition is None else [self.condition]
        return references([*self.expressions, *condition])


def calc_of(relation: Relation) -> Calc:
    """A relation as expressions over the first one below that is no projection and no filter."""
    if isinstance(relation, Project):
        below = calc_of(relation.input)
        return Calc(
            below.base, [substituted(each, below.expressions) for each in relation.expressions], below.condition
        )
    if isinstance(relation, Filter):
        below = calc_of(relation.input)
        condition = substituted(relation.condition, below.expressions)
        if below.condition is not None:
            condition = Call("AND", (below.condition, condition), lt.BOOLEAN)
        return Calc(below.base, below.expressions, condition)
    return Calc(relation, [InputRef(place, column.type) for place, column in enumerate(relation.columns)], None)


class Lowering:
    """Makes streams of relations.

    Args:
        environment: Where streams begin.
    """

    def __init__(self, environment: Any) -> None:
        self._environment = environment

    def stream(self, relation: Relation) -> DataStream:
        """The rows of a relation, as tuples.

        Raises:
            ConfigurationError: there is no operator for what it asks for.
        """
        match relation:
            case Scan():
                stream: DataStream = relation.source.stream(self._environment)
                return stream
            case Values():
                return self._values(relation)
            case Project() | Filter():
                return self._calc(calc_of(relation))
            case AssignTime():
                return self._assign_time(relation)
            case WindowTable():
                return self._window_table(relation)
            case Aggregate():
                return self._aggregate(relation)
            case Union():
                first, *others = [self.stream(each) for each in relation.relations]
                return first.union(*others)
            case Join():
                return self._window_join(relation)
            case IntervalJoin():
                return self._interval_join(relation)
            case Limit():
                keyed = self.stream(relation.input).key_by(lambda _: 0)
                return keyed.process(FirstRows(relation.count)).set_parallelism(1)
            case RowNumber():
                msg = (
                    "ROW_NUMBER() OVER (...) is supported for the first rows of each window: write "
                    "WHERE number <= N around it"
                )
                raise ConfigurationError(msg)
        msg = f"there is no operator for {type(relation).__name__}"
        raise ConfigurationError(msg)

    # Columns

    def calculated(
        self,
        stream: DataStream,
        types: Sequence[DataType],
        expressions: Sequence[Expression],
        condition: Expression | None = None,
        time: Expression | None = None,
    ) -> DataStream:
        """A stream of tuples of expressions over tuples."""
        make = factory(CalcOperator, list(types), list(expressions), condition, time)
        every = [*expressions, *[each for each in (condition, time) if each is not None]]
        looks = any(isinstance(part, Call) and part.name in _CLOCK for each in every for part in walk(each))
        return stream._transform("Calc", make, None, stateless=True, convert=False, uses_processing_time=looks)

    def _calc(self, calc: Calc) -> DataStream:
        if isinstance(calc.base, RowNumber):
            return self._top_rows(calc, calc.base)
        columns = calc.base.columns
        is_same = calc.condition is None and len(columns) == len(calc.expressions)
        if is_same and all(
            isinstance(each, InputRef) and each.index == place for place, each in enumerate(calc.expressions)
        ):
            return self.stream(calc.base)
        stream = self.stream(calc.base)
        return self.calculated(stream, types_of(columns), calc.expressions, calc.condition)

    def _values(self, relation: Values) -> DataStream:
        import numpy as np

        from windrow.expressions.evaluation import Input, evaluate

        nothing = Input([], np.zeros(1, np.int64))
        rows = [tuple([evaluate(each, nothing).to_pylist()[0] for each in row]) for row in relation.rows]
        stream: DataStream = self._environment.from_collection(rows)
        return stream

    def _assign_time(self, relation: AssignTime) -> DataStream:
        calc = calc_of(relation.input)
        time = calc.expressions[relation.time]
        types = types_of(calc.base.columns)
        stream = self.calculated(self.stream(calc.base), types, calc.expressions, calc.condition, time)
        strategy = WatermarkStrategy.for_generator(Behind(relation.delay))
        return stream.assign_timestamps_and_watermarks(strategy)

    # Windows

    def _window_table(self, relation: WindowTable) -> DataStream:
        self._check_event_time(relation)
        calc = calc_of(relation.input)
        stream = self.calculated(
            self.stream(calc.base),
            types_of(calc.base.columns),
            calc.expressions,
            calc.condition,
            calc.expressions[relation.time],
        )
        types, of = types_of(relation.columns), relation.of
        if of.kind == "SESSION":
            inner = types[:-3]
            keys = [InputRef(place, inner[place]) for place in of.partition]
            references_ = [InputRef(place, kind) for place, kind in enumerate(inner)]
            keyed = self.calculated(stream, inner, [key_of(keys), *references_])
            windows = keyed.key_by(0).window(EventTimeSessionWindows.with_gap(Time.milliseconds(of.size)))
            zoned = isinstance(types[-1], LocalZonedTimestampType)
            return windows.process(SessionRows(zoned=zoned, zone=of.zone))
        make = factory(WindowTableOperator, types, of.kind, of.size, of.slide, of.offset, of.zone)
        return stream._transform("Window Table Function", make, None, stateless=True, convert=False)

    def _check_event_time(self, relation: WindowTable) -> None:
        column = relation.input.columns[relation.time]
        if column.proctime:
            msg = f"{relation.of.kind} by processing time ({column.name!r}) is not supported yet: take event time"
            raise ConfigurationError(msg)

    def _aggregate(self, relation: Aggregate) -> DataStream:
        if relation.changes or relation.input.changes:
            msg = (
                "GROUP BY without a window gives a result that changes with each row, and is not supported yet: group "
                "by window_start and window_end of TUMBLE, HOP, CUMULATE or SESSION as well"
            )
            raise ConfigurationError(msg)
        calc = calc_of(relation.input)
        if isinstance(calc.base, WindowTable) and self._is_direct(relation, calc, calc.base):
            return self._windowed(relation, calc, calc.base)
        assert relation.window is not None
        assert relation.window.end is not None
        end = calc.expressions[relation.window.end]
        time = last_moment(end, relation.window.window)
        keys = [calc.expressions[place] for place in relation.keys]
        assigner = TumblingEventTimeWindows.of(Time.milliseconds(1))
        stream = self.stream(calc.base)
        folded = self._folded(stream, calc, relation, keys, assigner, time)
        results = [InputRef(1 + place, key.type) for place, key in enumerate(keys)]
        return folded.calculated(self, results)

    def _is_direct(self, relation: Aggregate, calc: Calc, base: WindowTable) -> bool:
        """Whether rows can be put into windows while they are aggregated."""
        first = len(base.columns) - 3
        keys = [calc.expressions[place] for place in relation.keys]
        others = [key for key in keys if not _is_window_column(key, first)]
        used = references([*others, *_arguments(relation, calc), *([] if calc.condition is None else [calc.condition])])
        is_shifted = base.of.zone is not None and base.of.kind != "SESSION"
        if base.of.kind == "CUMULATE" or is_shifted or any(place >= first for place in used):
            return False
        if base.of.kind == "SESSION" and not base.of.grouped:
            places = {key.index for key in others if isinstance(key, InputRef)}
            return places == set(base.of.partition) and len(places) == len(others)
        return True

    def _windowed(self, relation: Aggregate, calc: Calc, base: WindowTable) -> DataStream:
        self._check_event_time(base)
        first = len(base.columns) - 3
        below = calc_of(base.input)
        over = [*below.expressions, *[Literal(None, lt.NULL)] * 3]
        condition = None if calc.condition is None else substituted(calc.condition, over)
        if below.condition is not None:
            condition = below.condition if condition is None else Call("AND", (below.condition, condition), lt.BOOLEAN)
        all_keys = [calc.expressions[place] for place in relation.keys]
        keys = [substituted(key, over) for key in all_keys if not _is_window_column(key, first)]
        inner = Calc(below.base, [substituted(each, over) for each in calc.expressions], condition)
        time = below.expressions[base.time]
        stream = self.stream(below.base)
        is_session = base.of.kind == "SESSION"
        folded = self._folded(stream, inner, relation, keys, assigner_of(base.of), time, starts=is_session)
        end: Expression = Call("TIME +", (Timestamp(_MOMENT), Literal(1, DAY_TIME.not_null())), _MOMENT)
        if is_session:
            start: Expression = Call("$OF_MILLISECONDS", (folded.start,), _MOMENT)  # type: ignore[arg-type]
            if base.of.zone is not None:
                start, end = (_shown_in(each, base.of.zone) for each in (start, end))
        else:
            start = Call("TIME -", (end, Literal(base.of.size, DAY_TIME.not_null())), _MOMENT)
        bounds = {first: start, first + 1: end}
        places = iter(range(1, 1 + len(keys)))
        results: list[Expression] = []
        for key in all_keys:
            if not _is_window_column(key, first):
                results.append(InputRef(next(places), key.type))
            elif isinstance(key, InputRef) and key.index in bounds:
                results.append(bounds[key.index])
            else:
                results.append(Timestamp(key.type))
        return folded.calculated(self, results)

    def _folded(
        self,
        stream: DataStream,
        calc: Calc,
        relation: Aggregate,
        keys: Sequence[Expression],
        assigner: Any,
        time: Expression,
        *,
        starts: bool = False,
    ) -> Folded:
        """Elements of a key, keys and what is aggregated, combined in windows."""
        types = types_of(calc.base.columns)
        folds = folds_of(relation.calls, calc.expressions)
        moment = [_in_milliseconds(time)] if starts else []
        head = [key_of(keys), *keys]
        if folds is not None:
            fields = [*head, *folds.fields, *moment]
            elements = self.calculated(stream, types, fields, calc.condition, time)
            kinds = [*["first"] * len(head), *folds.kinds, *["min"] * len(moment)]
            windows = elements.key_by(0).window(assigner)
            reduced = windows.reduce(FieldFolds(kinds))
            folded_types = [*[each.type for each in head], *folds.types, *[each.type for each in moment]]
            results = [shifted(each, len(head)) for each in folds.results]
        else:
            needed, calls = row_calls(relation.calls, len(head))
            given = [calc.expressions[each.index] for each in needed if isinstance(each, InputRef)]
            fields = [*head, *given, *moment]
            elements = self.calculated(stream, types, fields, calc.condition, time)
            least = [len(fields) - 1] if starts else []
            windows = elements.key_by(0).window(assigner)
            reduced = windows.aggregate(RowAggregates(len(head), calls, least))
            made = [call.type for call in relation.calls]
            folded_types = [*[each.type for each in head], *made, *[each.type for each in moment]]
            results = [InputRef(len(head) + place, kind) for place, kind in enumerate(made)]
        start = InputRef(len(folded_types) - 1, BIGINT.not_null()) if starts else None
        return Folded(reduced, folded_types, results, start)

    def _top_rows(self, calc: Calc, base: RowNumber) -> DataStream:
        number = len(base.columns) - 1
        count = None if calc.condition is None else first_rows(calc.condition, number)
        window = base.input.window
        if count is None:
            return self.stream(base)
        if window is None or window.end is None or not {window.start, window.end} <= set(base.partition):
            msg = (
                "ROW_NUMBER() is supported for the first rows of a window: PARTITION BY window_start, window_end of a "
                "window table function; over a whole table its result would change with each row"
            )
            raise ConfigurationError(msg)
        types = types_of(base.input.columns)
        every = [InputRef(place, kind) for place, kind in enumerate(types)]
        end = every[window.end]
        time = last_moment(end, window.window)
        key = key_of([every[place] for place in base.partition])
        stream = self.calculated(self.stream(base.input), types, [key, *every], None, time)
        order = [(each.index + 1, each.descending, each.nulls_first) for each in base.order]
        windows = stream.key_by(0).window(TumblingEventTimeWindows.of(Time.milliseconds(1)))
        ranked = windows.process(TopRows(order, count))
        of_ranked = [key.type, *types, BIGINT.not_null()]
        expressions = [shifted(each, 1) for each in calc.expressions]
        condition = None if calc.condition is None else shifted(calc.condition, 1)
        return self.calculated(ranked, of_ranked, expressions, condition)

    # Joins

    def _side(self, relation: Relation, keys: Sequence[int], time: Expression | None) -> DataStream:
        """The rows of one side of a join, behind their key."""
        calc = calc_of(relation)
        of_keys = [calc.expressions[place] for place in keys]
        stream = self.stream(relation) if isinstance(calc.base, RowNumber) else self.stream(calc.base)
        if isinstance(calc.base, RowNumber):
            every = [InputRef(place, column.type) for place, column in enumerate(relation.columns)]
            return self.calculated(
                stream, types_of(relation.columns), [key_of([every[k] for k in keys]), *every], None, time
            )
        if time is not None:
            time = substituted(time, calc.expressions)
        types = types_of(calc.base.columns)
        return self.calculated(stream, types, [key_of(of_keys), *calc.expressions], calc.condition, time)

    def _window_join(self, relation: Join) -> DataStream:
        sides = []
        for side, keys in ((relation.left, relation.left_keys), (relation.right, relation.right_keys)):
            assert side.window is not None
            assert side.window.end is not None
            end = InputRef(side.window.end, side.columns[side.window.end].type)
            time = last_moment(end, side.window.window)
            sides.append(self._side(side, keys, time))
        types = [*types_of(relation.left.columns), *types_of(relation.right.columns)]
        function = WindowJoin(
            relation.kind,
            (relation.left_keys, relation.right_keys),
            (len(relation.left.columns), len(relation.right.columns)),
            Condition(types, relation.condition),
        )
        both = sides[0].co_group(sides[1]).where(0).equal_to(0)
        return both.window(TumblingEventTimeWindows.of(Time.milliseconds(1))).apply(function)

    def _interval_join(self, relation: IntervalJoin) -> DataStream:
        left = self._side(relation.left, relation.left_keys, None).key_by(0)
        right = self._side(relation.right, relation.right_keys, None).key_by(0)
        types = [*types_of(relation.left.columns), *types_of(relation.right.columns)]
        function = PairsWithin(Condition(types, relation.condition), relation.left_keys)
        bounds = Time.milliseconds(relation.lower), Time.milliseconds(relation.upper)
        return left.interval_join(right).between(*bounds).process(function)


@dataclass
class Folded:
    """What windows have made of elements.

    Attributes:
        types: Of its fields.
        results: The aggregates, over its fields.
        start: The field with the time of a session's first element, in milliseconds; None: there is none.
    """

    stream: DataStream
    types: list[DataType]
    results: list[Expression]
    start: Expression | None

    def calculated(self, lowering: Lowering, keys: Sequence[Expression]) -> DataStream:
        """Keys, then aggregates."""
        return lowering.calculated(self.stream, self.types, [*keys, *self.results])


class Behind:
    """Makes generators of watermarks ``delay`` milliseconds behind the newest timestamp."""

    def __init__(self, delay: int) -> None:
        self._delay = delay

    def __call__(self) -> BoundedOutOfOrdernessWatermarks:
        return DelayedWatermarks(self._delay)


class DelayedWatermarks(BoundedOutOfOrdernessWatermarks):
    """Watermarks as SQL declares them: what is no later than the newest timestamp - ``delay`` has come."""

    def __init__(self, delay: int) -> None:
        super().__init__(max(delay, 0))
        self._bound = delay - 1


def types_of(columns: Sequence[Column]) -> list[DataType]:
    """The types of columns."""
    return [column.type for column in columns]


def key_of(keys: Sequence[Expression]) -> Expression:
    """One value for some: the number or text itself, where it is one, since windows find these on columns."""
    if not keys:
        return Literal(0, BIGINT.not_null())
    if len(keys) == 1 and lt.is_integer(keys[0].type):
        return Call("CAST", (keys[0],), lt.with_nullability(BIGINT, lt.may_be_null(keys[0].type)), ("UTC",))
    if len(keys) == 1 and lt.is_text(keys[0].type):
        return keys[0]
    return Call("$KEY", tuple(keys), lt.STRING.not_null())


def assigner_of(window: Window) -> Any:
    """The windows of the DataStream API."""
    size, offset = Time.milliseconds(window.size), window.offset
    if window.kind == "SESSION":
        return EventTimeSessionWindows.with_gap(size)
    if window.kind == "TUMBLE":
        return TumblingEventTimeWindows.of(size, Time.milliseconds(offset % window.size))
    return SlidingEventTimeWindows.of(size, Time.milliseconds(window.slide), Time.milliseconds(offset % window.slide))


def last_moment(end: Expression, window: Window) -> Expression:
    """The last millisecond of a window, of its end as rows have it."""
    if window.zone is not None:
        end = Call("CAST", (end,), lt.TIMESTAMP_LTZ_3, (window.zone,))
    return Call("TIME -", (end, Literal(1, DAY_TIME.not_null())), end.type)


def first_rows(condition: Expression, number: int) -> int | None:
    """How many rows a condition lets through, by their number in a column; None if it does not say it."""
    if not isinstance(condition, Call):
        return None
    if condition.name == "AND":
        found = [each for operand in condition.operands if (each := first_rows(operand, number)) is not None]
        return min(found, default=None)
    operands = [
        each.operands[0] if isinstance(each, Call) and "CAST" in each.name else each for each in condition.operands
    ]
    if len(operands) != 2 or condition.name not in ("<", "<=", "=", ">", ">="):
        return None
    name = condition.name
    if isinstance(operands[0], Literal):
        operands = operands[::-1]
        name = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(name, name)
    column, limit = operands
    if not isinstance(column, InputRef) or column.index != number or not isinstance(limit, Literal):
        return None
    if name in ("<=", "="):
        return int(limit.value)
    return int(limit.value) - 1 if name == "<" else None


def _shown_in(time: Expression, zone: str) -> Expression:
    """What clocks show in a zone at a time that is UTC."""
    moment = Call("CAST", (time,), lt.TIMESTAMP_LTZ_3.not_null(), ("UTC",))
    return Call("CAST", (moment,), _MOMENT, (zone,))


def _is_window_column(key: Expression, first: int) -> bool:
    return isinstance(key, InputRef) and key.index >= first


def _arguments(relation: Aggregate, calc: Calc) -> list[Expression]:
    places = {place for call in relation.calls for place in call.arguments}
    places |= {call.filter for call in relation.calls if call.filter is not None}
    return [calc.expressions[place] for place in sorted(places)]


def _in_milliseconds(time: Expression) -> Expression:
    ticks = Call("$TICKS", (time,), BIGINT.not_null())
    return Call("/", (ticks, Literal(1000, BIGINT.not_null())), BIGINT.not_null())
