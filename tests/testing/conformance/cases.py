"""The cases that lie in this repository, by kind."""

from pathlib import Path
from typing import Any

from windrow.testing.conformance.loader import load_cases

FOLDER = Path(__file__).parents[2] / "conformance_data"


def cases_of(kind: str) -> dict[str, dict[str, Any]]:
    """The cases of ``kind`` by their id."""
    return {case["id"]: case for case in load_cases([FOLDER]) if case["operator"]["kind"] == kind}
