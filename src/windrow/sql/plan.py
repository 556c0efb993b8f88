"""Relations: what a query asks for, with names and types known. Plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from windrow.expressions.nodes import USER_AGGREGATE, USER_DRAWS, Call, Expression, InputRef, walk
from windrow.table.data_types import DataType
from windrow.table.udf import UserDefinedTableAggregateFunctionWrapper

#: The function whose result is processing time as a time attribute.
PROCTIME = "PROCTIME"
#: The function that gives the watermark of rows that have event time.
CURRENT_WATERMARK = "CURRENT_WATERMARK"


@dataclass(frozen=True)
class Column:
    """A column of a relation.

    Attributes:
        rowtime: Whether it is the event time of the relation's rows.
        proctime: Whether it is the time at which it is looked at.
        lost: Why it is no time attribute any more.
    """

    name: str
    type: DataType
    rowtime: bool = False
    proctime: bool = False
    lost: str | None = None

    @property
    def is_time(self) -> bool:
        """True if windows can be made by it."""
        return self.rowtime or self.proctime


@dataclass(frozen=True)
class Window:
    """Windows of time: what a window table function is told.

    Attributes:
        kind: TUMBLE, HOP, CUMULATE or SESSION.
        size: How long they are at most, in milliseconds; of sessions the gap.
        slide: How far apart they begin (HOP), or how much longer each is (CUMULATE).
        offset: From when on they are counted.
        partition: Of sessions: the places of the columns whose values have sessions of their own.
        grouped: Of sessions: whether those are the keys of the group that it stands in.
        zone: The time zone in which windows begin and end, of points in time; None: they are local times, or UTC.
        by_clock: Whether they are windows of processing time.
    """

    kind: str
    size: int
    slide: int = 0
    offset: int = 0
    partition: tuple[int, ...] = ()
    grouped: bool = False
    zone: str | None = None
    by_clock: bool = False


@dataclass(frozen=True)
class Emit:
    """Says when windows give results besides their end, so that results are changes.

    Attributes:
        early: How long after each other before it, in milliseconds; 0: with each row; None: not.
        late: The same behind it.
        lateness: For how long behind it rows still count.
    """

    early: int | None
    late: int | None
    lateness: int


@dataclass(frozen=True)
class WindowColumns:
    """The columns in which a relation has the window of its rows; ``time`` None: not as a time attribute."""

    start: int | None
    end: int | None
    time: int | None
    window: Window


@dataclass(eq=False)
class Relation:
    """Rows of columns."""

    columns: list[Column]
    #: The window that each row belongs to, where it is known.
    window: WindowColumns | None = field(default=None, kw_only=True)
    #: Whether rows may take back others: then each has a kind, insertion, update or deletion.
    changes: bool = field(default=False, kw_only=True)
    #: The places of the columns that a table says to be its primary key: a newer row takes the place of an older one.
    key: tuple[int, ...] | None = field(default=None, kw_only=True)

    @property
    def inputs(self) -> Sequence[Relation]:
        """The relations that it is made of."""
        return ()


@dataclass(eq=False)
class Scan(Relation):
    """The rows of a table that somebody else knows how to read."""

    name: str
    source: Any


@dataclass(eq=False)
class Values(Relation):
    """Rows that stand in the statement."""

    rows: list[list[Expression]]


@dataclass(eq=False)
class OneInput(Relation):
    """Made of one relation."""

    input: Relation

    @property
    def inputs(self) -> Sequence[Relation]:
        return (self.input,)


@dataclass(eq=False)
class TwoInputs(Relation):
    """Made of two relations."""

    left: Relation
    right: Relation

    @property
    def inputs(self) -> Sequence[Relation]:
        return (self.left, self.right)


@dataclass(eq=False)
class Project(OneInput):
    """A column for each expression."""

    expressions: list[Expression]


@dataclass(eq=False)
class Filter(OneInput):
    """The rows for which the condition is true."""

    condition: Expression


@dataclass(eq=False)
class AssignTime(OneInput):
    """Rows get their event time from a column, and the relation watermarks ``delay`` milliseconds behind it."""

    time: int
    delay: int


@dataclass(eq=False)
class Normalize(OneInput):
    """Rows that take the place of each other, as changes that say what was there before.

    Attributes:
        keys: The places of the columns by which a row takes the place of another.
    """

    keys: list[int]


@dataclass(eq=False)
class WindowTable(OneInput):
    """Each row once for each window that it is in, with its start, end and time behind its columns."""

    time: int
    of: Window


@dataclass(frozen=True)
class AggregateCall:
    """An aggregate function of columns of the input.

    Attributes:
        filter: The place of a BOOLEAN column that says which rows count; None: all of them.
    """

    name: str
    arguments: tuple[int, ...]
    type: DataType
    distinct: bool = False
    filter: int | None = None
    options: tuple[Any, ...] = ()

    @property
    def shown(self) -> str:
        """Its name, as it is shown."""
        return str(self.options[0].name) if self.name == USER_AGGREGATE else self.name


@dataclass(eq=False)
class Aggregate(OneInput):
    """A row for each group: its keys, then its aggregates.

    Attributes:
        keys: The places of the columns that rows are grouped by.
        windowed: Whether these have the start and the end of a window, so that a group is complete when it is over.
        emit: When it gives results besides that; None: it does not.
    """

    keys: list[int]
    calls: list[AggregateCall]
    windowed: bool
    emit: Emit | None = None


@dataclass(frozen=True)
class Ordering:
    """By which column rows are put in order."""

    index: int
    descending: bool
    nulls_first: bool


@dataclass(eq=False)
class RowNumber(OneInput):
    """The number of each row in its partition, behind its columns."""

    partition: list[int]
    order: list[Ordering]


@dataclass(eq=False)
class Over(OneInput):
    """Aggregates behind the columns of each row, of rows of its partition that came up to it.

    Attributes:
        partition: The places of the columns that partitions are made by.
        time: The place of the time attribute that rows are ordered by.
        by_rows: Whether ``preceding`` counts rows; else milliseconds.
        preceding: How far back rows count; None: all do.
    """

    partition: list[int]
    time: int
    calls: list[AggregateCall]
    by_rows: bool
    preceding: int | None


@dataclass(frozen=True)
class Frame:
    """The rows that count for a row.

    Attributes:
        by_rows: Whether the bounds count rows; else how far values are from the row's, of times in milliseconds.
        start: Where it begins: below 0 before the row, None at the first one.
        end: Where it ends, which is included; None: at the last row.
    """

    by_rows: bool
    start: Any
    end: Any


@dataclass(eq=False)
class OverRows(OneInput):
    """An aggregate, or rank, behind the columns of each row, of the rows of its partition in an order (batch mode)."""

    partition: list[int]
    order: list[Ordering]
    call: AggregateCall
    frame: Frame


@dataclass(eq=False)
class FlatAggregate(OneInput):
    """The rows that a function gives for each group of rows: any number of them, behind the keys.

    Attributes:
        keys: How many of the input's columns are keys; the others are the function's arguments.
        function: The function.
    """

    keys: int
    function: UserDefinedTableAggregateFunctionWrapper


@dataclass(eq=False)
class Correlate(OneInput):
    """Each row beside each one that is made of it; of columns of the input that are not shown no more than that.

    Attributes:
        function: The table function; None: it is UNNEST.
        arguments: The places of what rows are made of.
        made: The columns of the made rows, the last ones of all.
        outer: Whether a row of which none is made stays, with NULL beside it.
        numbered: Of UNNEST: whether the last column is the number of the element.
        condition: What has to be true of a row and one that is made of it; None: nothing.
    """

    function: Any
    arguments: list[int]
    made: list[Column]
    outer: bool
    numbered: bool
    condition: Expression | None = None


@dataclass(eq=False)
class Replicate(OneInput):
    """Each row as often as the last column of the input says, which is not shown."""


@dataclass(eq=False)
class Union(Relation):
    """All rows of all relations."""

    relations: list[Relation]

    @property
    def inputs(self) -> Sequence[Relation]:
        return self.relations


@dataclass(eq=False)
class Join(TwoInputs):
    """Rows of two relations that fit.

    Attributes:
        kind: INNER, LEFT, RIGHT, FULL, SEMI, ANTI.
        left_keys: Places of columns of the left relation that have to be equal to those of ``right_keys``.
        condition: What else has to be true of the columns of both; None: nothing.
        windowed: Whether these are rows in the same windows; else all that there are, once there are all.
    """

    kind: str
    left_keys: list[int]
    right_keys: list[int]
    condition: Expression | None
    windowed: bool = True


@dataclass(eq=False)
class IntervalJoin(TwoInputs):
    """Pairs of rows with equal keys, the right one's time from ``lower`` to ``upper`` behind that of the left one.

    Attributes:
        lower: In milliseconds, as is ``upper``; both are included.
        condition: What else has to be true of the columns of both; None: nothing.
        by_clock: Whether a row's time is the processing time at which it comes.
        kind: INNER, LEFT, RIGHT or FULL.
        left_time: The place of the left relation's time if its rows may have had another one since; else None.
        right_time: The same of the right relation.
    """

    left_keys: list[int]
    right_keys: list[int]
    lower: int
    upper: int
    condition: Expression | None
    by_clock: bool = False
    kind: str = "INNER"
    left_time: int | None = None
    right_time: int | None = None


@dataclass(eq=False)
class RegularJoin(TwoInputs):
    """Rows of two relations that fit, at any time: pairs come and go with the rows (streaming mode).

    Attributes:
        kind: INNER, LEFT, RIGHT, FULL, SEMI, ANTI.
        left_keys: Places of columns of the left relation that have to be equal to those of ``right_keys``.
        condition: What else has to be true of the columns of both; None: nothing.
        ttl: For how many milliseconds of processing time rows are kept.
    """

    kind: str
    left_keys: list[int]
    right_keys: list[int]
    condition: Expression | None
    ttl: int


@dataclass(eq=False)
class TemporalJoin(TwoInputs):
    """Rows of the left relation with the version of the right one that was valid at their time.

    Attributes:
        kind: INNER or LEFT.
        left_keys: Places of columns of the left relation that have to be equal to those of ``right_keys``.
        left_time: The place of the left rows' event time.
        right_time: The place of the time from which on a version is valid.
        condition: What else has to be true of the columns of both; None: nothing.
    """

    kind: str
    left_keys: list[int]
    right_keys: list[int]
    left_time: int
    right_time: int
    condition: Expression | None


@dataclass(eq=False)
class LookupJoin(Relation):
    """Rows with those that a table has for their key when they come.

    Attributes:
        table: Can be asked for rows by key.
        kind: INNER or LEFT.
        left_keys: Places of columns of the left relation that have to be equal to those of ``table_keys``.
        table_keys: Places of the table's columns.
        results: What is made of a row of the table, over its columns.
        condition: What else has to be true of the columns of the left relation and the table; None: nothing.
    """

    left: Relation
    table: Scan
    kind: str
    left_keys: list[int]
    table_keys: list[int]
    results: list[Expression]
    condition: Expression | None

    @property
    def inputs(self) -> Sequence[Relation]:
        return (self.left,)


@dataclass(eq=False)
class Limit(OneInput):
    """The first rows behind some that are left out; ``count`` is None: all of these."""

    count: int | None
    offset: int = 0


@dataclass(eq=False)
class Sort(OneInput):
    """All rows in an order, once there are all, and of these the first ones behind some (batch mode)."""

    order: list[Ordering]
    count: int | None
    offset: int = 0


def without_times(columns: Sequence[Column], time: int | None, clause: str, *, windowed: bool) -> list[Column]:
    """The keys of groups: of windows, their time alone is still a time attribute.

    Args:
        columns: What they are before they are grouped.
        time: The place of the window's time; None: it is not among them.
        clause: What groups them, for errors.
        windowed: Whether these are groups of windows.
    """
    lost = f"{clause} without a window gives changes, which have no event time"
    if windowed:
        lost = f"{clause} of a window gives its results when the window is over: their time is window_time"
    return [
        replace(column, rowtime=False, proctime=False, lost=lost) if column.is_time and place != time else column
        for place, column in enumerate(columns)
    ]


def is_clock(expression: Expression) -> bool:
    """Tell whether a column of it is a time attribute of processing time."""
    return isinstance(expression, Call) and expression.name == PROCTIME


def functions_in(relation: Relation) -> set[str]:
    """The names of the functions that it and all below it call."""
    return functions_of(relation).union(*(functions_in(each) for each in relation.inputs))


def readers_of(roots: Sequence[Relation]) -> Counter[int]:
    """Count the relations that are made of each one, by identity, for all that some are made of."""
    readers: Counter[int] = Counter()
    found, left = set(), list(roots)
    while left:
        relation = left.pop()
        if id(relation) not in found:
            found.add(id(relation))
            readers.update(id(each) for each in relation.inputs)
            left.extend(relation.inputs)
    return readers


def functions_of(relation: Relation) -> set[str]:
    """The names of the functions that it calls itself."""
    match relation:
        case Project():
            own = relation.expressions
        case Filter():
            own = [relation.condition]
        case Values():
            own = [each for row in relation.rows for each in row]
        case LookupJoin():
            own = [*relation.results, *([] if relation.condition is None else [relation.condition])]
        case Join() | RegularJoin() | IntervalJoin() | TemporalJoin() if relation.condition is not None:
            own = [relation.condition]
        case Aggregate() | Over() | OverRows():
            calls = [relation.call] if isinstance(relation, OverRows) else relation.calls
            of_program = [call.options[0] for call in calls if call.name == USER_AGGREGATE]
            return {USER_DRAWS for function in of_program if not function.deterministic}
        case Correlate():
            draws = relation.function is not None and not relation.function.deterministic
            own = [] if relation.condition is None else [relation.condition]
            if draws:
                return {USER_DRAWS}
        case _:
            own = []
    return {part.name for each in own for part in walk(each) if isinstance(part, Call)}


def upsert_keys(relation: Relation) -> list[set[int]]:
    """Places of columns of which there is one row at a time for each of their values; none: none are known."""
    match relation:
        case Aggregate(emit=Emit(), window=WindowColumns() as window):
            bounds = {window.start, window.end, window.time}
            keys = {place for place in range(len(relation.keys)) if place not in bounds}
            return [{*keys, place} for place in (window.start, window.end) if place is not None]
        case Aggregate():
            return [set(range(len(relation.keys)))]
        case Normalize():
            return [set(relation.keys)]
        case RowNumber():
            return [{*relation.partition, len(relation.columns) - 1}]
        case Filter():
            return upsert_keys(relation.input)
        case Project():
            behind = {
                each.index: place for place, each in enumerate(relation.expressions) if isinstance(each, InputRef)
            }
            return [{behind[place] for place in key} for key in upsert_keys(relation.input) if key <= behind.keys()]
    return []
