import json
import subprocess
import sys

from click.testing import CliRunner

from tests.testing.conformance.cases import FOLDER
from windrow.cli import main


def invoke(*args):
    return CliRunner().invoke(main, [str(arg) for arg in args])


def test_conformance_passes():
    """The command ends with the totals and exits with 0 if all cases pass."""
    result = invoke("conformance", FOLDER / "TimeWindowTest.json", FOLDER / "WindowStaggerTest.json")
    assert (result.output, result.exit_code) == ("3 passed, 0 failed\n", 0)


def test_conformance_fails(tmp_path):
    """A failed case takes one line, and the command exits with 1."""
    case = {
        "id": "Mine.wrong",
        "operator": {"kind": "time_window"},
        "steps": [{"intersects": [[0, 1], [5, 6]], "expect": True}],
    }
    (tmp_path / "mine.json").write_text(json.dumps([case]))
    result = invoke("conformance", tmp_path)
    lines = result.output.splitlines()
    assert lines[0].startswith("Mine.wrong: step 0 ")
    assert lines[1:] == ["0 passed, 1 failed"]
    assert result.exit_code == 1


def test_conformance_without_cases(tmp_path):
    """A path without cases is an error in words."""
    result = invoke("conformance", tmp_path)
    assert result.exit_code == 1
    assert "holds no .json file with cases" in result.output


def test_commands():
    """Help lists the command that is loaded only when it is used."""
    result = invoke("--help")
    assert result.exit_code == 0
    assert "conformance" in result.output
    assert "demo" in result.output
    assert "doctor" in result.output


def test_the_package_is_the_command_line():
    """``python -m windrow`` is ``windrow``."""
    command = [sys.executable, "-m", "windrow", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Usage: windrow [OPTIONS] COMMAND")


def test_import_is_light():
    """Loading the command line loads neither Spark, pandas, pyarrow nor the demo."""
    code = "import sys, windrow.cli; print({m.partition('.')[0] for m in sys.modules} | set(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    for module in ("pyspark", "pandas", "pyarrow", "numpy", "windrow.demo", "windrow.doctor"):
        assert f"'{module}'" not in loaded
