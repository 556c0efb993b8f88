"""The benchmark of Parquet files."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from bench import environments, parquet
from bench.measure import Measurement
from bench.workload import Answer


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing is measured, and files go to a folder of the test's own."""
    for peer in parquet.PEERS:
        monkeypatch.setattr(peer, "prepare", lambda: None)
    monkeypatch.setattr(parquet, "ROOT", tmp_path)
    monkeypatch.setattr(parquet, "BENCH", tmp_path / ".bench")
    return tmp_path


def test_the_answer_is_what_the_file_holds(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows and their sum; the file has several row groups and is written once."""
    monkeypatch.setattr(parquet, "ROW_GROUP", 100)
    (file,) = parquet.data(250).glob("*.parquet")
    amounts = pq.read_table(file)["amount"].to_pylist()
    assert Answer(len(amounts), sum(amounts)) == parquet.answer(250)
    assert pq.ParquetFile(file).num_row_groups == 3
    written = file.stat().st_mtime_ns
    parquet.data(250)
    assert file.stat().st_mtime_ns == written


def test_all_peers_are_measured_and_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each with the answer for as many rows as it reads."""
    asked = []

    def measured(peer: parquet.Peer, rows: int, runs: int, expected: Answer) -> Measurement:
        asked.append((peer.name, rows, expected))
        return Measurement(peer.name, peer.title, "1", rows, [1.0] * runs)

    monkeypatch.setattr(parquet, "measure", measured)
    done = CliRunner().invoke(parquet.main, ["--rows", "1000000", "--runs", "2"])
    assert done.exit_code == 0, done.output
    assert asked[0] == ("windrow", 1_000_000, parquet.answer(1_000_000))
    assert asked[-1] == ("pyflink-map", 500_000, parquet.answer(500_000))
    kept = json.loads((folder / "bench" / "parquet_results.json").read_text())
    assert [peer["name"] for peer in kept["peers"]] == [peer.name for peer in parquet.PEERS]


def test_a_jar_that_maven_does_not_get_is_a_setup_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line says which; one that is there is not asked for again."""
    monkeypatch.setattr(environments, "BENCH", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(environments.SetupError, match=r"cannot have format 1\.0 with Maven"):
        environments.maven_jar("org.example", "format", "1.0")
    jar = tmp_path / "jars" / "format-1.0.jar"
    jar.parent.mkdir()
    jar.touch()
    assert environments.maven_jar("org.example", "format", "1.0") == jar
