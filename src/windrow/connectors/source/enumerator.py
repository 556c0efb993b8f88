"""The side of a source that finds splits and deals them to readers; one of it runs, in the program's own process."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from windrow.connectors.source.split import SourceEvent, SourceSplit

SplitT = TypeVar("SplitT", bound=SourceSplit)
CheckpointT = TypeVar("CheckpointT")


@dataclass(frozen=True)
class ReaderInfo:
    """A reader that has registered: the subtask it is, and the host it runs on ("" where that is not known)."""

    subtask_id: int
    location: str = ""


class SplitEnumeratorContext(ABC, Generic[SplitT]):
    """Serves an enumerator.

    Flink's ``org.apache.flink.api.connector.source.SplitEnumeratorContext``. All of an enumerator's methods, and the
    handlers of :meth:`call_async`, are called one after the other, never at the same time.
    """

    @abstractmethod
    def current_parallelism(self) -> int:
        """Count the readers of the source."""

    @abstractmethod
    def registered_readers(self) -> Mapping[int, ReaderInfo]:
        """The readers that have registered, by subtask."""

    @abstractmethod
    def assign_splits(self, assignments: Mapping[int, Sequence[SplitT]]) -> None:
        """Give splits to readers, by subtask.

        Raises:
            UsageError: there is no such reader, or it was told that no more splits come.
        """

    def assign_split(self, split: SplitT, subtask: int) -> None:
        """Give one split to a reader."""
        self.assign_splits({subtask: [split]})

    @abstractmethod
    def signal_no_more_splits(self, subtask: int) -> None:
        """Tell a reader that it gets no more splits: it ends when it has read those it has."""

    @abstractmethod
    def send_event_to_source_reader(self, subtask: int, event: SourceEvent) -> None:
        """Send something else to a reader; it comes behind the splits that were assigned before."""

    @abstractmethod
    def call_async(
        self,
        callable: Callable[[], Any],  # noqa: A002  (Flink's name)
        handler: Callable[[Any, BaseException | None], None],
        initial_delay: int = 0,
        period: int = 0,
    ) -> None:
        """Call ``callable`` in a thread of its own, then ``handler`` with its result or error in the enumerator's turn.

        Args:
            callable: What takes long: listing a directory, asking a broker. It must not touch the enumerator's fields.
            handler: Takes (result, None), or (None, error).
            initial_delay: Milliseconds to wait before the first call.
            period: Milliseconds between two calls; 0: it is called once.
        """

    @abstractmethod
    def run_in_coordinator_thread(self, runnable: Callable[[], None]) -> None:
        """Call ``runnable`` in the enumerator's turn."""


class SplitEnumerator(ABC, Generic[SplitT, CheckpointT]):
    """Finds splits and deals them to readers (Flink's ``org.apache.flink.api.connector.source.SplitEnumerator``).

    It is made by ``Source.create_enumerator`` when a job first starts and by ``Source.restore_enumerator`` when it
    starts again. Splits that were assigned belong to the readers and are in their state: they are no part of the
    enumerator's checkpoint.
    """

    @abstractmethod
    def start(self) -> None:
        """Called first; the place for ``context.call_async``."""

    @abstractmethod
    def handle_split_request(self, subtask_id: int, requester_hostname: str | None) -> None:
        """A reader asks for a split: assign one, now or later, or signal that there are no more."""

    @abstractmethod
    def add_splits_back(self, splits: Sequence[SplitT], subtask_id: int) -> None:
        """Take back splits that were assigned to a reader which has died before a checkpoint knew of them.

        Windrow's runtimes never call it: what was assigned is in the checkpoint at once, and a reader that is made anew
        is given it. It is there for enumerators that are written for Flink, and for tests of their own.
        """

    @abstractmethod
    def add_reader(self, subtask_id: int) -> None:
        """A reader has registered."""

    @abstractmethod
    def snapshot_state(self, checkpoint_id: int) -> CheckpointT:
        """Give what is needed to go on after a restart: splits not assigned yet, and what is known of the source."""

    @abstractmethod
    def close(self) -> None:
        """The job has ended, or is about to start again."""

    def handle_source_event(self, subtask_id: int, source_event: SourceEvent) -> None:
        """A reader has sent an event. Readers whose enumerator does not override this should not."""
        msg = f"{type(self).__name__} got {source_event!r} from reader {subtask_id} and has no handle_source_event"
        raise NotImplementedError(msg)

    def unassigned_splits(self) -> int | None:
        """Count the splits that are found and that no reader has yet (Flink's ``unassignedSplits``).

        Asked for in the enumerator's turn, of a job that somebody looks at; None, if it is not overridden: not known.
        """
        return None

    def notify_checkpoint_complete(self, checkpoint_id: int) -> None:
        """A batch, and what it has read, is committed."""
