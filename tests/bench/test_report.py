"""The benchmark's numbers as table and data."""

from io import StringIO

from rich.console import Console

from bench.measure import Measurement
from bench.report import memory_lines, ratios, record, table

FLINK = Measurement("flink-heap", "Flink Java, heap", "2.3.0", 1_000, [1.0, 4.0, 2.0])
WINDROW = Measurement("windrow", "Windrow", "0.1", 1_000, [4.0, 4.0, 5.0], worker_peak_kib=300 * 1024)


def test_ratio_is_of_the_medians() -> None:
    """A ratio compares median rates, which one lucky or unlucky run does not move."""
    assert ratios([FLINK, WINDROW]) == {"flink-heap": 1.0, "windrow": 0.5}


def test_no_ratio_without_the_baseline() -> None:
    """Where Flink was not measured there is nothing to compare with."""
    assert ratios([WINDROW]) == {}


def test_table_shows_all_and_the_failed() -> None:
    """A peer that could not be measured has its row as well."""
    console = Console(file=StringIO(), width=100)
    console.print(table([FLINK, WINDROW], {"PyFlink": "no network"}))
    assert isinstance(console.file, StringIO)
    rows = [line for line in console.file.getvalue().splitlines() if line.startswith("│")]
    cells = [[cell.strip() for cell in row.split("│")[1:-1]] for row in rows]
    assert cells == [
        ["Flink Java, heap", "1,000", "0.2", "0.5", "1.0", "1"],
        ["Windrow", "1,000", "0.2", "0.2", "0.2", "0.5"],
        ["PyFlink", "-", "-", "-", "-", "-"],
    ]


def test_memory_is_said_where_it_was_watched() -> None:
    """Only peers whose workers were watched have a line."""
    assert memory_lines([FLINK, WINDROW]) == ["Windrow: one Python worker held at most 300 MiB"]


def test_record_has_every_run() -> None:
    """The data keep each run's time, what it makes, and why a peer is missing."""
    data = record([FLINK, WINDROW], {"PyFlink": "no network"}, 0.25)
    flink, windrow = data["peers"]
    assert flink["seconds"] == [1.0, 4.0, 2.0]
    assert flink["events_per_second"] == {"min": 250, "median": 500, "max": 1000}
    assert (windrow["times_flink_heap"], windrow["worker_peak_mib"]) == (0.5, 300)
    assert data["failed"] == {"PyFlink": "no network"}
    assert data["machine"]["cpus"] > 0
