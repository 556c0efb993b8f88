"""The specs and Flink's results, as they lie here."""

import json
import lzma
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent


def _lines(name):
    with lzma.open(FOLDER / name, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@cache
def specs():
    """All specs, by kind."""
    by_kind = {}
    for spec in _lines("specs.jsonl.xz"):
        by_kind.setdefault(spec["kind"], []).append(spec)
    return by_kind


@cache
def flink():
    """What Flink gave, by seed."""
    return {result["seed"]: result for result in _lines("flink.jsonl.xz")}
