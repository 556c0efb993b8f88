"""Deals the pages of keyed state to the subtasks that have their key groups now, where they are: in Spark's workers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

import pyarrow as pa

from windrow.graph.job_graph import JobGraph
from windrow.operators.stored_by_key import store_by_key
from windrow.runtime.spark.placement import grouping_key
from windrow.runtime.spark.session import create_frame
from windrow.runtime.spark.shipping import ShippedJob
from windrow.runtime.spark.spark_half import SparkHalf
from windrow.runtime.spark.state_assignment.record import AssignedPages, Origin
from windrow.runtime.spark.stored_pages import operator_of, owner_of, pages_of_operator
from windrow.runtime.stage.chain import owner_of_state, tag_of_owner
from windrow.runtime.stage.redealing import operators_of
from windrow.state.key_groups import operator_index
from windrow.state.page_store import MemoryPageStore, PageStore
from windrow.state.paged import PagedKeyedState
from windrow.state.root_parts import joined_roots, root_parts

#: A page of keys or the record of a key group, whose number is in the name.
_OF_GROUP = re.compile(r"(.+)/([0-9a-f]+)(/\d+\.[0-9a-f]+)?", re.DOTALL)
#: The root of an operator's directory.
_ROOT = "/pages"
_DEALT = pa.schema([("place", pa.int32()), ("page", pa.string()), ("data", pa.binary())])
_SORTED = _DEALT.insert(0, pa.field("owner", pa.string()))
_PAGES_PER_BATCH = 256

Page = tuple[int, str, bytes]


class KeyGroups(NamedTuple):
    """Says where key groups are now."""

    max_parallelism: int
    partitions: int
    #: By the tags of operators: how many subtasks each has, and its place in its chain. Others lose their pages.
    operators: dict[str, tuple[int, int]]

    @staticmethod
    def of(job: JobGraph, partitions: int, level: int) -> KeyGroups:
        """The key groups of the operators of a level."""
        operators = {
            tag: (entry.subtasks, index) for entry in job.levels[level] for index, tag in enumerate(operators_of(entry))
        }
        return KeyGroups(job.max_parallelism, partitions, operators)

    def dealt(self, name: str, data: bytes) -> Iterator[Page]:
        """A page of keyed state as it is to be found now; nothing of those that are no keyed state."""
        if name.endswith(_ROOT):
            found = self._found(name.removesuffix(_ROOT))
            if found is not None:
                owner, subtasks = found
                parts = root_parts(data, lambda group: operator_index(group, subtasks, self.max_parallelism))
                for subtask, root in parts.items():
                    yield grouping_key(subtask, self.partitions), owner + _ROOT, root
            return
        of_group = _OF_GROUP.fullmatch(name)
        found = None if of_group is None else self._found(of_group[1])
        if of_group is not None and found is not None:
            owner, subtasks = found
            subtask = operator_index(int(of_group[2], 16), subtasks, self.max_parallelism)
            place = grouping_key(subtask, self.partitions)
            yield place, f"{owner}/{of_group[2]}{of_group[3] or ''}", data

    def _found(self, owner: str) -> tuple[str, int] | None:
        """Find the name that an owner has now, and the number of its subtasks; None: the operator is gone."""
        tag = tag_of_owner(owner)
        if tag not in self.operators:
            return None
        subtasks, index = self.operators[tag]
        return owner_of_state(tag, index), subtasks


def store_pages_by_key(job: JobGraph, owner: str, pages: dict[str, bytes], watermark: int) -> None:
    """Have what the pages of an operator hold as tables of columns stored by key, in the same subtask.

    Args:
        job: The job.
        owner: What the names of the pages begin with.
        pages: All pages of the operator in the subtask, by name.
        watermark: The operator's.
    """
    tag = tag_of_owner(owner)
    factory = next(node.factory for node in job.nodes() if node.tag == tag)
    assert factory is not None, "a source has no keyed state"
    state, store = PagedKeyedState(job.max_parallelism), MemoryPageStore(pages)

    def flush() -> None:
        state.flush()
        state.attach(store, owner)

    state.attach(store, owner)
    store_by_key(factory(), state, watermark, flush)
    state.flush()


def take_in(store: PageStore, name: str, data: bytes) -> None:
    """Put a page that a subtask gets into its store; of a root it may get several parts."""
    there = store.get(name) if name.endswith(_ROOT) else None
    store.put(name, data if there is None else joined_roots(there, data))


class AssignedState(NamedTuple):
    """The state of a savepoint, as the levels of a query begin with it."""

    #: Spark's half of the savepoint.
    half: SparkHalf
    origin: Origin
    pages: AssignedPages

    def of_level(self, spark: Any, job: JobGraph, shipped: ShippedJob, level: int) -> Any:
        """The pages of a level as a DataFrame, grouped by their grouping keys.

        Args:
            spark: The session of the query.
            job: The job.
            shipped: The same, as workers get it.
            level: Which level.
        """
        from pyspark.sql.pandas.types import from_arrow_schema

        schema = from_arrow_schema(_DEALT)
        frame = create_frame(spark, _table(self.pages.made.get(level, ())), schema)
        groups = KeyGroups.of(job, shipped.partitions, level)
        before = {self.pages.levels[tag] for tag in groups.operators if tag in self.pages.levels}
        for old in sorted(before - {0}):  # at sources there are no keys
            operator = operator_of(old, self.pages.depth)
            state = pages_of_operator(spark, self.half.location, operator, self.origin.batch)
            columns = {
                (place, owner): watermark
                for place, owner, watermark in self.pages.columns.get(old, ())
                if tag_of_owner(owner) in groups.operators
            }
            found = state.mapInArrow(_Dealing(groups, frozenset(columns)), from_arrow_schema(_SORTED))
            frame = frame.unionByName(found.where("owner is null").drop("owner"))
            if columns:
                by_owner = found.where("owner is not null").groupBy("place", "owner")
                stored = by_owner.applyInArrow(_storing_by_key(shipped, groups, columns), schema)
                frame = frame.unionByName(stored)
        return frame.groupBy("place")


class _Dealing:
    """Deals pages as they are; those of owners that have columns are only marked."""

    def __init__(self, groups: KeyGroups, with_columns: frozenset[tuple[int, str]]) -> None:
        self._groups = groups
        self._with_columns = with_columns

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            rows = zip(*(column.to_pylist() for column in batch.columns), strict=True)
            dealt = self._dealt(rows)
            while some := list(islice(dealt, _PAGES_PER_BATCH)):
                yield pa.RecordBatch.from_arrays(_columns(some, _SORTED), schema=_SORTED)

    def _dealt(self, rows: Iterable[Page]) -> Iterator[tuple[str | None, int, str, bytes]]:
        for place, name, data in rows:
            owner = owner_of(name)
            if (place, owner) in self._with_columns:
                yield owner, place, name, data
            else:
                for page in self._groups.dealt(name, data):
                    yield None, *page


def _storing_by_key(
    shipped: ShippedJob, groups: KeyGroups, watermarks: dict[tuple[int, str], int]
) -> Callable[[pa.Table], pa.Table]:
    """Deals the pages of an operator in a subtask that has columns: what is in them is stored by key first."""

    # A function, for PySpark looks for the types in its signature.
    def dealt(table: pa.Table) -> pa.Table:
        place, owner = (table.column(name)[0].as_py() for name in ("place", "owner"))
        names, contents = (table.column(name).to_pylist() for name in ("page", "data"))
        pages = dict(zip(names, contents, strict=True))
        with shipped.at_work():
            store_pages_by_key(shipped.job(), owner, pages, watermarks[place, owner])
        return _table(page for name, data in pages.items() for page in groups.dealt(name, data))

    return dealt


def _table(pages: Iterable[Page]) -> pa.Table:
    return pa.table(_columns(pages, _DEALT), schema=_DEALT)


def _columns(rows: Iterable[tuple[Any, ...]], schema: pa.Schema) -> list[pa.Array]:
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    return [pa.array(column, kind) for column, kind in zip(columns, schema.types, strict=True)]
