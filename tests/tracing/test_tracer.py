"""Traced functions give what Python gives, for every value, or say that they do not."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from functools import partial
from operator import attrgetter, itemgetter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import event, given, note, settings
from hypothesis import strategies as st

from tests.property_examples import examples
from tests.tracing.programs import KINDS, bodies, compiled, compiled_body, expressions, values
from windrow.common import Types
from windrow.common.types import Row
from windrow.datastream.functions import MapFunction
from windrow.elements.columns import Columns
from windrow.elements.shape import DataclassShape, RowShape, ScalarShape, Shape, TupleShape, shape_of
from windrow.tracing.outcome import NotExact, NotTraceable
from windrow.tracing.tracer import Traced, trace, trace_predicate, trace_timestamps

INT, FLOAT, TEXT = pa.int64(), pa.float64(), pa.string()


def same(one: Any, other: Any) -> bool:
    """Whether two results are the same to whoever looks: values, types, signs of zeros, NaN."""
    return repr(one) == repr(other) and type(one) is type(other)


def columns(shape: Shape, rows: list[Any]) -> Columns:
    """Rows of plain values or tuples as columns."""
    fields = [rows] if isinstance(shape, ScalarShape) else list(zip(*rows, strict=True)) or [()] * len(shape.types)
    arrays = [pa.array(list(each), kind) for each, kind in zip(fields, shape.types, strict=True)]
    return Columns.of(shape, arrays)


def traced(function: Any, *shapes: Shape) -> Traced:
    """The traced function, which it has to be."""
    made = trace(function, *shapes)
    assert isinstance(made, Traced), made
    return made


def refused(function: Any, *shapes: Shape) -> str:
    """Why a function is not traced, which it must not be."""
    made = trace(function, *shapes)
    assert isinstance(made, NotTraceable)
    return made.reason


def check(function: Any, shape: Shape, rows: list[Any]) -> None:
    """Compare a traced function with itself; it must be exact for these rows."""
    found = traced(function, shape).columns(columns(shape, rows)).rows()
    expected = [function(row) for row in columns(shape, rows).rows()]
    assert list(map(repr, found)) == list(map(repr, expected))


_FIELDS = st.lists(st.sampled_from(list(KINDS)), min_size=1, max_size=3).map(tuple)


@settings(max_examples=examples(150), deadline=None)
@given(st.data())
def test_traced_expressions_give_what_python_gives(data: st.DataObject) -> None:
    """An expression that is traced gives Python's values and types, or says that it does not; never anything else."""
    fields = data.draw(_FIELDS)
    kinds = data.draw(st.lists(st.sampled_from(list(KINDS)), min_size=1, max_size=2))
    source = "".join(f"{data.draw(expressions(fields, kind))}, " for kind in kinds)
    note(source)
    compare(data, compiled(f"({source})"), fields)


@settings(max_examples=examples(150), deadline=None)
@given(st.data())
def test_traced_functions_give_what_python_gives(data: st.DataObject) -> None:
    """So do functions with statements, locals, early returns and helpers."""
    fields = data.draw(_FIELDS)
    source = data.draw(bodies(fields))
    note(source)
    compare(data, compiled_body(source), fields)


def compare(data: st.DataObject, function: Any, fields: tuple[str, ...]) -> None:
    """Compare a function with what is traced of it, if it is, on drawn rows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        shape = TupleShape(tuple(KINDS[each] for each in fields))
        made = trace(function, shape)
        if isinstance(made, NotTraceable):
            event(f"not traced: {made.reason}")
            return
        nullable = st.sampled_from([False, False, False, True])
        element = st.tuples(*[values(each, data.draw(st.booleans()), data.draw(nullable)) for each in fields])
        batch = columns(shape, data.draw(st.lists(element, max_size=12)))
        try:
            expected = [function(row) for row in batch.rows()]
        except Exception as error:
            event(f"raises {type(error).__name__}")
            with pytest.raises(NotExact):
                made.evaluate(batch.batch.columns)
            return
        try:
            found = made.columns(batch).rows()
        except NotExact as error:
            event(f"not exact: {error}")
            return
    event("compared")
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert all(map(same, one, other)), (one, other)


@settings(max_examples=examples(100), deadline=None)
@given(st.data())
def test_predicates_give_the_truth_of_a_result(data: st.DataObject) -> None:
    """A traced predicate is true where Python takes the function's result for true."""
    fields = data.draw(_FIELDS)
    source = data.draw(expressions(fields, data.draw(st.sampled_from(list(KINDS)))))
    note(source)
    function = compiled(source)
    shape = TupleShape(tuple(KINDS[each] for each in fields))
    made = trace_predicate(function, shape)
    if isinstance(made, NotTraceable):
        return
    batch = columns(shape, data.draw(st.lists(st.tuples(*[values(each, False) for each in fields]), max_size=12)))
    try:
        found = made.evaluate(batch.batch.columns)[0].tolist()
    except NotExact:
        return
    assert found == [bool(function(row)) for row in batch.rows()]


@dataclass
class Event:
    name: str
    size: int
    weight: float = 1.5


class Scale(MapFunction):
    def __init__(self, factor: int) -> None:
        self.factor = factor

    def map(self, value: Any) -> Any:
        return self.scaled(value[0]), value[1]

    def scaled(self, number: Any) -> Any:
        return number * self.factor


PAIRS = TupleShape((INT, INT))
SOME_PAIRS = [(1, 2), (-3, 4), (5, 0), (0, -6), (7, 7)]
EVENTS = DataclassShape((TEXT, INT, FLOAT), kind=Event, field_names=("name", "size", "weight"))
LIMIT = 3
TEXT_WITHOUT_PLACES = "abc"


def clamp(x: Any, low: Any, high: Any = 5) -> Any:
    """A helper with a branch in statements."""
    if x < low:
        return low
    if x > high:
        return high
    return x


@pytest.mark.parametrize(
    "function",
    [
        lambda e: e,
        lambda e: e[0],
        lambda e: e[::-1],
        lambda e: (*e, e[0] + 1),
        lambda e: (e[0] // 3, e[0] % 3, e[1] // -4, e[1] % -4, e[0] % 8, e[0] // 8),
        lambda e: e[0] // e[1] if e[1] else 0,
        lambda e: e[1] and e[0] // e[1],
        lambda e: (max(e), min(e[0], e[1], 3), abs(e[0])),
        lambda e: (clamp(e[0], 0), clamp(e[1], LIMIT, high=4)),
        lambda e: Row(sum=e[0] + e[1], big=e[0] > 2),
        lambda e: Row(e[0], 1.5, "x"),
        lambda e: Event("n", e[0], weight=e[1] / 2),
        lambda e: Event(str(e[0]), e[1]),
        lambda e: 5,
        lambda e: ("key-" + str(e[0]), True, 0.5),
        lambda e: (e[0] > 0) + (e[1] > 0),
        lambda e: "big" if e[0] > 2 else "small",
        lambda e: e[0] in (1, 5) or e[1] not in (2, 7),
        lambda e: -1 if e[0] is None else e[0],
        lambda e: 0 < e[0] < 6 <= e[1],
        lambda e: math.floor(e[0] / 2),
        lambda e: (sum(e), sum((e[0], 1, True), e[1])),
        itemgetter(1),
        itemgetter(1, 0),
        partial(lambda a, e: (a, e[0]), 4),
        partial(lambda e, a: (a, e[0]), a=4),
        Scale(3).map,
    ],
)
def test_what_programs_do_is_traced(function: Any) -> None:
    """Fields, arithmetic, branches, helpers, attributes, tuples, Rows and dataclasses become columns."""
    check(function, PAIRS, SOME_PAIRS)


@pytest.mark.parametrize(
    "function", [lambda e: e, lambda e: e.size * 2, lambda e: (e.name.upper(), e.weight), attrgetter("size")]
)
def test_fields_of_objects_are_columns(function: Any) -> None:
    """Attributes of a dataclass's objects are its columns."""
    rows = [("a", 1, 0.5), ("b", 2, math.nan)]
    assert list(map(repr, traced(function, EVENTS).columns(columns(EVENTS, rows)).rows())) == [
        repr(function(Event(*row))) for row in rows
    ]


@pytest.mark.parametrize(
    "function", [lambda r: r, lambda r: r.a + r["b"] + r[0], lambda r: (*r, 1), lambda r: Row(c=r.b), attrgetter("a")]
)
def test_fields_of_rows_are_columns(function: Any) -> None:
    """Items and attributes of a Row are its columns."""
    check(function, RowShape((INT, INT), field_names=("a", "b")), SOME_PAIRS)


def test_several_arguments() -> None:
    """A reduce function and a timestamp assigner take two arguments."""
    made = traced(lambda a, b: (a[0], a[1] + b[1]), PAIRS, PAIRS)
    found = made.evaluate([np.array([1, 2]), np.array([3, 4])], [np.array([5, 6]), np.array([7, 8])])
    assert [each.tolist() for each in found] == [[1, 2], [10, 12]]
    stamps = trace_timestamps(lambda value, ts: value[0] if value[0] > ts else ts, PAIRS, ScalarShape.of(INT))
    assert isinstance(stamps, Traced)
    assert stamps.evaluate([np.array([1, 9]), np.array([0, 0])], [np.array([5, 5])])[0].tolist() == [5, 9]


@pytest.mark.parametrize("function", [lambda e, ts: e[0] > 1, lambda e, ts: 1.5, lambda e, ts: e])
def test_timestamps_are_ints(function: Any) -> None:
    """A timestamp that is a bool, a float or a tuple is left to the error of the row path."""
    assert isinstance(trace_timestamps(function, PAIRS, ScalarShape.of(INT)), NotTraceable)


KEPT: list[Any] = []
TABLE = {1: 2}
COUNT = 0


def counting(e: Any) -> Any:
    global COUNT  # noqa: PLW0603
    COUNT += 1
    return e


def trying(e: Any) -> Any:
    try:
        return e[0] // e[1]
    except ZeroDivisionError:
        return 0


def looping(e: Any) -> Any:
    total = 0
    for each in e:
        total += each
    return total


def generating(e: Any) -> Any:
    yield e


def recursive(e: Any) -> Any:
    return recursive(e) if e[0] else 0


class Counting(MapFunction):
    def __init__(self) -> None:
        self.seen = 0

    def map(self, value: Any) -> Any:
        self.seen += 1
        return value


class Computed(MapFunction):
    @property
    def factor(self) -> int:
        return len(KEPT)

    def map(self, value: Any) -> Any:
        return value[0] * self.factor


@pytest.mark.parametrize(
    "function",
    [
        lambda e: KEPT.append(e) or e,
        lambda e: KEPT[0] if KEPT else e,
        lambda e: TABLE[e[0]],
        lambda e: {1: 2}.get(e[0]),
        lambda e: hash(e[0]),
        lambda e: hash((e, 1)),
        lambda e: f"{e[0]}",
        lambda e: "%s" % e[0],  # noqa: UP031
        lambda e: "%d %d" % e,  # noqa: UP031
        lambda e: TEXT_WITHOUT_PLACES % e[0],
        lambda e: f"{e!r}",
        lambda e: "{}".format(e[0]),  # noqa: UP032
        lambda e: repr((e, 1)),
        lambda e: isinstance(e[0], int),
        lambda e: type(e[0]) is int,
        lambda e: e[0] is e[1],
        lambda e: e[0] is True,
        lambda e: e[0].__class__,
        lambda e: e.__len__(),
        lambda e: e[0].bit_length(),
        lambda e: e[0].real,
        lambda e: [e[0]],
        lambda e: {e[0]},
        lambda e: {"a": e[0]},
        lambda e: (e, 1),
        lambda e: (e[0], None),
        lambda e: None,
        lambda e: (),
        lambda e: [x + 1 for x in e],
        lambda e: sum(x for x in e),
        lambda e: (lambda: e[0])(),  # noqa: PLC3002
        lambda e: e[0] if e[1] else 1.5,
        lambda e: e[0] if e[1] else e,
        lambda e: e[1] > 0 and e[0],
        lambda e: e[0] ** e[1],
        lambda e: e[0] ** -1,
        lambda e: (10, 20, 30)[e[0] % 3],
        lambda e: e[e[0]],
        lambda e: "abc"[e[0]],
        lambda e: "abc" * e[0],
        lambda e: e[0] in {1, 2},
        lambda e: e[0] == "a",
        lambda e: e[0] == None,  # noqa: E711
        lambda e: range(e[0]),
        lambda e: e[0].x,
        lambda e: time_of_day() + e[0],
        lambda e: print(e) or e,
        lambda e: e[0] + 2**64,
        lambda e: e[2],
        lambda e: 1 + e,
        lambda e: float("nan"),
        lambda e: round(e[0] / 3, 2),
        lambda e: (e[0] / 3) ** 2,
        lambda e: any(x > 1 for x in e),
        lambda e: list(map(abs, e)),
        lambda e: setattr(Event, "x", e) or 1,
        lambda e: ~(e[0] > 1),
        counting,
        trying,
        looping,
        generating,
        recursive,
        Counting().map,
        Computed().map,
        print,
        5,
        object(),
        attrgetter("__class__"),
        attrgetter("_names"),
    ],
)
def test_what_columns_cannot_do_is_refused(function: Any) -> None:
    """Side effects, objects' identities, mutable variables, mixed types and unknown calls are left to Python."""
    before = len(KEPT), COUNT, dict(TABLE)
    assert refused(function, PAIRS)
    assert (len(KEPT), COUNT, TABLE) == before


def time_of_day() -> int:
    import time

    return int(time.time())


def test_a_changed_variable_is_seen() -> None:
    """A global, a variable of an enclosing function or an attribute that has changed since the trace is noticed."""
    limit, scale = 2, Scale(3)

    def above(e: Any) -> Any:
        return e[0] > limit

    def is_exact(made: Traced) -> bool:
        try:
            made.evaluate([np.array([1]), np.array([2])])
        except NotExact:
            return False
        return True

    closure, attribute, builtin = traced(above, PAIRS), traced(scale.map, PAIRS), traced(lambda e: abs(e[0]), PAIRS)
    assert all(map(is_exact, (closure, attribute, builtin)))
    limit = 3
    scale.factor = 4
    assert not any(map(is_exact, (closure, attribute)))
    globals()["abs"] = lambda x: x
    try:
        assert not is_exact(builtin)
    finally:
        del globals()["abs"]


@pytest.mark.parametrize(
    ("function", "rows"),
    [
        (lambda e: e[0] + e[1], [(2**63 - 1, 1)]),
        (lambda e: e[0] * e[1], [(2**62, 2)]),
        (lambda e: -e[0], [(-(2**63), 0)]),
        (lambda e: abs(e[0]), [(-(2**63), 0)]),
        (lambda e: e[0] // e[1], [(-(2**63), -1)]),
        (lambda e: e[0] // e[1], [(1, 1), (1, 0)]),
        (lambda e: (e[0] % e[1], e)[1][0], [(1, 0)]),
        (lambda e: e[0] << e[1], [(1, 63)]),
        (lambda e: e[0] << e[1], [(1, -1)]),
        (lambda e: e[0] < 0.5, [(2**53 + 1, 0)]),
        (lambda e: e[0] / e[1], [(2**53 + 1, 3)]),
        (lambda e: int(float(e[0])), [(2**63 - 1, 0)]),
        (lambda e: (e[0] + 1, e[0])[1], [(None, 1)]),
        (lambda e: 0 if e[0] is None else 1, [(None, 1)]),
    ],
)
def test_what_is_not_exact_is_said(function: Any, rows: list[Any]) -> None:
    """A batch that leaves 64 bits, divides by zero, or computes with a null is left to Python."""
    with pytest.raises(NotExact):
        traced(function, PAIRS).columns(columns(PAIRS, rows))


def test_a_path_that_raises_is_left_to_python() -> None:
    """Only batches with a row on that path are."""

    def checked(e: Any) -> Any:
        if e[0] < 0 or e[1] >= 10:
            raise ValueError("too large")
        return e[0]

    made = traced(checked, PAIRS)
    assert made.evaluate([np.array([1]), np.array([2])])[0].tolist() == [1]
    for row in ((-1, 2), (1, 10)):
        with pytest.raises(NotExact):
            made.columns(columns(PAIRS, [row]))


@pytest.mark.parametrize(
    ("function", "kind"),
    [
        pytest.param(lambda e: ((+e[0]), e[1])[1:], INT, id="plus"),
        pytest.param(lambda e: (+e[0],), FLOAT, id="plus-float"),
        pytest.param(lambda e: (e[0] ** 1,), INT, id="power"),
        pytest.param(lambda e: (int(e[0]),), INT, id="int"),
        pytest.param(lambda e: (float(e[0]),), FLOAT, id="float"),
        pytest.param(lambda e: (round(e[0]),), INT, id="round"),
        pytest.param(lambda e: (math.floor(e[0]),), INT, id="floor"),
        pytest.param(lambda e: (math.trunc(e[0]),), INT, id="trunc"),
        pytest.param(lambda e: (bool(e[0]),), pa.bool_(), id="bool"),
        pytest.param(lambda e: (str(e[0]),), TEXT, id="str"),
    ],
)
def test_what_gives_a_value_as_it_is_is_not_taken_for_passing_it_on(function: Any, kind: pa.DataType) -> None:
    """An operation that changes nothing fails for None in Python, or makes something of it: Python gets the batch."""
    shape = TupleShape((kind, INT))
    with pytest.raises(NotExact, match="null"):
        traced(function, shape).columns(columns(shape, [(None, 1)]))


def test_nulls_are_passed_on() -> None:
    """A column that nobody computes with may hold nulls."""
    shape = TupleShape((INT, TEXT, pa.timestamp("us"), TEXT))
    check(lambda e: (e[1], e[2], e[0] * 2), shape, [(1, None, None, "c"), (2, "b", None, None)])
    check(lambda e: (e[1], e[2]) if e[0] > 1 else (e[3], e[2]), shape, [(1, None, None, "c"), (2, "b", None, None)])


def test_narrow_types_count_as_python_counts() -> None:
    """Columns of 8 to 64 bits, with sign or without, are Python's integers; floats of 32 bits are Python's floats."""
    for kind, value in ((pa.int8(), 127), (pa.uint8(), 255), (pa.int32(), 2**31 - 1), (pa.uint64(), 2**63 - 2)):
        check(lambda e: (e + 1, e), ScalarShape.of(kind), [value, 0])
    with pytest.raises(NotExact):
        traced(lambda e: e - 1, ScalarShape.of(pa.uint64())).columns(columns(ScalarShape.of(pa.uint64()), [2**63]))
    check(lambda e: e * 3, ScalarShape.of(pa.float32()), [0.1, 2.5])


@settings(max_examples=examples(50), deadline=None)
@given(
    st.lists(
        st.one_of(
            st.integers(-(10**19), 10**19).map(str),
            st.decimals(-(10**16), 10**16, places=6).map(str),
            st.sampled_from(["007", "-0", " 1", "1_0", "1e5", "\u0661", "", "-", "nan", "1\n", "5.", ".5", "0" * 30]),
        ),
        max_size=3,
    ),
    st.sampled_from([int, float]),
)
def test_numbers_in_text(rows: list[str], number: Any) -> None:
    """Plain numbers are read by Arrow; what Python takes besides, or refuses, is left to it."""
    made = traced(number, ScalarShape.of(TEXT))
    try:
        found = made.columns(columns(ScalarShape.of(TEXT), rows)).rows()
    except NotExact:
        assert rows
        return
    assert list(map(repr, found)) == [repr(number(row)) for row in rows]


def test_parts_of_text() -> None:
    """A part at a fixed place is a column; where some text has fewer parts, Python says so."""
    shape = ScalarShape.of(TEXT)
    function = lambda line: (line.split(",")[0], int(line.split(",")[1]))  # noqa: E731
    check(function, shape, ["a,1", "b,-2,c", ",3"])
    with pytest.raises(NotExact):
        traced(function, shape).columns(columns(shape, ["a,1", "b"]))
    for other in (
        str.split,
        lambda line: line.split(),
        lambda line: line.split(",")[-1],
        lambda line: len(line.split(",")),
    ):
        assert refused(other, shape)


def test_declared_types_are_kept() -> None:
    """A field whose values are more than Arrow's is passed on as what it was declared to be, and not computed with."""
    shape = shape_of(Types.TUPLE([Types.INSTANT(), Types.LONG(), Types.ROW([Types.INT()])]))
    assert isinstance(shape, TupleShape)
    batch = Columns(pa.record_batch([pa.array([None], kind) for kind in shape.types], names=shape.names), shape)
    made = traced(lambda e: (e[1], e[2], e[0]), shape)
    assert made.shape.declared is not None
    assert [kind is None for kind in made.shape.declared] == [True, False, False]
    assert made.columns(batch).rows() == [(None, None, None)]
    assert traced(lambda e: e[1], shape).shape.declared is None
    assert refused(lambda e: e[0] < e[0], shape)
    assert refused(lambda e: e[0] if e[1] > 0 else e[2], shape)


def test_elements_without_fields_are_left_to_python() -> None:
    """There is no column that says how many they are."""
    assert refused(lambda e: 1, TupleShape(()))


def test_truth_values_count_as_numbers() -> None:
    """The result of a comparison is 0 or 1 to arithmetic."""
    check(lambda e: (e[0] + 1, (e[0] < 100) % 3, (e[0] < 100) + 1, -(e[0] < 100), e[0] / 4), PAIRS, SOME_PAIRS)


def test_only_what_is_used_is_touched() -> None:
    """The traced function says which columns it looks at."""
    made = traced(lambda e: (e[2] + 1, e[0]), TupleShape((INT, INT, INT)))
    assert (made.inputs, made.touched) == ({0, 2}, {2})
