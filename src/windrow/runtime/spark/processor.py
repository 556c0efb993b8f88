"""The stateful processor that is a level of a streaming query to Spark; its work is loaded when rows come.

For each level Spark also starts a Python on the driver, which asks what state there is and ends. It would take longer
to import what works than to answer.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pyspark.sql import Row
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

from windrow.runtime.spark.driver_pythons import finding_windrow

if TYPE_CHECKING:
    from windrow.runtime.spark.level_work import LevelWork


class LevelProcessor(StatefulProcessor):  # type: ignore[misc]
    """One level of the job: its work as bytes, so that this class can be read without it."""

    def __init__(self, work: LevelWork) -> None:
        self._work = pickle.dumps(work)
        #: The grouping keys whose rows have come.
        self._come: set[Any] = set()

    def __reduce__(self) -> tuple[Any, ...]:
        return finding_windrow(type(self), vars(self))

    @cached_property
    def _loaded(self) -> LevelWork:
        work: LevelWork = pickle.loads(self._work)
        return work

    def init(self, handle: StatefulProcessorHandle) -> None:
        self._state = handle.getMapState("pages", "page string", "data binary")

    def handleInputRows(self, key: Any, rows: Iterator[Row], timerValues: Any) -> Iterator[Row]:  # noqa: N802, N803
        if key in self._come:
            msg = (
                f"Spark has given the rows of group {key} in portions, and a subtask has to see a batch as a whole: "
                "set spark.sql.execution.arrow.maxRecordsPerBatch to more than it has rows and pages"
            )
            raise RuntimeError(msg)
        self._come.add(key)
        yield from self._loaded.run(rows, self._state)

    def handleInitialState(self, key: Any, initialState: Row, timerValues: Any) -> None:  # noqa: N802, N803
        from windrow.runtime.spark.state_assignment.pages import take_in
        from windrow.runtime.spark.state_pages import StatePages

        # One by one: between two of them PySpark has something else to ask.
        take_in(StatePages(self._state), initialState.page, bytes(initialState.data))

    def close(self) -> None:
        """Operators live on in the worker process for the next batch."""
