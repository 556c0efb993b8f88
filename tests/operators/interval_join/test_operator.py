import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windrow.common.limits import LONG_MAX, LONG_MIN
from windrow.datastream import OutputTag
from windrow.datastream.functions import ProcessJoinFunction
from windrow.datastream.state import ValueStateDescriptor
from windrow.errors import MissingTimestampError, UsageError, UserFunctionError
from windrow.operators.interval_join import Interval, IntervalJoinOperator, buffer
from windrow.operators.window.skipped import LATE_RECORDS
from windrow.testing import Record, TwoInputOperatorHarness, WatermarkOut

SEEN = OutputTag("seen")


class Pair(ProcessJoinFunction):
    def process_element(self, left, right, ctx):
        yield left, right


def harness(interval, function=None, key=lambda value: value[0], **settings):
    operator = IntervalJoinOperator(function or Pair(), interval, **settings)
    return TwoInputOperatorHarness(operator, key, key, name="join")


def pairs(found):
    """The pairs that came out, by what each value has behind its key."""
    return [(left[1:], right[1:]) for left, right in found.values()]


@pytest.mark.parametrize(
    ("interval", "expected"),
    [
        (Interval(0, 0), ["d"]),
        (Interval(-2, 0), ["b", "c", "d"]),
        (Interval(1, 2), ["e", "f"]),
        (Interval(-1, 1), ["c", "d", "e"]),
        (Interval(1, 0), []),
    ],
)
def test_both_bounds_belong_to_the_interval(interval, expected):
    """A right element joins from left + lower to left + upper, whichever comes first."""
    rights = [(f"k{name}", 7 + number) for number, name in enumerate("abcdefg")]
    for left_first in (True, False):
        found = harness(interval)
        if left_first:
            found.process_element1("k!", 10)
            found.process_elements2(rights)
        else:
            found.process_elements2(rights)
            found.process_element1("k!", 10)
        assert pairs(found) == [("!", name) for name in expected]


def test_an_element_meets_the_others_by_time_then_arrival():
    """Pairs of one element come in the order of the others' timestamps, equal ones as they arrived."""
    found = harness(Interval(-5, 5))
    found.process_elements2([("kb", 11), ("ka", 9), ("kc", 11), ("kd", 10)])
    found.process_element1("k!", 10)
    assert [right for _, right in pairs(found)] == ["a", "d", "b", "c"]


def test_results_have_the_greater_timestamp():
    """A result's timestamp is that of the later element, on side outputs too; the context tells all three."""

    class Times(ProcessJoinFunction):
        def process_element(self, left, right, ctx):
            yield ctx.get_left_timestamp(), ctx.get_right_timestamp(), ctx.get_timestamp()
            yield SEEN, right

    found = harness(Interval(-5, 5), Times())
    found.process_element1("kl", 10)
    found.process_element2("ka", 7)
    found.process_element2("kb", 12)
    assert found.records() == [Record((10, 7, 10), 10), Record((10, 12, 12), 12)]
    assert found.side_output(SEEN) == [Record("ka", 10), Record("kb", 12)]


def test_only_elements_of_one_key_join():
    """Keys have buffers of their own."""
    found = harness(Interval(-5, 5))
    found.process_elements1([("a1", 0), ("b1", 0)])
    found.process_elements2([("b2", 0), ("c2", 0)])
    assert found.values() == [("b1", "b2")]


@pytest.mark.parametrize("side", ["left", "right"])
def test_late_is_below_the_combined_watermark(side):
    """An element at the watermark is in time, one below is late: dropped and counted, or sent to its side output."""
    for tag in (None, "late"):
        found = harness(Interval(-5, 5), **{f"late_{side}_tag_id": tag})
        found.process_watermark1(100)
        found.process_watermark2(10)
        push = found.process_element1 if side == "left" else found.process_element2
        push("k1", 10)
        push("k2", 9)
        other = found.process_element2 if side == "left" else found.process_element1
        other("k3", 10)
        assert len(found.values()) == 1
        assert found.side_output("late") == ([] if tag is None else [Record("k2", 9)])
        assert found.counters[LATE_RECORDS] == (1 if tag is None else 0)


def test_of_windows_what_the_watermark_has_reached_is_late():
    """A timestamp is a window's last moment: at the watermark it is over, as it is for a window operator."""
    found = harness(Interval(0, 0), of_windows=True)
    found.process_watermark(9)
    found.process_element1("k1", 10)
    found.process_element2("k2", 10)
    found.process_watermark(10)
    found.process_element2("k3", 10)
    assert pairs(found) == [("1", "2")]
    assert found.counters[LATE_RECORDS] == 1


@pytest.mark.parametrize("first", [True, False])
def test_a_missing_timestamp_is_an_error(first):
    """An element without a timestamp ends the job, with the operator and the element named."""
    found = harness(Interval(0, 0))
    push = found.process_element1 if first else found.process_element2
    with pytest.raises(MissingTimestampError, match="operator 'join' needs event time, but element 'k1'"):
        push("k1")


def test_elements_without_keys_are_an_error():
    """A join outside of keyed streams says so."""
    with pytest.raises(UsageError, match="two keyed streams"):
        harness(Interval(0, 0), key=None).process_element1("k1", 0)


def test_an_error_of_the_function_names_the_pair():
    """What a join function raises is wrapped with the operator's name and both elements."""

    class Fails(ProcessJoinFunction):
        def process_element(self, left, right, ctx):
            raise ValueError(right)

    found = harness(Interval(0, 0), Fails())
    found.process_element1("k1", 0)
    with pytest.raises(UserFunctionError, match="ValueError: k2") as raised:
        found.process_element2("k2", 0)
    assert (raised.value.operator, raised.value.element) == ("join", "('k1', 'k2')")


def test_the_function_has_state_of_the_key():
    """Keyed state is that of the pair's key, also while a long buffer is searched."""

    class Counted(ProcessJoinFunction):
        def open(self, runtime_context):
            self.count = runtime_context.get_state(ValueStateDescriptor("count"))

        def process_element(self, left, right, ctx):
            self.count.update((self.count.value() or 0) + 1)
            yield left, self.count.value()

    found = harness(Interval(0, 100), Counted())
    found.process_elements2([(f"a{number}", number) for number in range(101)])
    found.process_elements2([("b0", 0)])
    found.process_elements1([("a!", 0), ("b!", 0)])
    assert found.values()[-2:] == [("a!", 101), ("b!", 1)]


def test_buffers_are_emptied_as_time_passes():
    """Left elements stay until the watermark is at ts + upper, right ones until ts - lower; then nothing is left."""
    found = harness(Interval(-2, 3))
    for push in (found.process_elements1, found.process_elements2):
        push([("k", time) for time in (0, 1, 2)])
    for watermark, left, right in [(1, [0, 1, 2], [0, 1, 2]), (2, [0, 1, 2], [1, 2]), (3, [1, 2], [2])]:
        found.process_watermark(watermark)
        assert found._operator.buffered("k") == (left, right)
    found.process_watermark(5)
    assert (found.num_state_entries(), found.num_event_timers()) == (0, 0)


def test_a_restored_join_goes_on():
    """Buffers and their timers are in the snapshot: a new operator joins what came before, and cleans it up."""
    found = harness(Interval(0, 10))
    found.process_elements1([("k1", 5), ("k2", 6)])
    operator = IntervalJoinOperator(Pair(), Interval(0, 10))
    key = lambda value: value[0]  # noqa: E731
    restored = TwoInputOperatorHarness(operator, key, key, snapshot=found.snapshot())
    restored.process_element2("k3", 15)
    restored.process_watermark(16)
    assert restored.output == [Record(("k1", "k3"), 15), Record(("k2", "k3"), 15), WatermarkOut(16)]
    assert restored.num_state_entries() == 0


def test_bounds_and_times_at_the_limits():
    """Nothing overflows: with bounds of 64 bits everything joins, and is kept until the last watermark."""
    found = harness(Interval(LONG_MIN, LONG_MAX))
    found.process_element1("k1", LONG_MIN + 1)
    found.process_element2("k2", -1)
    found.process_element1("k3", 2)
    assert found.values() == [("k1", "k2"), ("k3", "k2")]
    found.process_element2("k4", LONG_MAX)
    assert len(found.values()) == 3  # too far from k1: more than 2^63-1 behind it
    found.process_watermark(LONG_MAX - 1)
    assert found._operator.buffered("k") == ([2], [-1, LONG_MAX])
    found.end_of_input()
    assert found.num_state_entries() == 0


def test_close_closes_the_function():
    """The join function is opened and closed once."""
    calls = []

    class Logged(Pair):
        def open(self, runtime_context):
            calls.append("open")

        def close(self):
            calls.append("close")

    harness(Interval(0, 0), Logged()).close()
    assert calls == ["open", "close"]


@settings(print_blob=True)
@given(
    steps=st.lists(
        st.one_of(
            st.tuples(st.sampled_from(["left", "right"]), st.sampled_from("ab"), st.integers(-10, 25)),
            st.tuples(st.just("watermark"), st.integers(-1, 6)),
            st.just(("cut",)),
        ),
        max_size=60,
    ),
    stored=st.frozensets(st.integers(0, 60)),
    changeable=st.booleans(),
)
def test_neither_long_buffers_nor_stored_ones_change_results(steps, stored, changeable):
    """Pairs, their order, late elements and timers are the same for short buffers at hand, stored ones and leaves."""

    def play(stored, leaf_elements):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(buffer, "LEAF_ELEMENTS", leaf_elements)
            found = harness(Interval(-4, 3))
            batches, watermark = {"left": [], "right": []}, -12
            for number, step in enumerate([*steps, ("cut",)]):
                if step[0] in batches:
                    # One side at a time: a batch is of one input.
                    other = "right" if step[0] == "left" else "left"
                    push(found, other, batches)
                    value = (step[1], number)
                    batches[step[0]].append((list(value) if changeable else value, step[2]))
                    continue
                for side in ("left", "right"):
                    push(found, side, batches)
                if step[0] == "watermark":
                    watermark += step[1]
                    found.process_watermark(watermark)
                if number in stored:
                    found.snapshot()
            return found.output, found.counters, len({key for _, key, _ in found.event_timers()})

    def push(found, side, batches):
        if batches[side]:
            (found.process_elements1 if side == "left" else found.process_elements2)(batches[side])
            batches[side] = []

    expected = play(frozenset(range(61)), 128)
    assert play(frozenset(), 128) == expected
    assert play(stored, 128) == expected
    assert play(stored, 2) == expected
