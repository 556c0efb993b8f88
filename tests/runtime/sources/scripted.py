"""A source whose splits are scripts: what they give, in which portions, is written in the test."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from windrow.common.watermark import Watermark
from windrow.connectors.source import (
    Boundedness,
    InputStatus,
    Source,
    SourceEvent,
    SourceReader,
    SourceSplit,
    SplitEnumerator,
    available,
)


@dataclass
class Script(SourceSplit):
    """``steps`` are (value, timestamp), Watermark, "idle", "active", Nothing, Say, Main or an error to raise."""

    name: str
    steps: list[Any]
    position: int = 0
    #: A split without an end waits for more when its script is over.
    ends: bool = True

    def split_id(self) -> str:
        return self.name


class Nothing:
    """A poll that finds nothing."""


@dataclass
class Say(SourceEvent):
    text: str


@dataclass
class Main:
    """A record that comes from the reader's main output, and not from its split's."""

    value: Any
    timestamp: int


@dataclass
class ScriptedSource(Source[Any, Script, Any]):
    """Deals ``splits`` to the readers in turn: at once, or ``on_request``, one for each request."""

    splits: list[Script]
    on_request: bool = False
    is_bounded: bool = True
    #: Records of a split in one poll.
    portion: int = 1
    #: Whether readers can pause splits.
    pausable: bool = True
    #: Whether it says that all splits are assigned at the start, which they are unless they are asked for.
    says_so: bool = False

    def get_boundedness(self) -> Boundedness:
        return Boundedness.BOUNDED if self.is_bounded else Boundedness.CONTINUOUS_UNBOUNDED

    @property
    def assigns_at_start(self) -> bool:
        return self.says_so

    def create_enumerator(self, enum_context: Any) -> Any:
        return ScriptedEnumerator(enum_context, self, list(self.splits))

    def restore_enumerator(self, enum_context: Any, checkpoint: Any) -> Any:
        return ScriptedEnumerator(enum_context, self, checkpoint)

    def create_reader(self, reader_context: Any) -> Any:
        return ScriptedReader(reader_context, self)


class ScriptedEnumerator(SplitEnumerator[Script, Any]):
    def __init__(self, context: Any, source: ScriptedSource, splits: list[Script]) -> None:
        self._context = context
        self._source = source
        self._splits = splits

    def start(self) -> None:
        """Nothing to look for."""

    def add_reader(self, subtask_id: int) -> None:
        if self._source.on_request:
            return
        mine = self._splits[subtask_id :: self._context.current_parallelism()]
        if mine:
            self._context.assign_splits({subtask_id: mine})
        if self._source.is_bounded:
            self._context.signal_no_more_splits(subtask_id)
        if subtask_id == self._context.current_parallelism() - 1:
            self._splits = []

    def handle_split_request(self, subtask_id: int, requester_hostname: str | None) -> None:
        if self._splits:
            self._context.assign_split(self._splits.pop(0), subtask_id)
        elif self._source.is_bounded:
            self._context.signal_no_more_splits(subtask_id)

    def handle_source_event(self, subtask_id: int, source_event: Any) -> None:
        self._context.send_event_to_source_reader(subtask_id, Say(f"{source_event.text}, said {subtask_id}"))

    def add_splits_back(self, splits: Any, subtask_id: int) -> None:
        self._splits += splits

    def snapshot_state(self, checkpoint_id: int) -> Any:
        return list(self._splits)

    def close(self) -> None:
        """Nothing is open."""


@dataclass
class ScriptedReader(SourceReader[Any, Script]):
    """Gives a portion of one split after the other."""

    context: Any
    source: ScriptedSource
    splits: list[Script] = field(default_factory=list)
    turn: int = 0
    no_more: bool = False
    heard: list[str] = field(default_factory=list)
    paused: set[str] = field(default_factory=set)

    def start(self) -> None:
        self._ask()

    def _ask(self) -> None:
        if self.source.on_request and not self.splits:
            self.context.send_split_request()

    def add_splits(self, splits: Any) -> None:
        self.splits += splits

    def notify_no_more_splits(self) -> None:
        self.no_more = True

    def handle_source_events(self, source_event: Any) -> None:
        self.heard.append(source_event.text)

    def poll_next(self, output: Any) -> InputStatus:
        while self.heard:
            output.collect(self.heard.pop(0))
        for split in [split for split in self.splits if split.ends and split.position >= len(split.steps)]:
            self.splits.remove(split)
            output.release_output_for_split(split.name)
            self._ask()
        ready = self._ready()
        if not ready:
            return InputStatus.END_OF_INPUT if self.no_more and not self.splits else InputStatus.NOTHING_AVAILABLE
        split = ready[self.turn % len(ready)]
        self.turn += 1
        to = output.create_output_for_split(split.name)
        for step in split.steps[split.position : split.position + self.source.portion]:
            split.position += 1
            match step:
                case Watermark():
                    to.emit_watermark(step)
                case "idle":
                    to.mark_idle()
                case "active":
                    to.mark_active()
                case Say():
                    self.context.send_source_event_to_coordinator(step)
                case type():
                    return InputStatus.NOTHING_AVAILABLE
                case Main(value, timestamp):
                    output.collect(value, timestamp)
                case Exception():
                    raise step
                case (value, timestamp):
                    to.collect(value, timestamp)
        return InputStatus.MORE_AVAILABLE

    def _ready(self) -> list[Script]:
        return [split for split in self.splits if split.position < len(split.steps) and split.name not in self.paused]

    def is_available(self) -> Future[Any]:
        return available() if self._ready() else Future()

    def pause_or_resume_splits(self, splits_to_pause: Any, splits_to_resume: Any) -> None:
        if not self.source.pausable:
            super().pause_or_resume_splits(splits_to_pause, splits_to_resume)
        assert {*splits_to_pause, *splits_to_resume} <= {split.name for split in self.splits}
        self.paused = (self.paused | set(splits_to_pause)) - set(splits_to_resume)

    def snapshot_state(self, checkpoint_id: int) -> list[Script]:
        return list(self.splits)

    def close(self) -> None:
        """Nothing is open."""
