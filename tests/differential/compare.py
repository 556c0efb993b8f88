"""What of a job's results has to be the same."""

import json
from collections import defaultdict


def difference(spec, flink_rows, rows):
    """In words what differs from Flink's results; None if nothing does. Rows are output, timestamp and element."""
    theirs, ours = _by_key(spec, flink_rows), _by_key(spec, rows)
    for key in sorted({*theirs, *ours}, key=str):
        expected, got = theirs.get(key, []), ours.get(key, [])
        if expected != got:
            at = next((at for at, pair in enumerate(zip(expected, got, strict=False)) if pair[0] != pair[1]), None)
            at = min(len(expected), len(got)) if at is None else at
            return f"seed {spec['seed']}, {key}, number {at}: Flink {expected[at : at + 2]}, Windrow {got[at : at + 2]}"
    return None


def _by_key(spec, rows):
    """The results of each key and output, in order where it is certain."""
    groups = defaultdict(list)
    for row in sorted(rows, key=lambda row: row[0]):
        output, timestamp, key = row[:3]
        # Where windows may have timers of one time, each window's results are in order among themselves.
        ties = spec.get("ties", [False, False])[output.startswith("2.")]
        groups[(output, key, timestamp if ties else "")].append(json.dumps(row))
    return {key: sorted(found) if _is_unordered(spec, key[0]) else found for key, found in groups.items()}


def _is_unordered(spec, output):
    """Whether the order follows from how two inputs interleave, or from how Flink's hash maps iterate."""
    stage = spec["stage"]
    if output.startswith("2."):
        return spec["second"].get("unordered", False)
    return stage["op"] in ("interval_join", "union") or (stage["op"] == "window_join" and stage["sorted"])
