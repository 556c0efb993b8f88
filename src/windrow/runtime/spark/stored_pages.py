"""The pages of a checkpoint, read by Spark's own reader of state, and what their headers say."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pyarrow as pa
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException

from windrow.runtime.checkpoint_files import damaged_error
from windrow.runtime.spark.failures import plainly
from windrow.runtime.spark.session import query_session
from windrow.runtime.spark.spark_half import SparkHalf
from windrow.runtime.stage.chain import tag_of_owner
from windrow.state.column_page import count_rows
from windrow.state.page import counts_of

#: Pages that are read as a whole: their owner, and what they are. Spark looks for them with the same pattern.
WHOLE = re.compile("(?s:(.+)/(pages|task|reader))")
#: Pages of keys; of columns; of elements that wait for the end of the input.
_KEYS = re.compile(r"(.+)/[0-9a-f]+/\d+\.[0-9a-f]+", re.DOTALL)
_COLUMNS = re.compile(r"(.+)/[0-9a-f]+/[^/]+/-?\d+/\d+", re.DOTALL)
_WAITING = re.compile(r"(.+)/input/\d+\.\d+", re.DOTALL)
_SCHEMA = (
    "place int, owner string, name string, pages long, size long, keys long, rows long, event_timers long, "
    "processing_timers long, data binary"
)
_TYPES = [pa.int32(), pa.string(), pa.string(), *[pa.int64()] * 6, pa.binary()]


class StoredPages(NamedTuple):
    """Some pages of a subtask, or one that is read as a whole."""

    #: The grouping key that brings rows to the subtask.
    place: int
    #: What the names of the pages begin with: whose they are.
    owner: str
    #: ``pages`` (a root), ``task`` or ``reader``, for a page that is read as a whole; ``input`` for elements that wait
    #: for the end of the input; else nothing.
    name: str
    pages: int
    size: int
    keys: int = 0
    #: Of tables of columns: windows of keys, results, elements.
    rows: int = 0
    #: How many keys have timers.
    event_timers: int = 0
    processing_timers: int = 0
    data: bytes | None = None

    @property
    def tag(self) -> str:
        """The tag of the operator that has keyed state in them; of all else, of the head of the chain."""
        return self.owner if self.name in ("task", "reader", "input") else tag_of_owner(self.owner)


def stored_pages(
    spark: Any, half: SparkHalf, partitions: int, state_format: int, operator: int, batch: int
) -> list[StoredPages]:
    """Read the pages that a level of a query has in its state behind a batch, counted in Spark's workers.

    Args:
        spark: A session.
        half: Spark's half of the checkpoint.
        partitions: How many partitions the query has.
        state_format: That of its state files.
        operator: The number of its stateful operator (:func:`operator_of`).
        batch: The batch, which is committed.

    Raises:
        CheckpointError: the state cannot be read; it is damaged, or a job has removed what it had behind that batch.
    """
    session = query_session(spark, partitions, state_format, local_files=half.is_local)
    with _reading(half):
        pages = pages_of_operator(session, half.location, operator, batch)
        return [StoredPages(*row) for row in pages.mapInArrow(_count, _SCHEMA).collect()]


def operator_of(level: int, levels: int) -> int:
    """Number a level among a query's stateful operators, which Spark counts from its end.

    Args:
        level: Which level.
        levels: How many the query has.

    Example:
        >>> [operator_of(level, 3) for level in range(3)]
        [2, 1, 0]
    """
    return levels - 1 - level


def whole_pages(
    spark: Any, half: SparkHalf, partitions: int, state_format: int, operator: int, batch: int
) -> list[tuple[int, str, bytes]]:
    """The pages that are read as a whole: grouping key, name and content.

    Arguments and errors are those of :func:`stored_pages`.
    """
    session = query_session(spark, partitions, state_format, local_files=half.is_local)
    with _reading(half):
        pages = pages_of_operator(session, half.location, operator, batch).where(f"page rlike '^{WHOLE.pattern}$'")
        return [(place, name, bytes(data)) for place, name, data in pages.collect()]


def pages_of_operator(session: Any, location: str, operator: int, batch: int) -> Any:
    """All pages of a level behind a batch, as a DataFrame: ``place``, ``page``, ``data``.

    Args:
        session: One for queries with state files of that format.
        location: Spark's half of the checkpoint.
        operator: The number of its stateful operator (:func:`operator_of`).
        batch: The batch, which is committed.
    """
    options = {"operatorId": str(operator), "stateVarName": "pages", "batchId": str(batch)}
    state = session.read.format("statestore").options(**options).load(location)
    return state.selectExpr("key.place", "user_map_key.page", "user_map_value.data")


@contextmanager
def _reading(half: SparkHalf) -> Iterator[None]:
    try:
        yield
    except (PySparkException, Py4JJavaError) as error:
        said = str(error)
        raise half.damage(said) or damaged_error(half.folder.place("state"), "state", plainly(said)) from error


def _count(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        made = list(count_pages(*(column.to_pylist() for column in batch.columns)))
        columns = [pa.array([row[at] for row in made], kind) for at, kind in enumerate(_TYPES)]
        yield pa.RecordBatch.from_arrays(columns, names=list(StoredPages._fields))


def count_pages(places: list[int], names: list[str], contents: list[bytes]) -> Iterator[StoredPages]:
    """Count pages by owner; those that are read as a whole are given as they are.

    Args:
        places: Where each page is.
        names: What it is called.
        contents: What is in it.
    """
    sums: defaultdict[tuple[int, str, str], list[int]] = defaultdict(lambda: [0] * 6)
    for place, name, data in zip(places, names, contents, strict=True):
        whole = WHOLE.fullmatch(name)
        if whole is not None:
            yield StoredPages(place, whole[1], whole[2], 1, len(data), data=data)
            continue
        owner, kind, counts = _counted(name, data)
        counted = sums[place, owner, kind]
        for at, count in enumerate((1, len(data), *counts)):
            counted[at] += count
    for (place, owner, kind), counted in sums.items():
        pages, size, keys, rows, event_timers, processing_timers = counted
        yield StoredPages(place, owner, kind, pages, size, keys, rows, event_timers, processing_timers)


def owner_of(name: str) -> str:
    """Cut a page's name down to its owner: an operator, or a task, in any subtask.

    Example:
        >>> [owner_of(name) for name in ("a/b.0/1f/0.0", "a.0/pages", "a.0/1f", "a/task", "a.0/3/pane/7/0")]
        ['a/b.0', 'a.0', 'a.0', 'a', 'a.0']
    """
    for pattern in (WHOLE, _KEYS, _COLUMNS, _WAITING):
        found = pattern.fullmatch(name)
        if found is not None:
            return found[1]
    return name.rpartition("/")[0]  # the record of a key group


def keyed_owner(name: str) -> str | None:
    """Find the owner in the name of a page of keys; None for any other page."""
    found = _KEYS.fullmatch(name)
    return None if found is None else found[1]


def _counted(name: str, data: bytes) -> tuple[str, str, tuple[int, int, int, int]]:
    """The owner of a page, what it is called, and its keys, rows, and keys with timers."""
    found = _KEYS.fullmatch(name)
    if found is not None:
        keys, event_timers, processing_timers = counts_of(data)
        return found[1], "", (keys, 0, event_timers, processing_timers)
    found = _COLUMNS.fullmatch(name)
    if found is not None:
        return found[1], "", (0, count_rows(data), 0, 0)
    found = _WAITING.fullmatch(name)
    if found is not None:
        return found[1], "input", (0, 0, 0, 0)
    return name.rpartition("/")[0], "", (0, 0, 0, 0)  # the record of a key group
