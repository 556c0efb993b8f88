"""The command `python -m bench.windows`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench import windows as command
from bench.environments import SetupError
from bench.measure import Measurement
from bench.peers import PEERS, Peer


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing is measured: every peer is ready and takes one second a run; results go to a folder of the test's own."""

    def measured(peer: Peer, events: int, runs: int) -> Measurement:
        return Measurement(peer.name, peer.title, "1", events, [1.0] * runs)

    for peer in PEERS:
        monkeypatch.setattr(peer, "prepare", lambda: None)
    monkeypatch.setattr(command, "measure", measured)
    monkeypatch.setattr(command, "ROOT", tmp_path)
    monkeypatch.setattr(command, "BENCH", tmp_path / ".bench")
    return tmp_path


def test_all_peers_are_measured_and_kept(folder: Path) -> None:
    """Without --only the numbers of every peer are kept in bench/windows_results.json."""
    done = CliRunner().invoke(command.main, ["--events", "100", "--runs", "2"])
    assert done.exit_code == 0, done.output
    data = json.loads((folder / "bench" / "windows_results.json").read_text())
    assert [peer["name"] for peer in data["peers"]] == [peer.name for peer in PEERS]
    assert all(peer["seconds"] == [1.0, 1.0] for peer in data["peers"])


def test_peer_that_cannot_be_set_up_is_told_and_the_others_go_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line says why a peer is missing; the exit code says that not all was measured."""

    def refuse() -> None:
        message = "cannot have apache-flink: no network"
        raise SetupError(message)

    by_name = {peer.name: peer for peer in PEERS}
    monkeypatch.setattr(by_name["pyflink"], "prepare", refuse)
    done = CliRunner().invoke(command.main, ["--events", "100"])
    assert done.exit_code == 1
    assert "PyFlink, process mode: cannot have apache-flink: no network" in done.output
    data = json.loads((folder / "bench" / "windows_results.json").read_text())
    assert len(data["peers"]) == len(PEERS) - 1
    assert list(data["failed"]) == ["PyFlink, process mode"]


def test_part_of_the_peers_does_not_replace_the_whole(folder: Path) -> None:
    """With --only the kept table of all peers stays as it is."""
    done = CliRunner().invoke(command.main, ["--events", "100", "--only", "spark, windrow"])
    assert done.exit_code == 0, done.output
    assert not (folder / "bench").exists()
    data = json.loads((folder / ".bench" / "windows_results.json").read_text())
    assert [peer["name"] for peer in data["peers"]] == ["spark", "windrow"]


def test_unknown_peer_is_refused(folder: Path) -> None:
    """The error names what was asked for and what there is."""
    done = CliRunner().invoke(command.main, ["--only", "storm"])
    assert done.exit_code == 2
    assert "no peer is called 'storm'; there are windrow, flink-heap" in done.output
