"""What an operator emits towards an exchange, cut into chunks for the subtasks behind it."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from windrow.common import Row, Types
from windrow.common.limits import MIN_WATERMARK
from windrow.connectors.discarding import DiscardingSink
from windrow.connectors.print_sink import PrintSink
from windrow.datastream.window import TumblingEventTimeWindows
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import TupleShape, shape_of
from windrow.errors import UnhashableKeyError, UserFunctionError
from windrow.graph.job_graph import SINK_LEVEL, Edge, SinkEntry
from windrow.graph.partitioners import (
    BroadcastPartitioner,
    CustomPartitioner,
    ForwardPartitioner,
    GlobalPartitioner,
    KeyGroupPartitioner,
    RebalancePartitioner,
    ShufflePartitioner,
    SingleKeyPartitioner,
)
from windrow.operators.base import Operator
from windrow.operators.window.spec import WindowSpec, build
from windrow.runtime.stage import record_writer
from windrow.runtime.stage.chunk import EPOCHS_PER_SEQUENCE, Chunk
from windrow.runtime.stage.input_gate import ChannelStatus, steps
from windrow.runtime.stage.record_writer import RecordWriter, is_dropped
from windrow.state.key_groups import key_group, operator_index

MAX_PARALLELISM = 16
BY_SELF = KeyGroupPartitioner(lambda value: value)


def writer(partitioner=BY_SELF, subtasks=4):
    return RecordWriter(Edge(9, 3, 1, partitioner, subtasks, 1), MAX_PARALLELISM, "map")


def finish(of, *, producer=0):
    return list(of.finish(123, 2, producer, 7))


def subtask_of(key, subtasks=4):
    return operator_index(key_group(key, MAX_PARALLELISM), subtasks, MAX_PARALLELISM)


def seen(row):
    """What the receiving gate makes of a row."""
    return [(list(step.batch.elements), step.control) for step in steps([(0, row)], [ChannelStatus(MIN_WATERMARK)])]


def test_an_element_goes_to_the_subtask_of_its_key():
    """Each subtask gets the elements of its key groups, in order, with their keys and timestamps."""
    given = writer(KeyGroupPartitioner(lambda value: value % 10))
    values = list(range(100))
    given.batch(Batch(values[:40], values[:40]))
    given.batch(Batch(values[40:], values[40:]))
    rows = finish(given)
    for row in rows:
        expected = [value for value in values if subtask_of(value % 10) == row.subtask]
        assert list(row.chunk.batch.elements) == list(row.chunk.batch.timestamps) == expected
        assert list(row.chunk.batch.keys) == [value % 10 for value in expected]
    assert sorted(value for row in rows for value in row.chunk.batch.elements) == values


def test_a_row_says_where_it_goes_and_where_it_comes_from():
    """Level, entry, edge, channel, producer, sequence number and time are on every row."""
    given = writer()
    given.batch(Batch(["a"], [1]))
    (row,) = finish(given, producer=3)
    assert (row.level, row.entry, row.edge) == (3, 1, 9)
    assert (row.channel, row.producer, row.first_epoch // EPOCHS_PER_SEQUENCE, row.now) == (2, 3, 7, 123)


def test_control_events_keep_their_places_among_the_elements_of_every_subtask():
    """What a subtask sees between two control events is what was emitted between them and is for it."""
    given = writer()
    emitted = [(list(range(9)), 5), ([], "idle"), (list(range(9, 30)), 8)]
    for values, control in emitted:
        given.batch(Batch(values, values))
        given.control(control)
    given.batch(Batch([30], [30]))
    rows = finish(given)
    assert [row.subtask for row in rows] == [0, 1, 2, 3]
    for row in rows:
        expected = [([v for v in values if subtask_of(v) == row.subtask], control) for values, control in emitted]
        rest = [v for v in [30] if subtask_of(v) == row.subtask]
        assert seen(row) == expected + [(rest, None)] * bool(rest)


def test_control_events_reach_subtasks_without_elements():
    """A watermark goes to every subtask."""
    given = writer()
    given.control(5)
    assert [(row.subtask, seen(row)) for row in finish(given)] == [(number, [([], 5)]) for number in range(4)]


def test_only_the_first_subtask_sends_control_events():
    """All subtasks have the same ones; of the others only elements go out, and where these stand between them."""
    given = writer(GlobalPartitioner(), subtasks=1)
    given.batch(Batch(["a"], [1]))
    given.control(5)
    given.batch(Batch(["b"], [2]))
    (row,) = finish(given, producer=1)
    assert row.chunk.controls == []
    assert row.chunk.cuts == [1]
    given.control(6)
    assert finish(given, producer=1) == []


EMITTED = st.lists(st.tuples(st.integers(0, 5), st.none() | st.integers(0, 9) | st.sampled_from(["idle", "active"])))


@for_all(emitted=EMITTED, partitioner=st.sampled_from([BY_SELF, RebalancePartitioner(), BroadcastPartitioner()]))
def test_what_is_much_goes_out_in_parts(emitted, partitioner):
    """Each subtask sees what it would see of all at once; control events stay behind what stood in front of them."""
    whole, parted = writer(partitioner), writer(partitioner)
    count = 0
    for size, control in emitted:
        values = list(range(count, count + size))
        count += size
        for given in (whole, parted):
            given.batch(Batch(values, values))
            if control is not None:
                given.control(control)
    at_once = finish(whole)
    expected = [seen_by(subtask, at_once) for subtask in range(4)]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(record_writer, "ELEMENTS_PER_PART", 2)
        rows = finish(parted)
    assert [seen_by(subtask, rows) for subtask in range(4)] == expected
    assert all(len(row.chunk.batch) <= 2 for row in rows)


def seen_by(subtask, rows):
    """Elements and control events as a subtask sees them."""
    mine = [(0, row) for row in sorted(rows, key=lambda row: row.order()) if row.subtask == subtask]
    seen = []
    for step in steps(mine, [ChannelStatus(MIN_WATERMARK)]):
        seen += [*step.batch.elements, *([] if step.control is None else [("control", step.control)])]
    return seen


def test_a_few_elements_between_many_control_events_are_one_chunk():
    """Only what is too much for one chunk is cut."""
    given = writer(GlobalPartitioner(), subtasks=1)
    for number in range(300):
        given.batch(Batch([number], [number]))
        given.control(number)
    (row,) = finish(given)
    assert (len(row.chunk.batch), len(row.chunk.controls)) == (300, 300)


def test_what_is_taken_after_the_last_part_that_has_a_number_waits(monkeypatch):
    """More parts between two control events than numbers: the last one is the rest."""
    monkeypatch.setattr(record_writer, "ELEMENTS_PER_PART", 2)
    monkeypatch.setattr(record_writer, "PARTS_PER_EPOCH", 3)
    given = writer(GlobalPartitioner(), subtasks=1)
    given.batch(Batch(list(range(9)), list(range(9))))
    assert [list(row.chunk.batch.elements) for row in finish(given)] == [[0, 1], [2, 3], [4, 5, 6, 7, 8]]


def test_parts_of_several_subtasks_are_put_together_by_their_numbers(monkeypatch):
    """Control events come behind all that any of them has emitted in front of them, in however many parts."""
    monkeypatch.setattr(record_writer, "ELEMENTS_PER_PART", 2)
    rows = []
    for producer, count in enumerate([1, 9, 4]):
        given = writer(GlobalPartitioner(), subtasks=1)
        given.batch(Batch([(producer, number) for number in range(count)], list(range(count))))
        given.control("end")
        rows += finish(given, producer=producer)
    *elements, end = seen_by(0, rows)
    assert end == ("control", "end")
    assert sorted(elements) == [(producer, at) for producer, count in enumerate([1, 9, 4]) for at in range(count)]
    for producer in range(3):
        assert [at for by, at in elements if by == producer] == list(range([1, 9, 4][producer]))


#: What three subtasks emit in front of each control event, and after which of these each is asked for full parts.
SHARED = st.lists(
    st.tuples(
        st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=3, max_size=3),
        st.integers(0, 9) | st.sampled_from(["idle", "active"]),
    ),
    max_size=6,
)


@for_all(emitted=SHARED, size=st.integers(1, 5), ends=st.booleans())
def test_subtasks_cut_without_asking_each_other(emitted, size, ends):
    """A receiver sees what it would see of uncut chunks; where an epoch has parts, each subtask's in order."""
    if ends:
        emitted = [*emitted, ([(0, False)] * 3, "end")]
    whole, parted = [], []
    with pytest.MonkeyPatch.context() as patched:
        for producer in range(3):
            patched.setattr(record_writer, "ELEMENTS_PER_PART", 1 << 20)
            whole += emit(emitted, producer)
            patched.setattr(record_writer, "ELEMENTS_PER_PART", size)
            parted += emit(emitted, producer)
    assert all(len(row.chunk.batch) <= size for row in parted)
    for subtask in range(2):
        expected, seen = seen_by(subtask, whole), seen_by(subtask, parted)
        if all(count <= size for of_all, _ in emitted for count, _ in of_all):
            assert seen == expected
        assert by_producer(seen) == by_producer(expected)


def emit(emitted, producer):
    """The rows of one subtask; its elements name it."""
    given = writer(RebalancePartitioner(), subtasks=2)
    rows = []
    for epoch, (of_all, control) in enumerate(emitted):
        count, asked = of_all[producer]
        values = [(producer, epoch, number) for number in range(count)]
        given.batch(Batch(values, values))
        given.control(control)
        if asked and given.is_full:
            rows += given.full_parts(123, 0, producer)
    return [*rows, *given.finish(123, 0, producer, 0)]


def by_producer(seen):
    """What is seen between every two control events: of each subtask in order, whatever comes between."""
    return [[each for each in seen if each[0] in ("control", producer)] for producer in range(3)]


def test_a_writer_is_empty_after_it_has_finished():
    """What went out goes out once."""
    given = writer()
    given.batch(Batch(["a"], [1]))
    given.control(5)
    assert len(finish(given)) == 4
    assert finish(given) == []


@pytest.mark.parametrize(
    ("partitioner", "keys"), [(GlobalPartitioner(), None), (SingleKeyPartitioner("k"), ["k", "k"])]
)
def test_one_subtask_gets_all_where_there_are_no_keys(partitioner, keys):
    """Without keys, or with one key for all, everything goes to the first subtask."""
    given = writer(partitioner, subtasks=1)
    given.batch(Batch(["a", "b"], [1, 2]))
    (row,) = finish(given)
    assert (row.subtask, list(row.chunk.batch.elements), row.chunk.batch.keys) == (0, ["a", "b"], keys)


@pytest.mark.parametrize("subtasks", [1, 4])
def test_a_key_that_cannot_be_hashed_is_named(subtasks):
    """The error says which operator's key_by it was, and the key."""
    given = writer(KeyGroupPartitioner(lambda value: {value} if value == 3 else value), subtasks)
    given.batch(Batch([1, 2, 3, 4], [0, 0, 0, 0]))
    with pytest.raises(UnhashableKeyError, match=r"key_by after map.*\{3\}"):
        finish(given)


class ByIdentity:
    """Has neither __eq__ nor __hash__."""


@pytest.mark.parametrize("subtasks", [1, 4])
def test_a_key_that_is_another_in_every_process_is_refused(subtasks):
    """An object that is equal to itself alone is hashable, but no key; the error says what to do."""
    given = writer(KeyGroupPartitioner(lambda value: ByIdentity() if value == 3 else None), subtasks)
    given.batch(Batch([1, 2, 3, 4], [0, 0, 0, 0]))
    with pytest.raises(UnhashableKeyError, match=r"key_by after map.*ByIdentity.*give the class __eq__ and __hash__"):
        finish(given)


def test_an_error_in_the_key_selector_names_the_element():
    """The user's own error is behind one that names the exchange and the element."""
    given = writer(KeyGroupPartitioner(lambda value: 1 // value))
    given.batch(Batch([1, 0], [0, 0]))
    with pytest.raises(UserFunctionError, match="key_by after map") as caught:
        finish(given)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_an_error_far_behind_in_columns_names_its_element():
    """Rows of columns are made some thousand at a time for a selector that is called."""
    given = writer(KeyGroupPartitioner(lambda value: [value[0]][9_000 if value[0] == 9_000 else 0]))
    given.batch(Batch(columns([(n,) for n in range(10_000)]), np.zeros(10_000, np.int64)))
    with pytest.raises(UserFunctionError) as caught:
        finish(given)
    assert caught.value.element == "(9000,)"


KEY_KINDS = [
    st.integers(0, 5),
    st.integers(-(2**70), 2**70),
    st.booleans(),
    st.sampled_from([0.0, -0.0, float("nan"), 1.0, 2.5]),
    st.sampled_from(["a", "b", "\ud800"]),
    st.tuples(st.integers(0, 3), st.sampled_from(["a", None])),
    st.tuples(st.sampled_from([0.0, -0.0, float("nan"), 2.0]), st.integers(0, 3)),
    st.builds(lambda n: Row(a=n, b=n / 2), st.integers(0, 3)),
    st.builds(Row, st.integers(0, 3)),
    st.none(),
]


@settings(deadline=None, max_examples=60)
@for_all(
    keys=st.one_of([st.lists(kind, min_size=1, max_size=6) for kind in KEY_KINDS] + [st.lists(st.one_of(KEY_KINDS))]),
    subtasks=st.integers(1, 3),
)
def test_keys_are_the_same_whether_elements_are_rows_or_columns(keys, subtasks):
    """Of a selector that is called for each element: what it gives becomes columns where its elements are."""
    keys = keys or [None]
    selector = KeyGroupPartitioner(lambda value: keys[value[0] % len(keys)])
    values = [(number,) for number in range(300)]
    arrived = []
    for elements in (values, columns(values)):
        given = writer(selector, subtasks)
        given.batch(Batch(elements, [0] * len(values)))
        arrived.append(
            [(row.subtask, list(row.chunk.batch.elements), list(row.chunk.batch.keys)) for row in finish(given)]
        )
    assert repr(arrived[0]) == repr(arrived[1])
    assert arrived[0] == arrived[1]


@pytest.mark.parametrize("subtasks", [1, 2])
@pytest.mark.parametrize("other", [None, 2**63, 2.5, "a", (1, 2)])
@pytest.mark.parametrize("place", [0, 4_999])
def test_keys_are_what_the_selector_gave_where_one_of_many_numbers_is_another(place, other, subtasks):
    """Keys are asked for some thousand at a time; those of some parts are columns, and have to be a list again."""
    keys = list(range(5_000))
    keys[place] = other
    given = writer(KeyGroupPartitioner(lambda value: keys[value[0]]), subtasks)
    given.batch(Batch(columns([(number,) for number in range(5_000)]), [0] * 5_000))
    for row in finish(given):
        batch = row.chunk.batch
        assert list(batch.keys) == [keys[value[0]] for value in batch.elements]
        assert list(map(type, batch.keys)) == [type(keys[value[0]]) for value in batch.elements]
        assert subtasks == 1 or {subtask_of(key, subtasks) for key in batch.keys} == {row.subtask}


class TakesColumns(Operator):
    def takes_columns(self, shape):
        return True


def test_a_selector_is_given_the_rows_that_became_columns():
    """Rows of tuples are not made again from the columns that they go on as."""
    values, given = [(number,) for number in range(300)], []
    edge = Edge(9, 3, 1, KeyGroupPartitioner(lambda value: given.append(value) or value[0]), 4, 1)
    to_columns = RecordWriter(edge, MAX_PARALLELISM, "map", target=TakesColumns())
    to_columns.batch(Batch(values, [0] * 300))
    rows = finish(to_columns)
    assert all(mine is value for mine, value in zip(given, values, strict=True))
    assert all(row.chunk.batch.columns is not None and row.chunk.batch.key_columns is not None for row in rows)


def test_what_a_selector_does_to_rows_goes_on():
    """A Row that its key selector has changed is sent as it is then, whether it became a column or not."""

    def marked(row):
        row["n"] = -row["n"]
        return 0

    for target in (None, TakesColumns()):
        edge = Edge(9, 3, 1, KeyGroupPartitioner(marked), 4, 1)
        given = RecordWriter(edge, MAX_PARALLELISM, "map", target=target)
        given.batch(Batch([Row(n=number) for number in range(300)], [0] * 300))
        (row,) = finish(given)
        assert list(row.chunk.batch.elements) == [Row(n=-number) for number in range(300)]


PARTITIONERS = {
    "keyed": KeyGroupPartitioner(lambda value: value[0] % 7),
    "one key": SingleKeyPartitioner("k"),
    "broadcast": BroadcastPartitioner(),
    "rebalance": RebalancePartitioner(),
    "shuffle": ShufflePartitioner(),
    "forward": ForwardPartitioner(),
    "custom": CustomPartitioner(lambda key, count: key % count, lambda value: value[0]),
}


def columns(values):
    shape = shape_of(Types.TUPLE([Types.LONG()]))
    return Columns.of(shape, [np.array([n for (n,) in values], np.int64)])


#: How batches come: as a list, as columns, or as columns that somebody has looked at.
KINDS = st.sampled_from(["list", "columns", "seen"])


@pytest.mark.parametrize("partitioner", PARTITIONERS.values(), ids=PARTITIONERS)
@settings(deadline=None, max_examples=30)
@for_all(batches=st.lists(st.tuples(st.integers(0, 5), KINDS, st.booleans()), max_size=6), subtasks=st.integers(1, 3))
def test_columns_arrive_as_the_elements_they_are(partitioner, batches, subtasks):
    """Whatever is gathered with them, and to whomever they go, through pickling too."""
    plain, lazily = writer(partitioner, subtasks), writer(partitioner, subtasks)
    number = 0
    for count, kind, control in batches:
        values = [(number + index,) for index in range(count)]
        number += count
        columns_of = columns(values)
        if kind == "seen":
            list(columns_of)
        plain.batch(Batch(values, [0] * count))
        lazily.batch(Batch(values if kind == "list" else columns_of, [0] * count))
        if control:
            plain.control(number)
            lazily.control(number)
    assert plain.position == lazily.position
    expected, arrived = finish(plain), finish(lazily)
    for row in arrived:
        row.chunk = Chunk.decode(row.chunk.encode())
    assert [(row.subtask, seen(row)) for row in arrived] == [(row.subtask, seen(row)) for row in expected]
    assert [list(row.chunk.batch.keys or ()) for row in arrived] == [
        list(row.chunk.batch.keys or ()) for row in expected
    ]
    assert plain.position == lazily.position


def test_nobody_looks_at_columns_on_their_way():
    """Towards one subtask or several, unless a key or the user's partitioner is asked for."""
    for partitioner in (GlobalPartitioner(), RebalancePartitioner(), BroadcastPartitioner()):
        given = writer(partitioner)
        given.batch(Batch(columns([(1,), (2,), (3,), (4,)]), [0] * 4))
        given.batch(Batch(columns([(5,)]), [0]))
        assert all(row.chunk.batch.elements.untouched for row in finish(given))


def test_elements_that_nobody_looks_at_are_dropped():
    """So are the watermarks between them; the end crosses the edge all the same."""
    given = RecordWriter(Edge(9, SINK_LEVEL, 0, ForwardPartitioner(), 1, 1), MAX_PARALLELISM, "map", dropped=True)
    given.batch(Batch([1, 2], [0, 0]))
    assert finish(given) == []
    given.batch(Batch([1, 2], [0, 0]))
    given.control(5)
    given.control("end")
    (row,) = finish(given)
    assert seen(row) == [([], "end")]


@pytest.mark.parametrize(
    ("sink", "partitioner", "dropped"),
    [
        (DiscardingSink(), ForwardPartitioner(), True),
        (DiscardingSink(), RebalancePartitioner(), True),
        (DiscardingSink(), BY_SELF, False),
        (DiscardingSink(), PARTITIONERS["custom"], False),
        (type("Counting", (DiscardingSink,), {})(), ForwardPartitioner(), False),
        (PrintSink(), ForwardPartitioner(), False),
        (None, ForwardPartitioner(), False),
    ],
)
def test_only_a_discarding_sink_drops(sink, partitioner, dropped):
    """Not one derived from it; and functions of the user's that see elements on the way are called."""
    sinks = [SinkEntry("t", "sink", sink)]
    assert is_dropped(Edge(9, SINK_LEVEL, 0, partitioner, 1, 1), sinks) == dropped
    assert not is_dropped(Edge(9, 1, 0, partitioner, 1, 1), sinks)


def combining(position=0):
    """A writer in front of windows of 10 ms with sums, and its edge's columns: (key, number)."""
    windows = build(WindowSpec(TumblingEventTimeWindows(10), incremental=lambda a, b: (a[0], a[1] + b[1])))
    edge = Edge(9, 3, 1, KeyGroupPartitioner(lambda pair: pair[0]), 1, 1)
    made = RecordWriter(edge, MAX_PARALLELISM, "map", target=windows, combines=True)
    made.position = position
    return made


def pairs(*times):
    """Elements of one key."""
    count = np.arange(len(times))
    return Batch(Columns.of(TupleShape((pa.int64(), pa.int64())), [count * 0, count]), np.array(times))


def test_elements_of_a_window_cross_as_one_once_the_watermark_is_known():
    """Those before the first watermark may be late for the receiver; where control events stand is counted anew."""
    given = combining()
    given.batch(pairs(1, 2, 3))
    given.control(0)
    given.batch(pairs(4, 5, 6, 7))
    given.control(9)
    given.batch(pairs(8, 12, 13, 14))
    first = [(0, 0), (0, 1), (0, 2)]
    assert seen(*finish(given)) == [(first, 0), ([(0, 6)], 9), ([(0, 0), (0, 6)], None)]


@pytest.mark.parametrize("status", ["idle", "active"])
def test_a_channel_that_was_idle_sends_each_element_ever_after(status):
    """The receiver's watermark may be ahead of it; the writer's position in checkpoints says so."""
    given = combining()
    given.control(0)
    given.batch(pairs(4, 5, 6, 7))
    assert [len(elements) for elements, _ in seen(*finish(given))] == [0, 1]
    given.control(status)
    given.control(1)
    restored = combining(given.position)
    for each in (given, restored):
        each.control(2)
        each.batch(pairs(4, 5, 6, 7))
        assert [len(elements) for elements, _ in seen(*finish(each))][-1] == 4
    assert combining(given.position).position == given.position != combining().position
