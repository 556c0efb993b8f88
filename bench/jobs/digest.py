"""A digest of results that does not depend on their order: how many there are, and the sum of a hash of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from windrow.common import Instant, Row, RowKind
from windrow.common.accumulators import LongCounter
from windrow.datastream import FlatMapFunction, RuntimeContext

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_PRIME = 2**31 - 1


@dataclass(frozen=True)
class Digest:
    """So many results, whose hashes add up to so much."""

    results: int
    total: int


def hash_of(fields: Iterable[int]) -> int:
    """A hash of integers, below 2^31: of all of them together, so that no two results can swap a field unseen.

    >>> hash_of([1, 2]) == hash_of([2, 1])
    False
    """
    mixed = 0
    for field in fields:
        mixed = (mixed * mixed + 1_000_003 * (field % _PRIME) + 12_345) % _PRIME
    return mixed * mixed % _PRIME


def digest_of(results: Iterable[Sequence[int]]) -> Digest:
    """The digest of results that are all there.

    >>> digest_of([(1, 2), (3, 4)]) == digest_of([(3, 4), (1, 2)])
    True
    """
    hashes = [hash_of(result) for result in results]
    return Digest(len(hashes), sum(hashes))


def number(value: Any) -> int:
    """A value as a whole number: a time in milliseconds, a decimal in units of its last digit.

    >>> number(Decimal("1.50")), number(datetime(1970, 1, 1, 0, 0, 2)), number(7)
    (150, 2000, 7)
    """
    if isinstance(value, Decimal):
        return int(value.scaleb(-int(value.as_tuple().exponent)))
    if isinstance(value, datetime):
        return (value.replace(tzinfo=value.tzinfo or UTC) - _EPOCH) // timedelta(milliseconds=1)
    if isinstance(value, Instant):
        return value.to_epoch_milli()
    return int(value)


class DigestResults(FlatMapFunction):
    """Lets nothing through, and keeps the digest in the job's accumulators.

    Args:
        fields: The positions in a result that are looked at; none if a result is a number itself.
        weight: The position that says for how many results one stands; none: for itself.
    """

    def __init__(self, fields: Sequence[int], weight: int | None = None) -> None:
        self._fields, self._weight = fields, weight

    def open(self, runtime_context: RuntimeContext) -> None:
        self._results, self._total = LongCounter(), LongCounter()
        runtime_context.add_accumulator("results", self._results)
        runtime_context.add_accumulator("total", self._total)

    def flat_map(self, value: Any) -> tuple[()]:
        count = 1 if self._weight is None else value[self._weight]
        if isinstance(value, Row) and value.get_row_kind() in (RowKind.UPDATE_BEFORE, RowKind.DELETE):
            count = -count  # it takes a result back
        self._results.add(count)
        self._total.add(count * hash_of([number(value[field]) for field in self._fields] if self._fields else [value]))
        return ()
