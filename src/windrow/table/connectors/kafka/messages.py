"""Kafka's messages as tuples of a table."""

from __future__ import annotations

import copy
import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from windrow.common.limits import NO_TIMESTAMP
from windrow.connectors.kafka.deserialization import OfFetched
from windrow.connectors.kafka.fetched import FetchedRecords
from windrow.expressions import logical_types as lt
from windrow.metrics import Counter
from windrow.operators.table.changes import DELETE, UPDATE_AFTER
from windrow.operators.watermarks.timestamp_assignment import Timestamps
from windrow.table import data_types as t
from windrow.table.connectors.kafka.parts import Part
from windrow.table.data_types import DataType

if TYPE_CHECKING:
    from windrow.elements.columns import Columns

#: Of fewer messages columns cost more than rows.
_LEAST = 32
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
#: Flink's ``KafkaDynamicSource.ReadableMetadata``: the type of each, and how it is had of what was fetched.
METADATA: Mapping[str, tuple[DataType, Callable[[FetchedRecords], Sequence[Any]]]] = {
    "topic": (lt.STRING.not_null(), lambda records: [records.topic] * len(records)),
    "partition": (t.IntType(False), lambda records: [records.partition] * len(records)),
    "headers": (
        t.MapType(lt.STRING, t.VarBinaryType(t.LONGEST), False),
        lambda records: [list(dict(headers).items()) for headers in records.headers()],
    ),
    "leader-epoch": (t.IntType(), lambda records: records.leader_epochs()),
    "offset": (t.BigIntType(False), lambda records: records.offsets()),
    "timestamp": (lt.TIMESTAMP_LTZ_3.not_null(), lambda records: _moments(records.timestamps())),
    "timestamp-type": (lt.STRING.not_null(), lambda records: records.timestamp_types()),
}


def _moments(timestamps: Timestamps) -> list[dt.datetime]:
    # Kafka's client says -1 of a record without.
    times = [-1 if timestamp == NO_TIMESTAMP else timestamp for timestamp in timestamps.tolist()]
    return [_EPOCH + dt.timedelta(milliseconds=time) for time in times]


class Messages(OfFetched):
    """Reads messages as tuples: stored columns, then metadata, then, of changes, the kind.

    A message without a value is skipped, unless it is a change: then its key's row is deleted. So is one without a key,
    where columns are in the key.

    Args:
        width: How many stored columns there are.
        value: What is in values.
        key: What is in keys; None: nothing is.
        metadata: What else is asked for.
        changes: Whether a message takes the place of the last one with its key.
        timestamps: Whether tuples have the messages' timestamps; else their own columns say what time they have.
    """

    advice: ClassVar[str] = (
        "the option ignore-parse-errors of the format leaves such records out, and those with a field that cannot be "
        "read are NULL there"
    )

    def __init__(
        self,
        width: int,
        value: Part,
        key: Part | None,
        metadata: Sequence[str],
        *,
        changes: bool = False,
        timestamps: bool = True,
    ) -> None:
        self._width = width
        self._value = value
        self._key = key
        self._metadata = list(metadata)
        self._changes = changes
        self.has_timestamps = timestamps or "timestamp" in self._metadata
        self._errors: Counter | None = None

    def counted_by(self, errors: Counter) -> Self:
        counting = copy.copy(self)
        counting._errors = errors
        return counting

    def of_fetched(self, records: FetchedRecords, timestamps: Timestamps) -> Sequence[Any]:
        columns = self._columns(records, timestamps)
        if columns is not None:
            return columns
        keys = [None] * len(records) if self._key is None else records.keys()
        fields = keys, records.values(), *[METADATA[name][1](records) for name in self._metadata]
        return [self._row(key, value, metadata) for key, value, *metadata in zip(*fields, strict=True)]

    def _columns(self, records: FetchedRecords, timestamps: Timestamps) -> Columns | None:
        """All records as columns, where values have all stored columns and their format reads them so."""
        part = self._value
        if self._key is not None or len(records) < _LEAST or part.places != tuple(range(self._width)):
            return None
        arrays = part.lines.read_all(records.values())
        if arrays is None:
            return None
        # Here, because they import Arrow.
        import pyarrow as pa

        from windrow.elements.columns import Columns
        from windrow.operators.table.calc import tuples_of

        kinds = [*part.lines.types]
        for name in self._metadata:
            kind, ask = METADATA[name]
            kinds.append(kind)
            if name == "timestamp":  # as numbers: it is what most tables ask for
                none = timestamps == NO_TIMESTAMP
                times = pa.array(np.where(none, -1, timestamps) if none.any() else timestamps)
                arrays.append(times.cast(pa.timestamp("ms", "UTC")).cast(lt.arrow_of(kind)))
            else:
                arrays.append(pa.array(ask(records), lt.arrow_of(kind)))
        return Columns.of(tuples_of(kinds), arrays)

    def _row(self, key: bytes | None, value: bytes | None, metadata: Sequence[Any]) -> tuple[Any, ...] | None:
        row: list[Any] = [None] * self._width
        if self._key is not None and not self._fill(row, self._key, key, "key"):
            return None
        if value is None and self._changes:
            kind = DELETE
        elif self._fill(row, self._value, value, "value"):
            kind = UPDATE_AFTER
        else:
            return None
        row += metadata
        if self._changes:
            row.append(kind)
        return tuple(row)

    def _fill(self, row: list[Any], part: Part, content: bytes | None, what: str) -> bool:
        """Put the columns of a part into the row; tells whether there are any."""
        if content is None:
            return False
        try:
            values = part.lines.read(content.decode())
        except (ValueError, RecursionError) as error:
            if not part.lines.ignore_errors:
                msg = f"the {what}: {error}"
                raise ValueError(msg) from error
            if self._errors is not None:
                self._errors.inc()
            return False
        if values is None:
            return False
        for place, each in zip(part.places, values, strict=True):
            row[place] = each
        return True
