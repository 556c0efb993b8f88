"""What the programs write, from an uninterrupted run in one process."""

from functools import cache
from pathlib import Path

from tests.runtime.spark.programs import windows
from windrow.common import Configuration
from windrow.datastream import StreamExecutionEnvironment


@cache
def expected_lines():
    """The lines of all windows."""
    local = Configuration().set_string("windrow.runtime", "local")
    with windows(StreamExecutionEnvironment.get_execution_environment(local)).execute_and_collect() as lines:
        return list(lines)


def lines_in(folder):
    """All lines of the visible files below a folder."""
    files = [path for path in sorted(Path(folder).rglob("*")) if path.is_file() and "/." not in str(path)]
    return [line for path in files for line in path.read_text().splitlines()]


def commits(folder):
    """The batches that Spark has committed to a checkpoint below a folder."""
    return [file for file in Path(folder).glob("**/commits/*") if file.name.isdigit()]
