"""Makes elements of fetched records, and notes in the split's state how far it has come."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from windrow.connectors.source.reader import SourceOutput

E = TypeVar("E")
T = TypeVar("T")
StateT = TypeVar("StateT")


class RecordEmitter(ABC, Generic[E, T, StateT]):
    """Emits what a fetched record holds, none, one or several elements, and moves the split's state behind it.

    Flink's ``org.apache.flink.connector.base.source.reader.RecordEmitter``. It is the only one to change the state, so
    a snapshot is exact, however far fetchers have read ahead.
    """

    @abstractmethod
    def emit_record(self, element: E, output: SourceOutput[T], split_state: StateT) -> None:
        """Emit one fetched record to its split's output.

        Args:
            element: What the split reader has fetched.
            output: The output of the record's split.
            split_state: The split's state, which is to say afterwards that this record was read.
        """

    def emit_records(self, elements: Sequence[E], output: SourceOutput[T], split_state: StateT) -> None:
        """Emit several consecutive records of one split, which is one by one unless it is overridden.

        Override it with ``output.collect_batch`` where records are many and small. Flink has no such method.
        """
        emit_record = self.emit_record
        for element in elements:
            emit_record(element, output, split_state)


class RecordEvaluator(ABC, Generic[T]):
    """Says by an element that its split ends, for sources that do not know where themselves.

    Flink's ``org.apache.flink.connector.base.source.reader.RecordEvaluator``.
    """

    @abstractmethod
    def is_end_of_stream(self, record: T) -> bool:
        """Tell whether the split ends in front of this element: neither it nor any later one is emitted."""
