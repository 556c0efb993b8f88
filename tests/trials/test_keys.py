"""Keys that Python does not compare as Java does."""

import pytest

from tests.trials.trial import Trial, play, rows
from windrow.common import Row, Types, WatermarkStrategy
from windrow.datastream.functions import KeyedProcessFunction, ProcessWindowFunction
from windrow.datastream.state import ValueStateDescriptor
from windrow.datastream.window import TumblingEventTimeWindows
from windrow.errors import UnhashableKeyError

NAN = "float('nan')"
LOCAL = ("local",)


class Count(KeyedProcessFunction):
    """Counts a key's elements, and says the key."""

    def open(self, runtime_context):
        self.count = runtime_context.get_state(ValueStateDescriptor("count", Types.INT()))

    def process_element(self, value, ctx):
        count = (self.count.value() or 0) + 1
        self.count.update(count)
        yield repr(ctx.get_current_key()), count


def _counts(*keys):
    """The last count of each key; keys are given as text, so that each element has its own object."""

    def do(env, folder):
        stream = env.from_collection(list(keys)).key_by(lambda text: eval(text, {"Row": Row}))
        return sorted(dict(stream.process(Count()).execute_and_collect()).items())

    return do


class KeyAndSum(ProcessWindowFunction):
    def process(self, key, context, elements):
        yield key, sum(value for _, value in elements)


def _windows(env, folder):
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda element, _: 1)
    elements = env.from_collection([(["a", 1], 1), (["b", 2], 2), (["a", 1], 3)])
    elements = elements.assign_timestamps_and_watermarks(strategy)
    windows = elements.key_by(lambda element: element[0]).window(TumblingEventTimeWindows.of(1000))
    return sorted(windows.process(KeyAndSum()).execute_and_collect())


def _changed(env, folder):
    """The element's own list is the key, and a map behind an early result changes the element."""

    class Push(KeyedProcessFunction):
        def open(self, runtime_context):
            self.count = runtime_context.get_state(ValueStateDescriptor("count", Types.INT()))

        def process_element(self, value, ctx):
            self.count.update((self.count.value() or 0) + 1)
            value["key"].append("changed")
            ctx.get_current_key().append("changed")
            yield ctx.get_current_key(), self.count.value()

    stream = env.from_collection([{"key": ["a"]}, {"key": ["a"]}]).key_by(lambda element: element["key"])
    return list(stream.process(Push()).execute_and_collect())


_REFUSED = (
    "the key selector of operator 'key_by after Source: Collection Source' returned {}, which cannot be a key: it "
    "is not hashable; return a number, a string, or a tuple or a list of them"
)
TRIALS = [
    Trial("NaN as a key", _counts(NAN, NAN, "1.5", NAN), gives=[("1.5", 1), ("nan", 3)]),
    Trial("NaN in a tuple as a key", _counts(*[f"('a', {NAN})"] * 2), gives=[("('a', nan)", 2)], runtimes=LOCAL),
    Trial("NaN in a row as a key", _counts(*[f"Row(a={NAN})"] * 2), gives=[("Row(a=nan)", 2)], runtimes=LOCAL),
    Trial("0.0 and -0.0 as keys", _counts("0.0", "-0.0", "0.0"), gives=[("-0.0", 1), ("0.0", 2)], runtimes=LOCAL),
    Trial("1, 1.0 and True as keys", _counts("1", "1.0", "True"), gives=[("1", 1), ("1.0", 2), ("True", 3)]),
    Trial("a list as the key of windows", _windows, gives=[(["a", 1], 4), (["b", 2], 2)]),
    Trial("the list that is the key is changed", _changed, gives=[(["a"], 1), (["a"], 2)], runtimes=LOCAL),
    Trial(
        "a dict as a key",
        _counts("{}"),
        error=UnhashableKeyError,
        says=_REFUSED.format("{} (dict)"),
        runtimes=LOCAL,
    ),
    Trial(
        "a dict in a list as a key",
        _counts("['a', {}]"),
        error=UnhashableKeyError,
        says=_REFUSED.format("['a', {}] (list)"),
        runtimes=LOCAL,
    ),
]


@pytest.mark.parametrize(("runtime", "trial"), rows(TRIALS))
def test_keys_are_one_where_java_says_so(trial, env, tmp_path):
    """Whether two elements have one key does not depend on the objects that stand for it."""
    play(trial, env, tmp_path)
