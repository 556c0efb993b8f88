"""Tables whose rows can be looked up by key, and what is remembered of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from windrow.operators.table.lookup import Lookup
from windrow.operators.table.lookup_cache import CacheOptions
from windrow.table.connectors.options import Options


@runtime_checkable
class LookupTable(Protocol):
    """A connector that can be asked for the rows of keys (Flink's ``LookupTableSource``)."""

    #: Which rows are remembered; None: none.
    cache: CacheOptions | None

    def lookup(self, keys: Sequence[str]) -> Lookup:
        """Make what asks for the rows by these columns; rows have the physical columns."""


def cache_of(options: Options) -> CacheOptions | None:
    """Read the options ``lookup.cache`` and ``lookup.partial-cache.*``; None: nothing is remembered.

    Raises:
        SqlError: they have other values than they may.
    """
    kind = options.choice("lookup.cache", {"NONE": "NONE", "PARTIAL": "PARTIAL"}, "NONE")
    prefix = "lookup.partial-cache."
    made = CacheOptions(
        options.number(f"{prefix}max-rows"),
        _span(options, f"{prefix}expire-after-write"),
        _span(options, f"{prefix}expire-after-access"),
        options.flag(f"{prefix}cache-missing-key", default=True),
    )
    if made.max_rows is not None and made.max_rows < 1:
        options.refuse(f"{prefix}max-rows", f"takes a number above zero; got {made.max_rows}")
    return made if kind == "PARTIAL" else None


def _span(options: Options, key: str) -> int | None:
    return None if options.get(key) is None else options.milliseconds(key, "")
