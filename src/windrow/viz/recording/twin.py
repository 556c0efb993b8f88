"""The interface of twins: they do the same as an operator beside it, so that what happens inside can be seen."""

from __future__ import annotations

from typing import Any, Protocol

from windrow.common.copies import copied
from windrow.elements.batch import Batch
from windrow.operators.base import OperatorContext
from windrow.state.keys import key_of_user
from windrow.viz.recording.outputs import CollectedOutput


class Twin(Protocol):
    """Gets what the operator gets, right behind it, and says what happened."""

    def open(self, name: str) -> None:
        """Begin, as an operator of this name."""

    def draw_lots_of(self, snapshot: Any) -> None:
        """Take over what the operator has drawn by lot, from its snapshot."""

    def process(self, key: Any, value: Any, timestamp: int, which_input: int, context: OperatorContext) -> None:
        """An element has come."""

    def watermark(self, context: OperatorContext) -> None:
        """The watermark is now that of ``context``."""

    def processing_time(self, context: OperatorContext) -> None:
        """Processing time is now that of ``context``."""

    def settle(self, place: int, collected: CollectedOutput) -> None:
        """See that the operator has given what the events behind ``place`` say, and note its results there.

        Raises:
            UsageError: it has not.
        """


def single(key: Any, value: Any, timestamp: int) -> Batch:
    """One element as a batch."""
    return Batch([value], [timestamp], [key])


def shown_key(key: Any) -> Any:
    """A key as a trace shows it: as its selector gave it."""
    return copied(key_of_user(key))
