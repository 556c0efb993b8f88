"""Flink's jobs beside the delay of windows and idle jobs."""

from pathlib import Path

import pytest

from bench.environments import FlinkEnvironment
from bench.programs import flink_beside


def test_the_program_is_compiled_against_flink_and_told_its_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the one source in its folder, and finds its classes before Flink's."""
    compiled: list[tuple[str, list[str]]] = []

    def compile_them(_: object, folder: str, sources: list[Path]) -> Path:
        compiled.append((folder, [path.name for path in sources]))
        return tmp_path

    (tmp_path / "lib/python3.11/site-packages/pyflink").mkdir(parents=True)
    environment = FlinkEnvironment(tmp_path)
    monkeypatch.setattr(flink_beside, "flink_environment", lambda: environment)
    monkeypatch.setattr(flink_beside, "java", lambda: "java")
    monkeypatch.setattr(flink_beside, "java_classes", compile_them)
    command = flink_beside.flink_command("delay", tmp_path, 3, 10)
    assert compiled == [("beside-classes", ["BesideSpark.java"])]
    assert (command[0], command[-5:]) == ("java", ["BesideSpark", "delay", str(tmp_path), "3", "10"])
    assert command[command.index("-cp") + 1].startswith(str(tmp_path))
