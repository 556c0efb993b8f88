"""``windrow port``."""

import subprocess
import sys

import pytest
from click.testing import CliRunner

from scripts.pyflink_examples import EXAMPLES, source
from windrow.cli import main
from windrow.port.findings import findings
from windrow.port.imports import with_windrow_imports

PROGRAM = """from pyflink.datastream import StreamExecutionEnvironment, SourceFunction

env = StreamExecutionEnvironment.get_execution_environment()
"""


def run(*arguments):
    result = CliRunner().invoke(main, ["port", *map(str, arguments)])
    return result.exit_code, result.output.splitlines()


def test_a_diff_and_what_differs_are_shown_and_nothing_is_changed(tmp_path):
    """So one can look before anything happens."""
    path = tmp_path / "job.py"
    path.write_text(PROGRAM)
    code, lines = run(path)
    assert code == 0
    assert "+from windrow.datastream import StreamExecutionEnvironment, SourceFunction" in lines
    assert lines[-2].startswith(f"{path}:1: absent: pyflink.datastream.SourceFunction: from_source takes")
    assert lines[-1] == "1 file to change: --write does it; 1 to look at"
    assert path.read_text() == PROGRAM


def test_files_are_changed_if_that_is_asked_for(tmp_path):
    """Also those of a folder; done again there is nothing left to do."""
    (tmp_path / "job.py").write_text(PROGRAM)
    (tmp_path / "other.py").write_text("import os\n")
    assert run("--write", tmp_path)[1][-1] == "1 file changed; 1 to look at"
    assert (tmp_path / "job.py").read_text() == PROGRAM.replace("pyflink", "windrow")
    assert run("--write", tmp_path)[1] == ["0 files changed; 0 to look at"]


def test_what_is_no_python_is_left_as_it_is_and_told(tmp_path):
    """The others are ported all the same; the exit code is 1. As a program."""
    (tmp_path / "broken.py").write_text("import pyflink\ndef")
    (tmp_path / "job.py").write_text(PROGRAM)
    command = [sys.executable, "-m", "windrow", "port", "--write", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(f"{tmp_path / 'broken.py'}: left as it is: ")
    assert done.stdout.splitlines()[-1] == "1 file changed; 1 to look at"
    assert (tmp_path / "broken.py").read_text() == "import pyflink\ndef"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_pyflinks_examples_use_nothing_that_is_absent(example, flink_wheel_at_hand):
    """They are run by ``make pyflink-examples``, and nothing else than their imports is changed there."""
    program = source(example)
    assert "pyflink" not in with_windrow_imports(program).replace("PyFlink", "")
    assert findings(program) == []
