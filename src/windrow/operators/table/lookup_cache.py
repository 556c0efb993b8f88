"""The rows that a lookup join remembers (Flink's ``LookupCache``)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from windrow.operators.table.lookup import Key, Values


@dataclass(frozen=True)
class CacheOptions:
    """Says which rows are remembered (Flink's ``lookup.cache`` = ``PARTIAL``).

    Attributes:
        max_rows: Of how many keys at most: those that were not asked for longest are forgotten; None: of all.
        expire_after_write: For how many milliseconds after they were found; None: for ever.
        expire_after_access: The same after they were last asked for.
        missing_keys: Whether it is remembered, too, that a key has no rows.
    """

    max_rows: int | None = None
    expire_after_write: int | None = None
    expire_after_access: int | None = None
    missing_keys: bool = True


@dataclass
class _Known:
    rows: Sequence[Values]
    written: int
    asked: int


class LookupCache:
    """Rows by key, as long as its options say, by a clock that is told to it.

    Example:
        >>> cache = LookupCache(CacheOptions(max_rows=1, expire_after_write=10))
        >>> cache.found([(1,)], 0, lambda keys: [[("one",)]]), cache.found([(1,)], 10, lambda keys: [[("ONE",)]])
        ([[('one',)]], [[('ONE',)]])
    """

    def __init__(self, options: CacheOptions) -> None:
        self._options = options
        #: The key that was asked for last stands last.
        self._known: OrderedDict[Key, _Known] = OrderedDict()

    def found(
        self, keys: Sequence[Key], now: int, ask: Callable[[Sequence[Key]], Sequence[Sequence[Values]]]
    ) -> list[Sequence[Values]]:
        """The rows of each key at processing time ``now``; ``ask`` gives those that are not known."""
        found: dict[Key, Sequence[Values]] = {}
        for key in keys:
            rows = self._fresh(key, now)
            if rows is not None:
                found[key] = rows
        missing = [key for key in keys if key not in found]
        if missing:
            for key, rows in zip(missing, ask(missing), strict=True):
                found[key] = rows
                if rows or self._options.missing_keys:
                    self._known[key] = _Known(rows, now, now)
        most = self._options.max_rows
        while most is not None and len(self._known) > most:
            self._known.popitem(last=False)
        return [found[key] for key in keys]

    def _fresh(self, key: Key, now: int) -> Sequence[Values] | None:
        known, options = self._known.get(key), self._options
        if known is None:
            return None
        after_write, after_access = options.expire_after_write, options.expire_after_access
        is_old = after_write is not None and now - known.written >= after_write
        if is_old or (after_access is not None and now - known.asked >= after_access):
            del self._known[key]
            return None
        known.asked = now
        self._known.move_to_end(key)
        return known.rows
