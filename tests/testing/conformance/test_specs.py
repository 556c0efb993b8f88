import json
import pickle

import pytest

from tests.testing.conformance.cases import FOLDER
from windrow.datastream.window import EndOfStreamTrigger, TimeWindow, WindowStagger
from windrow.testing.conformance.loader import load_cases
from windrow.testing.conformance.specs import make_assigner, make_evictor, make_key_selector, make_trigger
from windrow.testing.conformance.trigger_kind import run_trigger_case
from windrow.testing.conformance.window_functions import function_of

OPERATORS = [case["operator"] for case in load_cases([FOLDER]) if case["operator"]["kind"].endswith("window")]


@pytest.mark.parametrize("operator", [pytest.param(o, id=json.dumps(o["assigner"])) for o in OPERATORS if "key" in o])
def test_everything_survives_pickling(operator):
    """All that a window case is made of can be sent to another process."""
    parts = [
        make_assigner(operator["assigner"]),
        make_trigger(operator["trigger"]),
        make_evictor(operator["evictor"]),
        make_key_selector(operator["key"]),
        function_of(operator),
    ]
    again = pickle.loads(pickle.dumps(parts))
    assert [type(part) for part in again] == [type(part) for part in parts]


def test_point_sessions():
    """An element whose field 1 is 33 gets a window without any length."""
    assigner = make_assigner({"type": "PointSessionWindows", "gap": 3000})
    assert assigner.assign_windows(("key", 33), 1000, None) == [TimeWindow(1000, 1000)]
    assert assigner.assign_windows(("key", 1), 1000, None) == [TimeWindow(1000, 4000)]


def test_gap_rules():
    """The first rule that matches all its fields decides the gap."""
    rules = [{"field0": "a", "field1": 10, "gap": 1000}, {"field0": "a", "gap": 2000}, {"any": True, "gap": 5}]
    assigner = make_assigner({"type": "DynamicEventTimeSessionWindows", "gap": {"rules": rules}})
    ends = [assigner.assign_windows(value, 0, None)[0].end for value in [("a", 10), ("a", 9), ("b", 10)]]
    assert ends == [1000, 2000, 5]


def test_parts_with_options():
    """Stagger, default trigger and the evictor's side are read from the case."""
    tumbling = make_assigner({"type": "TumblingEventTimeWindows", "size": 5, "offset": 1, "stagger": "RANDOM"})
    assert (tumbling.offset, tumbling.window_stagger) == (1, WindowStagger.RANDOM)
    ending = make_assigner({"type": "GlobalWindows", "default_trigger": "EndOfStreamTrigger"})
    assert isinstance(ending.get_default_trigger(), EndOfStreamTrigger)
    assert make_evictor({"type": "TimeEvictor", "size": 5, "evict_after": True}).do_evict_after
    assert make_evictor(None) is None


def test_a_trigger_that_fires_whenever_it_is_asked_keeps_nothing():
    """Elements and due timers fire; there are no timers of its own and no state."""
    window = [0, 10]
    run_trigger_case(
        {
            "operator": {"kind": "trigger", "trigger": {"type": "FireEverytimeTrigger"}},
            "steps": [
                {"element": {"value": 1, "ts": 3, "window": window}, "expect_result": "FIRE"},
                {"expect_counts": {"state_entries": 0, "event_timers": 0, "processing_timers": 0}},
                {"watermark": 20, "expect_firings": [], "match": "exact"},
                {"clear": window},
                {"expect_can_merge": True},
            ],
        }
    )


@pytest.mark.parametrize(
    ("make", "spec"),
    [
        (make_assigner, {"type": "Unheard"}),
        (make_assigner, {"type": "GlobalWindows", "default_trigger": "Unheard"}),
        (make_trigger, {"type": "Unheard"}),
        (make_evictor, {"type": "Unheard"}),
        (make_key_selector, "Unheard"),
        (function_of, {"function_id": "Unheard"}),
    ],
)
def test_unknown_parts_are_named(make, spec):
    """What is not known is named together with what is."""
    with pytest.raises(ValueError, match="'Unheard' is not known; known are"):
        make(spec)


def test_key_selectors():
    """Keys are a field of the element, or the same for all."""
    assert make_key_selector("field 0")(("a", 1)) == "a"
    constant = make_key_selector("constant (every element has the same key)")
    assert constant(("a", 1)) == constant(("b", 2))


@pytest.mark.parametrize(
    ("function_id", "elements", "results"),
    [
        ("reduce_session_sum", [("a", 5)], [("k-5", 0, 10)]),
        ("list_sum", [("a", 1), ("a", 2)], [("k", 3)]),
        ("list_session_sum", [("a", 1), ("a", 2)], [("k-3", 0, 10)]),
        ("list_passthrough", [("a", 1), ("a", 2)], [("a", 1), ("a", 2)]),
        ("list_got_string", [("a", 1), ("b", 2)], ["GOT: (a,1),(b,2)"]),
        ("list_empty", [("a", 1)], []),
        ("list_reduce_sum", [("a", 1), ("b", 2)], [("b", 3)]),
        ("list_int_sum_with_window", [1, 2], [((0, 10), 3)]),
    ],
)
def test_window_functions(function_id, elements, results):
    """Each function does what its description in the table says."""
    function = function_of({"function_id": function_id}).function
    assert list(function.apply("k", TimeWindow(0, 10), elements)) == results


def test_process_function_api():
    """A case whose source uses a process window function gets one with the same result."""

    class Context:
        @staticmethod
        def window():
            return TimeWindow(0, 10)

    function = function_of({"function_id": "list_session_sum", "function_api": "ProcessWindowFunction"}).function
    assert list(function.process("k", Context, [("a", 1)])) == [("k-1", 0, 10)]


def test_reduce_sum():
    """The reduced pair has the key of the second element."""
    case_function = function_of({"function_id": "reduce_sum"})
    assert case_function.function is None
    assert case_function.reduce(("a", 1), ("b", 2)) == ("b", 3)
