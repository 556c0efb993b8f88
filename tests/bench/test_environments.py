"""What is said when something a peer needs cannot be had."""

import sys
from pathlib import Path

import pytest

from bench import environments
from bench.environments import FlinkEnvironment, SetupError, checked, installed_flink, java_classes


def test_failed_command_says_what_for_and_why() -> None:
    """The error is one line with the purpose and the command's own reason."""
    program = "import sys; sys.exit('notice: x\\nERROR: no such package\\nhint: y')"
    with pytest.raises(SetupError, match=r"^cannot have the jars: ERROR: no such package$"):
        checked([sys.executable, "-c", program], "the jars")


def test_missing_command_says_what_for() -> None:
    """A program that is not there is told as any other reason."""
    with pytest.raises(SetupError, match=r"cannot have the jars: .*no-such-program"):
        checked(["no-such-program"], "the jars")


def test_half_built_environment_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment whose installation was interrupted is not taken for a finished one."""
    monkeypatch.setattr(environments, "BENCH", tmp_path)
    packages = tmp_path / f"flink-{environments.FLINK_VERSION}" / "lib" / "python3.11" / "site-packages"
    (packages / "pyflink").mkdir(parents=True)
    assert installed_flink() is None
    record = packages / f"apache_flink-{environments.FLINK_VERSION}.dist-info" / "RECORD"
    record.parent.mkdir()
    record.touch()
    installed = installed_flink()
    assert installed is not None
    assert installed.package == packages / "pyflink"


def test_without_a_compiler_the_java_job_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Java runtime alone is not enough for the Java peers."""
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(SetupError, match="need javac: install a Java development kit"):
        java_classes(FlinkEnvironment(tmp_path), "classes", [])


def test_pyflink_finds_its_own_python_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """PyFlink starts workers with the path's first python, and must not inherit this project's settings."""
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    variables = FlinkEnvironment(tmp_path).variables()
    assert variables["PATH"].startswith(f"{tmp_path / 'bin'}:")
    assert "PYTHONPATH" not in variables
