"""What is kept of a measurement, and the tables made from it."""

from pathlib import Path

from bench.suite import results
from bench.suite.measuring import Measured, Timing
from bench.suite.tables import shown_ratio, tables

WINDROW = Measured("1", Timing(8_000, [2.0, 1.0, 4.0], 0.1), worker_peak_mib=300)
FLINK = Measured("2", Timing(4_000, [2.0], 0.1), object_reuse=Timing(4_000, [1.0], 0.1))


def test_ratios_are_those_of_median_rates() -> None:
    """The rate beside Flink as it comes, and with its object reuse."""
    data = results.entry(WINDROW, FLINK, 0.25)
    assert data["windrow"]["events_per_second"] == {"min": 2_000, "median": 4_000, "max": 8_000}
    assert (data["ratio"], data["ratio_to_object_reuse"]) == (2.0, 1.0)


def test_measured_rows_take_the_place_of_kept_ones(tmp_path: Path) -> None:
    """Other rows, and other modes of a row, stay."""
    path = tmp_path / "results.json"
    results.merge({"tumbling": {"batch": 1, "stream": 2}, "filter": {"batch": 3}}, path)
    results.merge({"tumbling": {"stream": 4}}, path)
    assert results.read(path) == {"tumbling": {"batch": 1, "stream": 4}, "filter": {"batch": 3}}


def test_table_has_rates_ratios_and_goals() -> None:
    """A line for each measured row of a mode."""
    text = tables({"sliding": {"batch": results.entry(WINDROW, FLINK, 0.0)}})
    line = "| sliding 60 s by 5 s, reduce | 2 / **4** / 8 | 2 / **2** / 2 | 4 / **4** / 4 | **2** | 40 | 300 |"
    assert line in text.splitlines()
    assert "Streaming" not in text


def test_shares_and_memory_stand_below_the_tables() -> None:
    """Rows that are compared with other rows of Windrow's."""
    alone = results.entry(Measured("1", Timing(2_000, [1.0], 0.1), worker_peak_mib=700), None, 0.0)
    text = tables({"sliding": {"batch": results.entry(WINDROW, FLINK, 0.0)}, "sliding-fine": {"batch": alone}})
    assert "- sliding 60 s by 0.5 s, reduce: 50% of what *sliding 60 s by 5 s, reduce* does" in text
    assert "- The largest Python worker: 700 MiB, in *sliding 60 s by 0.5 s, reduce*, batch" in text


def test_runs_that_are_short_beside_their_start_are_told() -> None:
    """A rate that is mostly the start of a job says little of the job."""
    short = Measured("2", Timing(4_000, [1.0, 2.0, 3.0], 0.5))
    text = tables({"running": {"stream": results.entry(WINDROW, short, 0.0)}})
    assert "- *running reduce*, stream: starting the job is 25% of a run with Flink" in text
    assert "with Windrow" not in text


def test_the_geometric_mean_of_sql_stands_below_the_tables() -> None:
    """One line a mode, of Nexmark's queries in SQL alone."""
    measured = {"batch": results.entry(WINDROW, FLINK, 0.0)}
    text = tables({"sql-q0": measured, "sql-q1": measured, "sliding": measured})
    assert text.count("times Flink SQL") == 1
    assert "- Nexmark's queries in SQL, batch: 2 times Flink SQL, the geometric mean (to reach: 3)" in text


def test_a_ratio_has_two_digits_and_no_exponent() -> None:
    """Also where it is a hundred."""
    assert [shown_ratio(ratio) for ratio in (0.4849, 4.13, 9.96, 12.9, 99.82)] == ["0.48", "4.1", "10", "13", "100"]
