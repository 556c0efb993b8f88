"""Reads keyed state out of a checkpoint or a savepoint."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from windrow.common.checks import instance_of, text
from windrow.common.limits import MIN_WATERMARK
from windrow.elements.inert import loads_inert
from windrow.errors import CheckpointError, ConfigurationError
from windrow.runtime.checkpoint_files import damaged_error
from windrow.runtime.stage.chain import tag_of_owner
from windrow.state.directory import read_root
from windrow.state_processor.functions import KeyedStateReaderFunction
from windrow.state_processor.readings import (
    VALUES_SCHEMA,
    FunctionReading,
    Reading,
    ValuesReading,
    rows_of_page,
    rows_of_subtask,
)
from windrow.state_processor.stored import Stored, stored_at

if TYPE_CHECKING:
    from windrow.runtime.spark.stored_values import KeyedStateOf


class SavepointReader:
    """Reads the values in a checkpoint or a savepoint (Flink's ``SavepointReader``).

    It unpickles them: who may write to the directory may run code here. ``windrow.state_processor.describe`` does not.
    """

    def __init__(self, stored: Stored) -> None:
        self._stored = stored

    @staticmethod
    def read(path: str, spark: Any = None) -> SavepointReader:
        """Open a checkpoint or a savepoint. It is only read; a job may be running on it.

        Args:
            path: Its directory: a path, or a URI of a file system that Spark knows.
            spark: The Spark session to read it with; None: the active one, or a new one.

        Raises:
            ConfigurationTypeError: the path is no string.
            CheckpointError: there is no checkpoint, one in which no batch is committed, or one that is damaged or of
                another version of Windrow.
            JobExecutionError: Spark does not start, or a file system does not answer.
        """
        stored = stored_at(path, spark)
        if stored.batch < 0:
            msg = f"{stored.location} has no state yet: none of its batches is committed"
            raise CheckpointError(msg)
        return SavepointReader(stored)

    def values(self, uid: str, classes: Iterable[type] = ()) -> Any:
        """All keyed state of an operator as text, in a DataFrame.

        A row is a state of a key, in a window or another namespace: ``key``, ``state``, ``window_start`` and
        ``window_end`` (milliseconds), ``namespace``, ``value``. Windows, joins and running results have the names that
        Windrow gives to what they keep.

        Args:
            uid: The operator's uid, or the number that ``windrow state`` shows.
            classes: Classes of the program itself (``__main__``) whose objects are in the state.

        Raises:
            ConfigurationError: the checkpoint has no such operator; those that it has are named.
        """
        kinds = tuple([instance_of(kind, type, "each of classes") for kind in classes])
        return self._frame(uid, ValuesReading(), VALUES_SCHEMA, kinds)

    def read_keyed_state(self, uid: str, function: KeyedStateReaderFunction, schema: Any) -> Any:
        """Call a function with each key of an operator; its results are a DataFrame.

        Args:
            uid: The operator's uid, or the number that ``windrow state`` shows.
            function: Called with each key, in the workers.
            schema: The DataFrame's: a text such as ``"key string, count long"``, or a ``StructType`` of Spark's.

        Raises:
            ConfigurationError: the checkpoint has no such operator; those that it has are named.
        """
        instance_of(function, KeyedStateReaderFunction, "function of read_keyed_state")
        return self._frame(uid, FunctionReading(uid, function), schema, ())

    def _frame(self, uid: str, reading: Reading, schema: Any, classes: tuple[type, ...]) -> Any:
        from windrow.runtime.spark.stored_values import Rows

        of_page, of_subtask = partial(rows_of_page, reading), partial(rows_of_subtask, reading)
        rows = Rows(reading.open, reading.close, of_page, of_subtask, classes)
        return self._state_of(text(uid, "uid")).frame(self._stored.spark, rows, schema)

    def _state_of(self, uid: str) -> KeyedStateOf:
        from windrow.runtime.spark.stored_pages import operator_of
        from windrow.runtime.spark.stored_values import KeyedStateOf

        stored = self._stored
        levels = stored.layout["levels"]
        chains = {
            each: (level, head, entry["chain"])
            for level, entries in enumerate(levels)
            for head, entry in entries.items()
            for each in (head, *entry["chain"])
        }
        if uid not in chains:
            msg = f"{stored.location} has no operator {uid!r}; it has {', '.join(map(repr, chains))}"
            raise ConfigurationError(msg)
        level, head, behind = chains[uid]
        return KeyedStateOf(
            stored.half,
            stored.partitions,
            stored.state_format,
            stored.batch,
            uid,
            level,
            len(levels),
            self._with_columns(operator_of(level, len(levels)), [head, *behind], uid),
        )

    def _with_columns(self, operator: int, chain: list[str], uid: str) -> dict[int, int]:
        """The watermark of the operator in each subtask in which it keeps tables."""
        from windrow.runtime.spark.stored_pages import whole_pages

        stored = self._stored
        pages = whole_pages(stored.spark, stored.half, stored.partitions, stored.state_format, operator, stored.batch)
        watermarks: dict[int, int] = {}
        have: set[int] = set()
        for place, name, data in pages:
            owner, _, what = name.rpartition("/")
            try:
                if what == "pages" and tag_of_owner(owner) == uid and read_root(data)[2] is not None:
                    have.add(place)
                if what == "task" and owner == chain[0]:
                    kept = loads_inert(data).operators
                    of_chain = dict(zip(chain[-len(kept) :] if kept else (), kept, strict=True))
                    if uid in of_chain:
                        watermarks[place] = of_chain[uid].watermark
            except (pickle.UnpicklingError, AttributeError, TypeError, ValueError) as error:
                file = f"{stored.location}/spark/state"
                raise damaged_error(file, "state", f"{name!r}: {error}") from error
        return {place: watermarks.get(place, MIN_WATERMARK) for place in have}
