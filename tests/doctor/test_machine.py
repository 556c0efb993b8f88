"""What the doctor says of the machine."""

import os
import tempfile

import pytest

from windrow.doctor import machine
from windrow.doctor.finding import State


@pytest.fixture
def read_only(monkeypatch):
    """No file can be made anywhere."""

    def refuse(**_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(machine.tempfile, "TemporaryFile", refuse)


@pytest.mark.parametrize("check", [machine.temporary_folder, machine.working_directory, machine.loopback])
def test_a_sound_machine(check):
    """Where tests run, jobs do."""
    assert check().state is State.OK


def test_a_temporary_folder_that_cannot_be_written(read_only):
    """Nothing runs without one."""
    finding = machine.temporary_folder()
    assert finding.state is State.FAIL
    assert finding.text == f"{tempfile.gettempdir()}: Permission denied; let TMPDIR name a folder that can be written"


def test_a_temporary_folder_that_is_nearly_full(monkeypatch):
    """Jobs run; some will not."""
    monkeypatch.setattr(machine, "_DISK", 1 << 62)
    assert machine.temporary_folder().state is State.NOTE


def test_a_working_directory_that_cannot_be_written(read_only):
    """A job that writes elsewhere runs."""
    finding = machine.working_directory()
    assert finding.state is State.NOTE
    assert finding.text.startswith(f"{os.getcwd()}: Permission denied; give sinks")


def test_a_working_directory_that_is_gone(monkeypatch):
    """Java does not start there."""

    def gone():
        raise FileNotFoundError

    monkeypatch.setattr(machine.os, "getcwd", gone)
    assert machine.working_directory().state is State.FAIL


@pytest.mark.parametrize(("wanted", "state"), [(0, State.OK), (1 << 62, State.NOTE)])
def test_memory(monkeypatch, wanted, state):
    """Little memory is worth a word."""
    monkeypatch.setattr(machine, "_MEMORY", wanted)
    assert machine.memory().state is state


def test_a_loopback_address_that_refuses(monkeypatch):
    """Python and Java cannot talk."""

    def refuse(*_, **__):
        raise OSError("connection refused")

    monkeypatch.setattr(machine.socket, "create_connection", refuse)
    finding = machine.loopback()
    assert (finding.state, finding.text.split(":")[0]) == (State.FAIL, "connection refused")


def test_the_time_zone_is_told(monkeypatch):
    """It decides nothing; it explains what other tools print."""
    monkeypatch.setenv("TZ", "Europe/Berlin")
    assert machine.time_zone().text.startswith("Europe/Berlin; event times are UTC")
