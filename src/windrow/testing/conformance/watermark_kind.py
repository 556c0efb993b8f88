"""Conformance cases of kind ``watermark``: generators, idleness, multiplexer, valve and the operator around them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from windrow.common.limits import NO_TIMESTAMP
from windrow.common.watermark import Watermark, WatermarkOutput
from windrow.common.watermark_generators import (
    AscendingTimestampsWatermarks,
    BoundedOutOfOrdernessWatermarks,
    NoWatermarksGenerator,
    WatermarkGenerator,
)
from windrow.common.watermark_idleness import IdlenessTimer
from windrow.common.watermark_strategy import WatermarkStrategy
from windrow.elements.batch import Batch
from windrow.operators.base import OperatorContext, Time
from windrow.operators.watermarks.multiplexer import WatermarkOutputMultiplexer
from windrow.operators.watermarks.timestamps_and_watermarks import TimestampsAndWatermarksOperator
from windrow.operators.watermarks.valve import StatusWatermarkValve
from windrow.state.keyed import KeyedState
from windrow.testing.conformance.failure import at_step, check, check_error
from windrow.testing.conformance.registry import handles

_DEFAULT_AUTO_INTERVAL = 200


@handles("watermark")
def run_watermark_case(case: dict[str, Any]) -> None:
    """Run one case.

    Args:
        case: As read from the table.

    Raises:
        ConformanceFailure: A check does not hold; the message names the step.
        ValueError: The case has a step or an operator that this kind does not know.
    """
    operator = case["operator"]
    for name, make in _PLAYERS.items():
        if name in operator:
            player = make(operator[name])
            break
    else:
        msg = f"a watermark case has one of {', '.join(_PLAYERS)} in its operator; got {sorted(operator)}"
        raise ValueError(msg)
    for number, step in enumerate(case["steps"]):
        with at_step(number, step):
            player.play(step)


class _Player:
    """Plays steps: a step's input or check goes to the method of its first key that has one."""

    def play(self, step: dict[str, Any]) -> None:
        for key in step:
            method: Callable[[dict[str, Any]], None] | None = getattr(self, f"play_{key}", None)
            if method is not None:
                method(step)
                return
        msg = f"unknown step {step}"
        raise ValueError(msg)


class _LastWatermark(WatermarkOutput):
    def __init__(self) -> None:
        self.watermark: int | None = None
        self.idle = False

    def emit_watermark(self, watermark: Watermark) -> None:
        self.watermark = watermark.timestamp
        self.idle = False

    def mark_idle(self) -> None:
        self.idle = True

    def mark_active(self) -> None:
        self.idle = False


class _LastWatermarkPlayer(_Player):
    def __init__(self) -> None:
        self.output = _LastWatermark()

    def play_expect_last_watermark(self, step: dict[str, Any]) -> None:
        check("last watermark", self.output.watermark, step["expect_last_watermark"])

    def play_expect_idle(self, step: dict[str, Any]) -> None:
        check("idle", self.output.idle, step["expect_idle"])


class _GeneratorPlayer(_LastWatermarkPlayer):
    def __init__(self, configuration: dict[str, Any]) -> None:
        super().__init__()
        self.generator = _generator(configuration)

    def play_event(self, step: dict[str, Any]) -> None:
        event = step["event"]
        self.generator.on_event(event.get("value"), event["ts"], self.output)

    def play_periodic_emit(self, step: dict[str, Any]) -> None:
        self.generator.on_periodic_emit(_LastWatermark() if step.get("output") == "discarded" else self.output)


class _IdlenessTimerPlayer(_Player):
    def __init__(self, configuration: dict[str, Any] | None) -> None:
        self.now = 0
        if configuration is not None:
            self.timer = self.make(configuration)

    def make(self, configuration: dict[str, Any]) -> IdlenessTimer:
        return IdlenessTimer(lambda: self.now, configuration["timeout"])

    def play_construct(self, step: dict[str, Any]) -> None:
        if "expect_error" in step:
            check_error(step, lambda: self.make(step["construct"]))
        else:
            self.timer = self.make(step["construct"])

    def play_check_idle(self, step: dict[str, Any]) -> None:
        idle = self.timer.check_if_idle()
        if "expect" in step:
            check("idle", idle, step["expect"])

    def play_advance_clock(self, step: dict[str, Any]) -> None:
        self.now += step["advance_clock"]

    def play_activity(self, step: dict[str, Any]) -> None:
        self.timer.activity()


class _MultiplexerPlayer(_LastWatermarkPlayer):
    def __init__(self, configuration: Any) -> None:
        super().__init__()
        self.multiplexer = WatermarkOutputMultiplexer(self.output)
        # Got once, as the source's tests do: an output may be used after it was unregistered.
        self.outputs: dict[tuple[str, str], WatermarkOutput] = {}

    def play_register(self, step: dict[str, Any]) -> None:
        name = step["register"]
        self.multiplexer.register_new_output(name)
        self.outputs[name, "immediate"] = self.multiplexer.get_immediate_output(name)
        self.outputs[name, "deferred"] = self.multiplexer.get_deferred_output(name)

    def play_unregister(self, step: dict[str, Any]) -> None:
        returned = self.multiplexer.unregister_output(step["unregister"])
        check("returned", returned, step.get("expect_returned", returned))

    def play_emit(self, step: dict[str, Any]) -> None:
        emit = step["emit"]
        self.outputs[emit["output"], emit["via"]].emit_watermark(Watermark(emit["watermark"]))

    def play_mark_idle(self, step: dict[str, Any]) -> None:
        mark = step["mark_idle"]
        self.outputs[mark["output"], mark["via"]].mark_idle()

    def play_periodic_emit(self, step: dict[str, Any]) -> None:
        self.multiplexer.on_periodic_emit()


class _QueueOutput:
    """Keeps what comes out as the table's items, until a check takes them."""

    def __init__(self) -> None:
        self.queue: deque[dict[str, Any]] = deque()

    def emit(self, value: Any, timestamp: int) -> None:
        self.queue.append({"value": value, "ts": timestamp})

    def emit_batch(self, batch: Batch) -> None:
        for value, timestamp in zip(batch.elements, batch.timestamp_list(), strict=True):
            self.emit(value, timestamp)

    def emit_side(self, tag_id: str, value: Any, timestamp: int) -> None:
        """Neither the valve nor the operator has side outputs."""

    def emit_watermark(self, timestamp: int) -> None:
        self.queue.append({"watermark": timestamp})

    def emit_status(self, *, idle: bool) -> None:
        self.queue.append({"status": "IDLE" if idle else "ACTIVE"})

    def check(self, expected: list[dict[str, Any]], *, then_empty: bool) -> None:
        """Take as many items as are expected; they, and with ``then_empty`` nothing more, must be there."""
        taken = [self.queue.popleft() for _ in range(min(len(expected), len(self.queue)))]
        check("output", taken, expected)
        if then_empty:
            check("output after that", list(self.queue), [])


class _ValvePlayer(_Player):
    def __init__(self, configuration: dict[str, Any]) -> None:
        self.output = _QueueOutput()
        self.valve = StatusWatermarkValve(configuration["channels"], self.output)

    def play_input_watermark(self, step: dict[str, Any]) -> None:
        self.valve.input_watermark(step["input_watermark"]["channel"], step["input_watermark"]["watermark"])

    def play_input_status(self, step: dict[str, Any]) -> None:
        self.valve.input_status(step["input_status"]["channel"], idle=step["input_status"]["status"] == "IDLE")

    def play_expect_output(self, step: dict[str, Any]) -> None:
        self.output.check(step["expect_output"], then_empty=step.get("then_empty", False))

    def play_expect_channel(self, step: dict[str, Any]) -> None:
        expected = dict(step["expect_channel"])
        channel = self.valve.channels[expected.pop("channel")]
        check("channel", {name: getattr(channel, name) for name in expected}, expected)


class _AssignOperatorPlayer(_Player):
    def __init__(self, configuration: dict[str, Any]) -> None:
        self.output = _QueueOutput()
        self.time = Time()
        strategy = WatermarkStrategy.for_generator(lambda: _generator(configuration.get("generator")))
        assigner = _timestamp_assigner(configuration.get("timestamp"))
        if assigner is not None:
            strategy = strategy.with_timestamp_assigner(assigner)
        if configuration.get("idle_timeout") is not None:
            strategy = strategy.with_idleness(configuration["idle_timeout"])
        interval = configuration.get("auto_interval")
        self.operator = TimestampsAndWatermarksOperator(
            strategy,
            auto_interval=_DEFAULT_AUTO_INTERVAL if interval is None else interval,
            emit_progressive=configuration.get("emit_progressive", True),
        )
        self.operator.open(OperatorContext("assign_operator", self.output, self.time, KeyedState(), None))

    def play_element(self, step: dict[str, Any]) -> None:
        timestamp = step["element"].get("ts")
        self.operator.process_element(step["element"]["value"], NO_TIMESTAMP if timestamp is None else timestamp)

    def play_watermark(self, step: dict[str, Any]) -> None:
        self.time.watermark = step["watermark"]
        self.operator.process_watermark(step["watermark"])

    def play_input_status(self, step: dict[str, Any]) -> None:
        self.operator.process_status(idle=step["input_status"] == "IDLE")

    def play_processing_time(self, step: dict[str, Any]) -> None:
        self.time.processing_time = step["processing_time"]
        self.operator.advance_processing_time(self.time.processing_time)

    def play_advance_processing_time(self, step: dict[str, Any]) -> None:
        for _ in range(step.get("repeat", 1)):
            self.play_processing_time({"processing_time": self.time.processing_time + step["advance_processing_time"]})

    def play_backpressure(self, step: dict[str, Any]) -> None:
        clock = self.operator.input_activity_clock
        if step["active"]:
            clock.pause()
        else:
            clock.un_pause()

    def play_expect(self, step: dict[str, Any]) -> None:
        self.output.check(step["expect"], then_empty=step.get("then_empty", False))

    def play_expect_timestamps(self, step: dict[str, Any]) -> None:
        records = [item for item in self.output.queue if "value" in item]
        check("timestamps", [record["ts"] for record in records], step["expect_timestamps"])
        self.output.queue.clear()


class _PeriodicGenerator(WatermarkGenerator):
    """The table's ``Periodic``: the LAST event's timestamp - 1, even if that is lower than before."""

    def __init__(self) -> None:
        self._last: int | None = None

    def on_event(self, event: Any, event_timestamp: int, output: WatermarkOutput) -> None:
        self._last = event_timestamp

    def on_periodic_emit(self, output: WatermarkOutput) -> None:
        output.emit_watermark(Watermark(NO_TIMESTAMP if self._last is None else self._last - 1))


class _PunctuatedGenerator(WatermarkGenerator):
    """The table's ``Punctuated``: field 1 of each event whose field 0 is true."""

    def on_event(self, event: Any, event_timestamp: int, output: WatermarkOutput) -> None:
        if event[0]:
            output.emit_watermark(Watermark(event[1]))

    def on_periodic_emit(self, output: WatermarkOutput) -> None:
        """Nothing."""


def _generator(configuration: dict[str, Any] | None) -> WatermarkGenerator:
    kind = "Never" if configuration is None else configuration["type"]
    short = kind.removesuffix("Generator").removesuffix("Watermarks").removesuffix("Watermark")
    if short == "BoundedOutOfOrderness":
        assert configuration is not None
        return BoundedOutOfOrdernessWatermarks(configuration["max_out_of_orderness"])
    makers: dict[str, Callable[[], WatermarkGenerator]] = {
        "AscendingTimestamps": AscendingTimestampsWatermarks,
        "Periodic": _PeriodicGenerator,
        "Punctuated": _PunctuatedGenerator,
        "Never": NoWatermarksGenerator,
        "No": NoWatermarksGenerator,
    }
    if short not in makers:
        msg = f"unknown watermark generator {kind!r}; known are {', '.join(makers)} and BoundedOutOfOrderness"
        raise ValueError(msg)
    return makers[short]()


def _timestamp_assigner(words: str | None) -> Callable[[Any, int], Any] | None:
    """Make what ``timestamp`` of an assign operator says: the element value, or one of its fields."""
    if words is None:
        return None
    if words.startswith("field "):
        field = int(words.removeprefix("field "))
        return lambda value, _: value[field]
    if "element value" in words:
        return lambda value, _: value
    msg = f"unknown timestamp assigner {words!r}; known are 'the element value' and 'field N'"
    raise ValueError(msg)


_PLAYERS: dict[str, Callable[[Any], _Player]] = {
    "generator": _GeneratorPlayer,
    "idleness_timer": _IdlenessTimerPlayer,
    "multiplexer": _MultiplexerPlayer,
    "valve": _ValvePlayer,
    "assign_operator": _AssignOperatorPlayer,
}
