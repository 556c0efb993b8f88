"""What the doctor says of Python's packages."""

import pytest

from windrow.doctor import packages
from windrow.doctor.finding import State


@pytest.fixture
def without(monkeypatch):
    """Makes a module one that cannot be imported."""

    def plant(name, error):
        def load(module):
            if module == name:
                raise error

        monkeypatch.setattr(packages, "import_module", load)

    return plant


def test_a_sound_installation():
    """Where tests run, jobs do."""
    findings = [packages.python(), packages.pyspark(), *packages.needed(), *packages.extras()]
    assert {finding.state for finding in findings} == {State.OK}


def test_an_old_python(monkeypatch):
    """Found and needed."""
    monkeypatch.setattr(packages, "_OLDEST_PYTHON", (4, 0))
    assert packages.python().state is State.FAIL
    assert packages.python().text.endswith(": Windrow needs 4.0 or newer")


def test_an_old_pyspark(monkeypatch):
    """Found, needed, what to do."""
    monkeypatch.setattr(packages.metadata, "version", lambda name: "3.5.1")
    assert packages.pyspark().text == "3.5.1: Windrow needs 4.2 or newer; pip install 'pyspark>=4.2'"
    assert packages.pyspark().state is State.FAIL


def test_a_pandas_that_is_too_new(monkeypatch):
    """PySpark does not take it yet."""
    monkeypatch.setattr(packages.metadata, "version", lambda name: "3.0.0")
    (pandas,) = [finding for finding in packages.needed() if finding.state is State.FAIL]
    assert (pandas.what, pandas.text) == ("pandas", "3.0.0: PySpark needs pandas<3; pip install 'pandas<3'")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ModuleNotFoundError("No module named 'x'"), "not installed (No module named 'x'); "),
        (ImportError("libx.so: no such file"), "cannot be imported (ImportError: libx.so: no such file); "),
    ],
)
def test_what_is_not_there(without, error, words):
    """A package that is needed is missed; one that a connector wants is noted."""
    without("pyarrow", error)
    (pyarrow,) = [finding for finding in packages.needed() if finding.state is not State.OK]
    assert (pyarrow.state, pyarrow.text) == (State.FAIL, f"{words}pip install pyarrow")
    without("confluent_kafka", error)
    (kafka,) = [finding for finding in packages.extras() if finding.state is not State.OK]
    assert (kafka.state, kafka.what) == (State.NOTE, "Kafka")
    assert kafka.text == f"{words}needed for it only: pip install '.[kafka]' in a clone"


def test_no_pyspark(without):
    """Nothing runs on Spark without it."""
    without("pyspark", ModuleNotFoundError("no"))
    assert packages.pyspark().state is State.FAIL
