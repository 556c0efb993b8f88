"""``windrow explain``: the plan of a program's job, without running it."""

import sys
from pathlib import Path

from click.testing import CliRunner

from windrow.cli import main
from windrow.datastream import StreamExecutionEnvironment

PROGRAM = """
import sys
from windrow.datastream import StreamExecutionEnvironment
env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(1)
try:
    numbers = env.from_collection([1, 2]).map(lambda x: (x, sys.argv[1])).name("a & b")
    numbers.key_by(lambda e: e[0]).map(lambda e: e[0]).print()
    env.execute("explained")
except Exception:
    print("it went on")
print("it ran")
"""
CHART = """flowchart LR
  subgraph level0["level 0"]
    v0(["Source: Collection Source"])
    v1["a &amp; b"]
  end
  subgraph level1["level 1"]
    v2["Map"]
  end
  subgraph level2["level 2"]
    v3[("Sink: Print to Std. Out")]
  end
  v1 ==>|"HASH"| v2
  v0 --> v1
  v2 ==>|"GLOBAL"| v3
"""


def explained(tmp_path: Path, program: str, *arguments: str):
    (tmp_path / "program.py").write_text(program)
    return CliRunner().invoke(main, ["explain", *arguments, str(tmp_path / "program.py"), "argument"])


def test_the_plan_is_printed_and_nothing_runs(tmp_path):
    """As text and as a chart, one of them alone if that is asked for."""
    whole = explained(tmp_path, PROGRAM).output
    assert whole.startswith("level 0, 1 subtask\n  Source: Collection Source")
    assert whole.endswith(f"\n\n{CHART}")
    assert "it ran" not in whole
    assert "it went on" not in whole
    assert explained(tmp_path, PROGRAM, "--mermaid").output == CHART
    assert explained(tmp_path, PROGRAM, "--text").output == whole.removesuffix(f"\n{CHART}")


WINDOWS = """
from windrow.common import WatermarkStrategy
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.window import TumblingEventTimeWindows
env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(1)
times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda event, _: event[1])
events = env.from_collection([("a", 1), ("a", 4), ("a", 12)]).assign_timestamps_and_watermarks(times)
events.key_by(lambda event: event[0]).window(TumblingEventTimeWindows.of(10)).sum(1).print()
env.execute("traced")
print("it went on")
"""


def test_a_trace_tells_what_happened_and_draws_it(tmp_path):
    """The job runs in this process; each of its windows operations has a picture."""
    result = explained(tmp_path, WINDOWS, "--trace", str(tmp_path / "pictures"))
    assert result.exit_code == 0, result.output
    assert "it went on" not in result.output
    (picture,) = (tmp_path / "pictures").iterdir()
    assert f"drawn: {picture}" in result.output
    assert picture.read_text().startswith("<svg")
    assert "fires" in result.output


def test_a_job_without_windows_has_nothing_to_trace(tmp_path):
    """It is said, and so is a time for a trace that nobody asks for."""
    result = explained(tmp_path, PROGRAM, "--trace", str(tmp_path / "pictures"))
    assert result.exit_code == 1
    assert "neither windows nor interval joins" in result.output
    result = explained(tmp_path, PROGRAM, "--seconds", "3")
    assert result.exit_code == 2
    assert "there is no --trace" in result.output


def test_programs_run_again_behind_it(tmp_path):
    """Whoever calls it in a process leaves nothing changed."""
    explained(tmp_path, PROGRAM)
    env = StreamExecutionEnvironment.create_local_environment(1)
    assert env.from_elements(1).execute_and_collect(limit=1) == [1]


def test_a_program_without_a_job_is_named(tmp_path):
    """There is nothing to explain."""
    result = explained(tmp_path, "print(1)")
    assert result.exit_code == 1
    assert "starts no job" in result.output


def test_a_program_finds_the_modules_beside_it(tmp_path):
    """As it does where Python runs it; the caller's path and arguments are as they were."""
    (tmp_path / "beside_the_program.py").write_text("NUMBERS = [1, 2]")
    before = sys.argv, sys.path
    program = PROGRAM.replace("import sys", "import sys\nfrom beside_the_program import NUMBERS").replace(
        "[1, 2]", "NUMBERS"
    )
    assert explained(tmp_path, program, "--mermaid").output == CHART
    assert (sys.argv, sys.path) == before


def test_a_program_that_makes_a_dataframe_is_explained(tmp_path):
    """Without Spark, which it would start."""
    program = """
from windrow.common.typeinfo import Types
from windrow.datastream import StreamExecutionEnvironment
env = StreamExecutionEnvironment.get_execution_environment()
env.from_collection([1]).map(lambda x: x + 1, output_type=Types.LONG()).name("next").to_dataframe("number long")
print("it ran")
"""
    result = explained(tmp_path, program, "--text")
    assert "next" in result.output
    assert "it ran" not in result.output
