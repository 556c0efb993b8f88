"""``import windrow`` is light."""

import subprocess
import sys

import pytest

HEAVY = {"pyspark", "pandas", "pyarrow", "numpy", "py4j", "matplotlib", "rich", "click", "asyncio", "unittest"}


def modules_after(statement: str) -> set[str]:
    program = f"import sys; before = set(sys.modules); {statement}; print(*(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_windrow_loads_little():
    """``import windrow`` loads nothing heavy, and few modules in all: that is what keeps it far below 100 ms."""
    loaded = modules_after("import windrow")
    assert not HEAVY & loaded
    assert len(loaded) < 150


@pytest.mark.parametrize("package", ["common", "datastream", "datastream.window", "operators", "state", "testing"])
def test_the_layers_above_the_runtimes_load_without_spark(package):
    """What a program imports to describe a job, and what the operators need, loads neither pyspark nor pandas."""
    assert not {"pyspark", "pandas", "py4j", "matplotlib"} & modules_after(f"import windrow.{package}")
