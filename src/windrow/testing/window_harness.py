"""A harness for a windowed stream, from the same parts that a program gives to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from windrow.datastream.functions import AggregateFunction, KeySelector, NullByteKeySelector, ReduceFunction
from windrow.datastream.output_tag import OutputTag
from windrow.datastream.window import Evictor, Trigger, WindowAssigner
from windrow.errors import ConfigurationError
from windrow.operators.base import Operator
from windrow.operators.window.spec import WindowSpec, build
from windrow.operators.window.window_functions import UserWindowFunction
from windrow.testing.harness import OperatorHarness


class OperatorRecording(Protocol):
    """Takes a trace of an operator."""

    def observed(self, operator: Operator, what: WindowSpec, name: str) -> Operator:
        """The operator, under observation."""


def window_harness(
    assigner: WindowAssigner[Any, Any],
    *,
    key: KeySelector | Callable[[Any], Any] | None = None,
    reduce: ReduceFunction | Callable[[Any, Any], Any] | None = None,
    aggregate: AggregateFunction | None = None,
    function: UserWindowFunction | None = None,
    trigger: Trigger[Any, Any] | None = None,
    evictor: Evictor[Any, Any] | None = None,
    allowed_lateness: int = 0,
    late_tag: OutputTag | None = None,
    name: str = "window",
    snapshot: bytes | None = None,
    recording: OperatorRecording | None = None,
) -> OperatorHarness:
    """The harness of a window operator.

    Args:
        assigner: which windows an element belongs to.
        key: gives an element's key; None makes windows over the whole stream, as ``window_all`` does.
        reduce: combines elements as they come.
        aggregate: the same with an accumulator.
        function: a window function; alone it sees all elements, after ``reduce`` or ``aggregate`` their result.
        trigger: when windows fire; None takes the assigner's default.
        evictor: removes elements before or after the window function sees them.
        allowed_lateness: how many milliseconds after its end a window still takes elements.
        late_tag: the side output of elements that come later still.
        name: the operator's name in error messages.
        snapshot: state to begin with, from ``snapshot()`` of another harness.
        recording: takes a trace of what happens (``windrow.viz.Recording``), from the beginning on.

    Raises:
        ConfigurationError: the parts do not go together; a recording is to begin with state.

    Example:
        >>> from windrow.datastream.window import EventTimeSessionWindows
        >>> harness = window_harness(
        ...     EventTimeSessionWindows.with_gap(10), key=lambda word: word[0], reduce=lambda a, b: a + b
        ... )
        >>> harness.process_elements([("ab", 0), ("ac", 5), ("b", 7)])
        >>> restored = window_harness(
        ...     EventTimeSessionWindows.with_gap(10),
        ...     key=lambda word: word[0],
        ...     reduce=lambda a, b: a + b,
        ...     snapshot=harness.snapshot(),
        ... )
        >>> restored.process_watermark(20)
        >>> restored.records()
        [Record(value='abac', timestamp=14), Record(value='b', timestamp=16)]
    """
    if reduce is not None and aggregate is not None:
        msg = "window_harness takes reduce or aggregate; got both"
        raise ConfigurationError(msg)
    spec = WindowSpec(
        assigner,
        trigger,
        evictor,
        allowed_lateness,
        None if late_tag is None else late_tag.tag_id,
        incremental=aggregate if reduce is None else reduce,
        function=function,
        all_windows=key is None,
        name=name,
    )
    selector = NullByteKeySelector() if key is None else key
    operator = build(spec)
    if recording is not None:
        if snapshot is not None:
            msg = "a recording sees windows from their beginning, so window_harness takes it or a snapshot; got both"
            raise ConfigurationError(msg)
        operator = recording.observed(operator, spec, name)
    return OperatorHarness(operator, selector, name=name, snapshot=snapshot)
