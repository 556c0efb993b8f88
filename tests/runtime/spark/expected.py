"""What the programs write, from an uninterrupted run in one process."""

from functools import cache
from pathlib import Path

import fsspec

from tests.runtime.spark.programs import windows
from windrow.common import Configuration
from windrow.datastream import StreamExecutionEnvironment


@cache
def expected_lines():
    """The lines of all windows."""
    local = Configuration().set_string("windrow.runtime", "local")
    with windows(StreamExecutionEnvironment.get_execution_environment(local)).execute_and_collect() as lines:
        return list(lines)


def files_in(folder):
    """The visible files below a folder: a path, or a URI."""
    files, place = fsspec.url_to_fs(str(folder), use_listings_cache=False)
    return [path for path in sorted(files.find(place)) if "/." not in path]


def lines_in(folder):
    """All lines of the visible files below a folder: a path, or a URI."""
    files, _ = fsspec.url_to_fs(str(folder), use_listings_cache=False)
    return [line for path in files_in(folder) for line in files.cat_file(path).decode().splitlines()]


def commits(folder):
    """The batches that Spark has committed to a checkpoint."""
    return [file for file in Path(folder, "spark", "commits").glob("*") if file.name.isdigit()]
