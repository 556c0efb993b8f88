"""``windrow run``: a program with the page of its jobs."""

import re
import subprocess
import sys

PROGRAM = """
import sys
from windrow.datastream import StreamExecutionEnvironment
env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(1)
env.from_collection(sys.argv[1:]).print()
env.execute("arguments")
"""


def test_a_program_has_a_page(tmp_path):
    """Its arguments and its standard output are its own; the address is on standard error."""
    (tmp_path / "program.py").write_text(PROGRAM)
    command = [sys.executable, "-m", "windrow", "run", "--runtime", "local", str(tmp_path / "program.py"), "--one", "2"]
    environment = {"TMPDIR": str(tmp_path), "PATH": ""}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == "--one\n2\n"
    assert re.fullmatch(r"job 'arguments': http://127\.0\.0\.1:\d+/\?token=[\w-]+#/jobs/[0-9a-f]{32}\n", done.stderr)
