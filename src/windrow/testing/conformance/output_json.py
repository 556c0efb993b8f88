"""Writes an operator's output as cases do, and compares it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from windrow.common.limits import NO_TIMESTAMP
from windrow.testing.conformance.failure import check
from windrow.testing.conformance.windows_json import value_json
from windrow.testing.outputs import OutputItem, Record, WatermarkOut


def output_json(item: OutputItem) -> dict[str, Any]:
    """Write a record, a watermark or a status."""
    if isinstance(item, Record):
        return {"value": value_json(item.value), "ts": item.timestamp}
    if isinstance(item, WatermarkOut):
        return {"watermark": item.watermark}
    return {"status": "IDLE" if item.idle else "ACTIVE"}


def check_output(actual: Iterable[OutputItem], expected: list[dict[str, Any]], order: str) -> None:
    """Compare as lists if ``order`` is ``exact``, else the records between two watermarks as multisets."""
    found = [output_json(item) for item in actual]
    wanted = [_with_timestamp(item) for item in expected]
    if order != "exact":
        found, wanted = _sorted_between_watermarks(found), _sorted_between_watermarks(wanted)
    check("output", found, wanted)


def check_multiset(what: str, actual: Iterable[Any], expected: Iterable[Any]) -> None:
    """Compare without regard to order."""
    check(what, sorted(actual, key=_sort_key), sorted(expected, key=_sort_key))


def records_json(records: Iterable[OutputItem]) -> list[dict[str, Any]]:
    """Records as cases write them."""
    return [output_json(record) for record in records]


def expected_json(expected: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The records that a case expects, with the marker where they have no timestamp."""
    return [_with_timestamp(item) for item in expected]


def _with_timestamp(item: dict[str, Any]) -> dict[str, Any]:
    return {**item, "ts": NO_TIMESTAMP} if item.get("ts", 0) is None else item


def _sorted_between_watermarks(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    ordered: list[dict[str, Any]] = []
    records: list[dict[str, Any]] = []
    for item in items:
        if "value" in item:
            records.append(item)
            continue
        ordered += [*sorted(records, key=_sort_key), item]
        records = []
    return [*ordered, *sorted(records, key=_sort_key)]


def _sort_key(item: Any) -> str:
    return json.dumps(item, sort_keys=True)
