"""A source of numbers: splits are ranges, what is fetched at a time is written in the split."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from windrow.connectors.source import SourceSplit
from windrow.connectors.source_reader import (
    RecordEmitter,
    RecordEvaluator,
    RecordsBySplits,
    SingleThreadFetcherManager,
    SourceReaderBase,
    SplitReader,
    SplitsAddition,
)

#: Seconds until a test gives up waiting for another thread.
PATIENCE = 10


@dataclass(frozen=True)
class Numbers(SourceSplit):
    """The numbers from ``position`` to before ``end``; the split has no end if ``ends`` is false."""

    name: str
    position: int
    end: int
    portion: int = 2
    ends: bool = True

    def split_id(self) -> str:
        return self.name


class NumbersReader(SplitReader[int, Numbers]):
    """Fetches a portion of every split that is not paused; waits where there is nothing, until it is woken."""

    def __init__(self) -> None:
        self.splits: dict[str, Numbers] = {}
        self.positions: dict[str, int] = {}
        self.paused: set[str] = set()
        self.woken = threading.Event()
        self.waiting = threading.Event()
        self.closed = False

    def handle_splits_changes(self, splits_changes):
        for split in splits_changes.splits():
            if isinstance(splits_changes, SplitsAddition):
                self.splits[split.name] = split
                self.positions[split.name] = split.position
            else:
                del self.splits[split.name]

    def fetch(self):
        fetched = RecordsBySplits.builder()
        reading = [split for split in self.splits.values() if split.name not in self.paused]
        for split in reading:
            start = self.positions[split.name]
            end = self.positions[split.name] = min(start + split.portion, split.end)
            fetched.add_all(split, range(start, end))
            if end == split.end and split.ends:
                fetched.add_finished_split(split)
                del self.splits[split.name]
        built = fetched.build()
        if built.is_empty():
            self.waiting.set()
            assert self.woken.wait(PATIENCE)
            self.woken.clear()
        return built

    def wake_up(self):
        self.woken.set()

    def pause_or_resume_splits(self, splits_to_pause, splits_to_resume):
        self.paused |= {split.name for split in splits_to_pause}
        self.paused -= {split.name for split in splits_to_resume}

    def close(self):
        self.closed = True


class OneByOne(RecordEmitter[int, int, dict[str, Any]]):
    def emit_record(self, element, output, split_state):
        output.collect(element, timestamp=element * 10)
        split_state["position"] = element + 1


class Together(OneByOne):
    def emit_records(self, elements, output, split_state):
        output.collect_batch(elements, [element * 10 for element in elements])
        split_state["position"] = elements[-1] + 1


class Until(RecordEvaluator[int]):
    def __init__(self, limit):
        self.limit = limit

    def is_end_of_stream(self, record):
        return record >= self.limit


@dataclass
class NumbersReaderBase(SourceReaderBase[int, int, Numbers, dict[str, Any]]):
    """Keeps what it was told of the splits that finished."""

    context: Any
    make_manager: Callable[..., Any] = SingleThreadFetcherManager
    make_reader: Callable[[], Any] = NumbersReader
    emitter: Any = field(default_factory=OneByOne)
    evaluator: Any = None

    def __post_init__(self):
        manager = self.make_manager(self.make_reader)
        super().__init__(manager, self.emitter, self.context, eof_record_evaluator=self.evaluator)
        self.finished: list[dict[str, Any]] = []

    def on_split_finished(self, finished_split_states):
        self.finished.append({name: state["position"] for name, state in finished_split_states.items()})

    def initialized_state(self, split):
        return dict(vars(split))

    def to_split_type(self, split_id, split_state):
        return Numbers(**split_state)
