"""Relations as streams of tuples, made by the operators that there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from windrow.common.time import Time
from windrow.common.watermark_strategy import WatermarkStrategy
from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.program import factory
from windrow.datastream.window import GlobalWindows, TumblingEventTimeWindows, TumblingProcessingTimeWindows
from windrow.errors import ConfigurationError
from windrow.expressions import logical_types as lt
from windrow.expressions.logical_types import BIGINT, DAY_TIME
from windrow.expressions.nodes import (
    DRAWS_LOTS,
    USERS,
    Call,
    Expression,
    InputRef,
    Literal,
    Timestamp,
    calls_own,
    references,
    shifted,
    substituted,
    walk,
)
from windrow.operators.column_folds.field_folds import FieldFolds
from windrow.operators.table.calc import CalcOperator
from windrow.operators.table.clock_windows import WindowBounds
from windrow.operators.table.collected import OF_NOTHING
from windrow.operators.table.default_row import DefaultRowOperator
from windrow.operators.table.first_rows import FirstRows
from windrow.operators.table.row_aggregates import OwnRowAggregates, RowAggregates
from windrow.operators.table.row_times import RowTimes
from windrow.operators.table.session_rows import SessionRows
from windrow.operators.table.top_rows import TopRows
from windrow.operators.table.window_table import WindowTableOperator
from windrow.sql.calc import Calc, calc_of, identity
from windrow.sql.plan import (
    CURRENT_WATERMARK,
    PROCTIME,
    Aggregate,
    AssignTime,
    Column,
    Correlate,
    Filter,
    FlatAggregate,
    IntervalJoin,
    Join,
    Limit,
    LookupJoin,
    Normalize,
    Over,
    OverRows,
    Project,
    RegularJoin,
    Relation,
    Replicate,
    RowNumber,
    Scan,
    Sort,
    TemporalJoin,
    Union,
    Values,
    WindowColumns,
    WindowTable,
    functions_in,
    readers_of,
)
from windrow.sql.ranks import asks_for_numbers, is_by_time, is_in_windows, rank_range
from windrow.table.changelog_mode import ROW_KIND
from windrow.table.connectors.table_connector import TableConnector
from windrow.table.data_types import DataType, LocalZonedTimestampType
from windrow.table.planner.aggregates import folds_of, row_calls
from windrow.table.planner.assigners import assigner_of, windows_say_bounds
from windrow.table.planner.by_clock import refuse_by_clock, refuse_in_batch, refuse_open_windows
from windrow.table.planner.calls import CLOCK, MOMENTARY, refuse_calls
from windrow.table.planner.changelogs import (
    fields_of,
    group_aggregate,
    kind_of,
    normalized,
    numbered_by_time,
    over_aggregate,
    refuse_changes,
    top_rows,
)
from windrow.table.planner.correlate import correlate, replicated
from windrow.table.planner.emitting import latest_results, with_emit
from windrow.table.planner.flat_aggregate import flat_aggregate
from windrow.table.planner.joins import joined
from windrow.table.planner.keys import key_of
from windrow.table.planner.moments import in_milliseconds, last_moment
from windrow.table.planner.over_rows import over_rows
from windrow.table.planner.own_functions import check_merges, own_functions
from windrow.table.planner.pushdown import before_pairs
from windrow.table.planner.sorting import sorted_rows
from windrow.table.planner.temporal_joins import lookup_join, temporal_join
from windrow.table.planner.watermarks import Behind
from windrow.table.planner.window_changes import changes_folded, check_windows

_MOMENT = lt.TIMESTAMP_3.not_null()
_LONG = BIGINT.not_null()


class Lowering:
    """Makes streams of relations; a relation that is named more than once is one stream, as in Flink's plans.

    Args:
        environment: Where streams begin.
        streaming: Whether results change with each row where there is no window; else there is one at the end.
        roots: The relations that streams are made of.
        idle_timeout: After how many milliseconds without rows a table's split holds no watermark back; 0: never.
    """

    def __init__(
        self, environment: Any, roots: Sequence[Relation] = (), *, streaming: bool = True, idle_timeout: int = 0
    ) -> None:
        self._environment = environment
        self._readers = readers_of(roots)
        #: Whether it is a stream that is read; else tables, at once.
        self.streaming = streaming
        self._idle_timeout = idle_timeout
        #: The streams of relations that give the same rows to whoever reads them, by identity.
        self._made: dict[int, tuple[Relation, DataStream]] = {}
        #: What streams of windows' results are calculated of, by identity.
        self._results: dict[int, tuple[DataStream, DataStream, list[DataType], list[Expression]]] = {}

    def stream(self, relation: Relation) -> DataStream:
        """The rows of a relation, as tuples.

        Raises:
            ConfigurationError: there is no operator for what it asks for.
        """
        if id(relation) in self._made:
            return self._made[id(relation)][1]
        stream = self._stream(relation)
        if not (MOMENTARY | DRAWS_LOTS) & functions_in(relation):
            self._made[id(relation)] = relation, stream
        return stream

    def _stream(self, relation: Relation) -> DataStream:
        refuse_calls(relation)
        match relation:
            case Scan():
                stream: DataStream = relation.source.stream(self._environment)
                return stream
            case Values():
                return self._values(relation)
            case Project() | Filter():
                return self._calc(self._before_pairs(relation, calc_of(relation)))
            case AssignTime():
                return self._assign_time(relation)
            case Normalize():
                return normalized(self, relation)
            case WindowTable():
                return self._window_table(relation)
            case Aggregate():
                return self._aggregate(relation)
            case Correlate():
                return correlate(self, relation)
            case Replicate():
                return replicated(self, relation)
            case Over():
                return over_aggregate(self, relation)
            case FlatAggregate():
                return flat_aggregate(self, relation)
            case OverRows():
                return over_rows(self, relation)
            case Union():
                first, *others = [self._side_of_union(relation, each) for each in relation.relations]
                return first.union(*others)
            case Join() | IntervalJoin() | RegularJoin():
                if not isinstance(relation, RegularJoin):
                    refuse_changes(relation)
                calc = before_pairs(identity(relation))
                if calc.base is not relation:
                    return self._calc(calc)
                return joined(self, relation)
            case TemporalJoin():
                return temporal_join(self, relation)
            case LookupJoin():
                return lookup_join(self, relation)
            case Limit():
                refuse_changes(relation)
                keyed = self.stream(relation.input).key_by(lambda _: 0)
                return keyed.process(FirstRows(relation.count, relation.offset)).set_parallelism(1)
            case Sort():
                refuse_changes(relation)
                return sorted_rows(self, relation)
            case RowNumber():
                return numbered_by_time(self, relation)
        msg = f"there is no operator for {type(relation).__name__}"
        raise ConfigurationError(msg)

    # Columns

    def columns_of(self, relation: Relation) -> Calc:
        """A relation as expressions over one that can be made into a stream by itself."""
        calc = calc_of(relation)
        return identity(relation) if isinstance(calc.base, RowNumber) else self._before_pairs(relation, calc)

    def _before_pairs(self, relation: Relation, calc: Calc) -> Calc:
        """With less in its join, unless others read what it is made of: then there is one join for all of them."""
        if relation is calc.base:
            return calc
        while relation is not calc.base:
            (relation,) = relation.inputs
            if self._readers[id(relation)] > 1:
                return calc
        return before_pairs(calc)

    def _side_of_union(self, relation: Union, side: Relation) -> DataStream:
        """The rows of one side, which have a kind if those of another side have one."""
        stream = self.stream(side)
        if side.changes or not relation.changes:
            return stream
        types = types_of(side.columns)
        every = [InputRef(place, kind) for place, kind in enumerate(types)]
        return self.calculated(stream, types, [*every, Literal(0, ROW_KIND)])

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
        called = {part.name for each in every for part in walk(each) if isinstance(part, Call)}
        if CURRENT_WATERMARK in called:
            refuse_in_batch(self.streaming, f"watermarks ({CURRENT_WATERMARK})")
        looks = bool(CLOCK & called)
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
        expressions = [*calc.expressions, *kind_of(calc.base)]
        condition, types = calc.condition, fields_of(calc.base)
        if id(stream) in self._results and self._readers[id(calc.base)] == 1:
            # Of a window's results only what is asked for is calculated.
            stream, types, results = self._results[id(stream)][1:]
            expressions = [substituted(each, results) for each in expressions]
            condition = None if condition is None else substituted(condition, results)
        return self.calculated(stream, types, expressions, condition)

    def _results_of(self, folded: Folded, keys: Sequence[Expression]) -> DataStream:
        """Keys, then aggregates."""
        expressions = [*keys, *folded.results]
        stream = self.calculated(folded.stream, folded.types, expressions)
        self._results[id(stream)] = stream, folded.stream, folded.types, expressions
        return stream

    def _values(self, relation: Values) -> DataStream:
        import numpy as np

        from windrow.expressions.evaluation import Input, evaluate

        stream: DataStream
        if any(calls_own(each) for row in relation.rows for each in row):
            # Functions are opened where the job runs.
            one = self._environment.from_collection([(0,)])
            stream, *others = [self.calculated(one, [lt.INT.not_null()], row) for row in relation.rows]
            return stream.union(*others) if others else stream
        nothing = Input([], np.zeros(1, np.int64))
        rows = [tuple([evaluate(each, nothing).to_pylist()[0] for each in row]) for row in relation.rows]
        stream = self._environment.from_collection(rows)
        return stream

    def _assign_time(self, relation: AssignTime) -> DataStream:
        calc = self.columns_of(relation.input)
        time = calc.expressions[relation.time]
        types, expressions = fields_of(calc.base), [*calc.expressions, *kind_of(calc.base)]
        strategy = WatermarkStrategy.for_generator(Behind(relation.delay))
        if self._idle_timeout:
            strategy = strategy.with_idleness(Time.milliseconds(self._idle_timeout))
        stream = self._stream_with_time(calc.base, strategy, time)
        if stream is not None:
            return self.calculated(stream, types, expressions, calc.condition)
        stream = self.calculated(self.stream(calc.base), types, expressions, calc.condition, time)
        return stream.assign_timestamps_and_watermarks(strategy)

    def _stream_with_time(self, base: Relation, strategy: WatermarkStrategy, time: Expression) -> DataStream | None:
        """The rows with watermarks for each split; None: the source has none, or does not know the time."""
        called = {part.name for part in walk(time) if isinstance(part, Call)}
        if not (isinstance(base, Scan) and isinstance(base.source, TableConnector)) or called & (USERS | MOMENTARY):
            return None
        timed = strategy.with_timestamp_assigner(RowTimes(types_of(base.columns), time))
        return base.source.stream_with_time(self._environment, timed)

    # Windows

    def _window_table(self, relation: WindowTable) -> DataStream:
        refuse_changes(relation)
        calc = self.columns_of(relation.input)
        types, of = types_of(relation.columns), relation.of
        time = calc.expressions[relation.time]
        if of.by_clock:
            refuse_in_batch(self.streaming, "windows of processing time")
            time = Call(PROCTIME, (), time.type)
        stream = self.calculated(
            self.stream(calc.base), types_of(calc.base.columns), calc.expressions, calc.condition, time
        )
        if of.kind == "SESSION":
            inner = types[:-3]
            keys = [InputRef(place, inner[place]) for place in of.partition]
            references_ = [InputRef(place, kind) for place, kind in enumerate(inner)]
            keyed = self.calculated(stream, inner, [key_of(keys), *references_])
            windows = keyed.key_by(0).window(assigner_of(of))
            zoned = isinstance(types[-1], LocalZonedTimestampType)
            made = windows.process(SessionRows(zoned=zoned, zone=of.zone))
        else:
            make = factory(WindowTableOperator, types, of.kind, of.size, of.slide, of.offset, of.zone)
            made = stream._transform("Window Table Function", make, None, stateless=True, convert=False)
        if not of.by_clock:
            return made
        every = [InputRef(place, kind) for place, kind in enumerate(types[:-1])]
        return self.calculated(made, types, [*every, Call(PROCTIME, (), types[-1])])

    def _aggregate(self, relation: Aggregate) -> DataStream:
        if relation.changes and relation.emit is None:
            return group_aggregate(self, relation)
        refuse_changes(relation)
        if not relation.windowed:
            return self._at_the_end(relation)
        calc = self.columns_of(relation.input)
        if isinstance(calc.base, WindowTable) and self._is_direct(relation, calc, calc.base):
            made = self._windowed(relation, calc, calc.base)
            return made if relation.emit is None else latest_results(self, relation, made)
        if relation.emit is not None:
            msg = (
                "results before a window's end, or behind it, are those of TUMBLE and HOP in GROUP BY, over columns of "
                "rows and not of the window: compute with window_start and window_end behind it"
            )
            raise ConfigurationError(msg)
        assert relation.window is not None
        assert relation.window.end is not None
        bounds = _bounds_of_time(relation.window)
        keys = {place: calc.expressions[place] for place in relation.keys if place not in bounds}
        time: Expression | None = None
        assigner: Any = TumblingProcessingTimeWindows.of(Time.milliseconds(1))  # what a window gives comes in one batch
        if relation.window.window.by_clock:
            refuse_open_windows(relation)
        else:
            time = last_moment(calc.expressions[relation.window.end], relation.window.window)
            assigner = TumblingEventTimeWindows.of(Time.milliseconds(1))
        folded = self._folded(self.stream(calc.base), calc, relation, list(keys.values()), assigner, time)
        found = bounds | {place: InputRef(1 + number, key.type) for number, (place, key) in enumerate(keys.items())}
        return self._results_of(folded, [found[place] for place in relation.keys])

    def _at_the_end(self, relation: Aggregate) -> DataStream:
        """Groups of all rows, once there are all (batch mode)."""
        calc = self.columns_of(relation.input)
        keys = [calc.expressions[place] for place in relation.keys]
        everything = GlobalWindows.create_with_end_of_stream_trigger()
        folded = self._folded(self.stream(calc.base), calc, relation, keys, everything, None)
        made = self._results_of(folded, [InputRef(1 + place, key.type) for place, key in enumerate(keys)])
        if keys:
            return made
        none = tuple([0 if call.name in ("COUNT", "SUM0") else OF_NOTHING.get(call.name) for call in relation.calls])
        make = factory(DefaultRowOperator, none)
        return made.global_()._transform("Default Row", make, None, stateless=False, convert=False).set_parallelism(1)

    def _is_direct(self, relation: Aggregate, calc: Calc, base: WindowTable) -> bool:
        """Tell whether rows can be put into windows while they are aggregated."""
        first = len(base.columns) - 3
        keys = [calc.expressions[place] for place in relation.keys]
        others = [key for key in keys if not _is_window_column(key, first)]
        used = references([*others, *_arguments(relation, calc), *([] if calc.condition is None else [calc.condition])])
        is_shifted = base.of.zone is not None and base.of.kind != "SESSION"
        # Of those of a zone one result is computed on columns; windows that give several have to be there themselves.
        is_put_in = (base.of.kind == "CUMULATE" or (is_shifted and relation.emit is None)) and not base.of.by_clock
        if is_put_in or any(place >= first for place in used):
            return False
        if base.of.kind == "SESSION" and not base.of.grouped:
            places = {key.index for key in others if isinstance(key, InputRef)}
            return places == set(base.of.partition) and len(places) == len(others)
        return True

    def _windowed(self, relation: Aggregate, calc: Calc, base: WindowTable) -> DataStream:
        first = len(base.columns) - 3
        check_windows(relation, base)
        below = self.columns_of(base.input)
        over = [*below.expressions, *[Literal(None, lt.NULL)] * 3]
        condition = None if calc.condition is None else substituted(calc.condition, over)
        if below.condition is not None:
            condition = below.condition if condition is None else Call("AND", (below.condition, condition), lt.BOOLEAN)
        all_keys = [calc.expressions[place] for place in relation.keys]
        keys = [substituted(key, over) for key in all_keys if not _is_window_column(key, first)]
        inner = Calc(below.base, [substituted(each, over) for each in calc.expressions], condition)
        time = None if base.of.by_clock else below.expressions[base.time]
        if base.of.by_clock:
            refuse_in_batch(self.streaming, "windows of processing time")
        stream = self.stream(below.base)
        says = windows_say_bounds(base.of)
        is_session = base.of.kind == "SESSION"
        starts = is_session and not says
        folded = self._folded(stream, inner, relation, keys, assigner_of(base.of), time, starts=starts, says=says)
        end: Expression = Call("TIME +", (Timestamp(_MOMENT), Literal(1, DAY_TIME.not_null())), _MOMENT)
        if folded.end is not None:
            end = Call("$OF_MILLISECONDS", (folded.end,), _MOMENT)
        if folded.start is not None:
            start: Expression = Call("$OF_MILLISECONDS", (folded.start,), _MOMENT)
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
                is_clock = base.of.by_clock and relation.emit is None  # results of a window differ in what they are of
                results.append(Call(PROCTIME, (), key.type) if is_clock else Timestamp(key.type))
        return self._results_of(folded, results)

    def _folded(
        self,
        stream: DataStream,
        calc: Calc,
        relation: Aggregate,
        keys: Sequence[Expression],
        assigner: Any,
        time: Expression | None,
        *,
        starts: bool = False,
        says: bool = False,
    ) -> Folded:
        """Elements of a key, keys and what is aggregated, combined in windows.

        With ``starts`` the time of the first of them is kept, with ``says`` windows give where they begin and end.
        """
        moment = [] if time is None or not starts else [in_milliseconds(time)]
        if calc.base.changes:
            left, of_left = changes_folded(self, stream, calc, relation, keys, assigner, time, moment)
            of_calls = [InputRef(1 + len(keys) + place, call.type) for place, call in enumerate(relation.calls)]
            return Folded(left, of_left, list(of_calls), InputRef(len(of_left) - 1, _LONG) if starts else None)
        bounds = WindowBounds() if says else None
        types = types_of(calc.base.columns)
        folds = folds_of(relation.calls, calc.expressions)
        head = [key_of(keys), *keys]
        if folds is not None:
            fields = [*head, *folds.fields, *moment]
            elements = self.calculated(stream, types, fields, calc.condition, time)
            kinds = [*["first"] * len(head), *folds.kinds, *["min"] * len(moment)]
            windows = with_emit(elements.key_by(0).window(assigner), relation)
            reduced = windows.reduce(FieldFolds(kinds, len(head)), bounds)
            folded_types = [*[each.type for each in head], *folds.types, *[each.type for each in moment]]
            results = [shifted(each, len(head)) for each in folds.results]
        else:
            needed, calls = row_calls(relation.calls, len(head))
            given = [calc.expressions[each.index] for each in needed if isinstance(each, InputRef)]
            fields = [*head, *given, *moment]
            elements = self.calculated(stream, types, fields, calc.condition, time)
            least = [len(fields) - 1] if starts else []
            windows = with_emit(elements.key_by(0).window(assigner), relation)
            make = OwnRowAggregates if own_functions(calls) else RowAggregates
            check_merges(calls, assigner)
            reduced = windows.aggregate(make(len(head), calls, least), bounds)
            made = [call.type for call in relation.calls]
            folded_types = [*[each.type for each in head], *made, *[each.type for each in moment]]
            results = [InputRef(len(head) + place, kind) for place, kind in enumerate(made)]
        folded_types += [BIGINT.not_null()] * (2 * says)
        start = InputRef(len(folded_types) - 1 - says, BIGINT.not_null()) if starts or says else None
        end = InputRef(len(folded_types) - 1, BIGINT.not_null()) if says else None
        return Folded(reduced, folded_types, results, start, end)

    def _top_rows(self, calc: Calc, base: RowNumber) -> DataStream:
        every_row = not asks_for_numbers(calc.condition, base)
        if every_row and (self.streaming or is_by_time(base)):
            expressions = [*calc.expressions, *kind_of(base)]
            return self.calculated(self.stream(base), fields_of(base), expressions, calc.condition)
        if not is_in_windows(base) and self.streaming:
            return top_rows(self, calc, base)
        refuse_changes(base)
        chosen = rank_range(calc.condition, len(base.columns) - 1)
        if chosen.most is None and self.streaming:
            msg = "ROW_NUMBER() OVER (...) is for the first rows: write WHERE number <= N around it"
            raise ConfigurationError(msg)
        types = types_of(base.input.columns)
        every = [InputRef(place, kind) for place, kind in enumerate(types)]
        time: Expression | None = None
        assigner: Any = GlobalWindows.create_with_end_of_stream_trigger()
        if is_in_windows(base):
            window = base.input.window
            assert window is not None
            refuse_by_clock(window.window, "ROW_NUMBER() within windows")
            assert window.end is not None
            time = last_moment(every[window.end], window.window)
            assigner = TumblingEventTimeWindows.of(Time.milliseconds(1))
        key = key_of([every[place] for place in base.partition])
        stream = self.calculated(self.stream(base.input), types, [key, *every], None, time)
        order = [(each.index + 1, each.descending, each.nulls_first) for each in base.order]
        ranked = stream.key_by(0).window(assigner).process(TopRows(order, chosen.most, [key.type, *types]))
        of_ranked = [key.type, *types, BIGINT.not_null()]
        expressions = [shifted(each, 1) for each in calc.expressions]
        condition = None if calc.condition is None else shifted(calc.condition, 1)
        return self.calculated(ranked, of_ranked, expressions, condition)


def _bounds_of_time(window: WindowColumns) -> dict[int, Expression]:
    """Columns that say which window a row is of, by the time of its rows, where that says it: the window's last moment.

    As local times they are that in UTC alone.
    """
    of = window.window
    if of.by_clock or of.kind == "SESSION" or of.zone not in (None, "UTC"):
        return {}
    end = Call("TIME +", (Timestamp(_MOMENT), Literal(1, DAY_TIME.not_null())), _MOMENT)
    start = Call("TIME -", (end, Literal(of.size, DAY_TIME.not_null())), _MOMENT)
    if of.kind == "CUMULATE":
        time, size = Timestamp(_LONG), Literal(of.size, _LONG)
        since = Call("%", (Call("-", (time, Literal(of.offset, _LONG)), _LONG), size), _LONG)  # below 0 before 1970
        since = Call("%", (Call("+", (since, size), _LONG), size), _LONG)
        start = Call("$OF_MILLISECONDS", (Call("-", (time, since), _LONG),), _MOMENT)
    return {place: bound for place, bound in ((window.start, start), (window.end, end)) if place is not None}


@dataclass
class Folded:
    """The stream of what windows have made of elements.

    Attributes:
        types: Of its fields.
        results: The aggregates, over its fields.
        start: The field with the time at which the window begins, in milliseconds; None: there is none.
        end: The same for its end.
    """

    stream: DataStream
    types: list[DataType]
    results: list[Expression]
    start: Expression | None
    end: Expression | None = None


def types_of(columns: Sequence[Column]) -> list[DataType]:
    """The types of columns."""
    return [column.type for column in columns]


def _shown_in(time: Expression, zone: str) -> Expression:
    """Express what clocks show in a zone at a time that is UTC."""
    moment = Call("CAST", (time,), lt.TIMESTAMP_LTZ_3.not_null(), ("UTC",))
    return Call("CAST", (moment,), _MOMENT, (zone,))


def _is_window_column(key: Expression, first: int) -> bool:
    return isinstance(key, InputRef) and key.index >= first


def _arguments(relation: Aggregate, calc: Calc) -> list[Expression]:
    places = {place for call in relation.calls for place in call.arguments}
    places |= {call.filter for call in relation.calls if call.filter is not None}
    return [calc.expressions[place] for place in sorted(places)]
