"""What benchmarks have in common that run a program on one engine after the other."""

import json
from pathlib import Path

import click
import pytest

from bench.beside_spark import keep, printed_by


def test_a_program_that_fails_is_named() -> None:
    """With what it has said last."""
    with pytest.raises(click.ClickException, match=r"(?s)Nobody fails:.*No module named bench.programs.nobody"):
        printed_by("nobody", "Nobody")


def test_what_was_measured_is_kept_with_when_and_where(tmp_path: Path) -> None:
    """So that figures of different machines are not compared."""
    keep(tmp_path / "kept.json", 0.1, seconds=5, results={"spark": 1})
    kept = json.loads((tmp_path / "kept.json").read_text())
    assert (kept["load_before"], kept["seconds"], kept["results"]) == (0.1, 5, {"spark": 1})
    assert {"date", "machine"} <= set(kept)
