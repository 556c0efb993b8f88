"""``windrow state``."""

import io
import json

import pytest
from click.testing import CliRunner
from rich.console import Console

from windrow import state_processor
from windrow.cli import main
from windrow.common.limits import MAX_WATERMARK, MIN_WATERMARK
from windrow.errors import CheckpointError
from windrow.runtime.spark import session as session_module
from windrow.state_processor import CheckpointSummary, OperatorSummary, PlannedChannel, ReaderPosition
from windrow.state_processor.command import show

SUMMARY = CheckpointSummary(
    "/data/[trips]",
    8,
    128,
    41,
    [
        OperatorSummary("source", "Source: orders [/b]", 0, 2, watermark=MIN_WATERMARK),
        OperatorSummary("counts", "Counts", 1, 2, 9, 12_345, 1_000, 0, 5, 1, 7_000, 8_000, 6_999),
        OperatorSummary("sums", "Sums", 2, 2, rows=77, watermark=MAX_WATERMARK),
    ],
    [ReaderPosition("source", 0, ["orders 0 [from 17]", "orders 1"], False), ReaderPosition("source", 1, [], True)],
    [PlannedChannel(2, 3, 4)],
)


class Session:
    """Stands for Spark's."""

    stopped = 0

    def stop(self):
        self.stopped += 1


@pytest.fixture
def started(monkeypatch):
    """The settings that the session was started with, and the session."""
    found = {}

    def start(options):
        found.update(settings=options, session=Session())
        return found["session"]

    monkeypatch.setattr(session_module, "session", start)
    return found


def described(monkeypatch, result):
    def describe(path, spark):
        if isinstance(result, Exception):
            raise result
        return result

    monkeypatch.setattr(state_processor.summary, "describe", describe)


def test_a_summary_is_shown_as_tables():
    """Numbers with separators; what is not there as a dash; positions line by line, brackets as they are."""
    out = io.StringIO()
    show(SUMMARY, Console(file=out, width=160))
    text = out.getvalue()
    assert "/data/[trips]: format 8, max parallelism 128, batch 41 is committed" in text
    cells = [line.split() for line in text.splitlines() if line.startswith("  counts")]
    assert cells == [
        [
            "counts",
            "Counts",
            "1",
            "2",
            "1,000",
            "0",
            "12,345",
            "6,999",
            "6",
            "7,000",
            "(event)",
            "8,000",
            "(processing)",
        ]
    ]
    assert [line.split()[-3:] for line in text.splitlines() if line.startswith("  source")] == [["-", "0", "-"]]
    assert [line.split()[-3] for line in text.splitlines() if line.startswith("  sums")] == ["end"]
    assert "channel 2 has read 3 of its 4 parts" in text
    assert "reader 0 of source has orders 0 [from 17], orders 1\n" in text
    assert "reader 1 of source has no splits, and has come to its end" in text


def test_json_has_all_of_it(started, monkeypatch):
    """And the session, which had the settings, is stopped."""
    described(monkeypatch, SUMMARY)
    result = CliRunner().invoke(main, ["state", "/data/trips", "--json", "--conf", "spark.master=local[1]"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.output)
    assert (found["batch"], found["operators"][1]["keys"], found["readers"][1]["finished"]) == (41, 1000, True)
    assert started["settings"] == {"spark.master": "local[1]"}
    assert started["session"].stopped == 1


class Frame:
    """Stands for a DataFrame of values."""

    def limit(self, number):
        self.rows = ROWS[:number]
        return self

    def collect(self):
        return [Row(**each) for each in self.rows]


class Reader:
    """Stands for what reads a savepoint."""

    @staticmethod
    def read(path, spark):
        return Reader()

    def values(self, uid):
        assert uid == "sums"
        return Frame()


class Row(dict):
    def asDict(self):
        return dict(self)


ROWS = [
    {"key": "7", "state": "count", "window_start": None, "window_end": None, "namespace": None, "value": "[b]"},
    {"key": "'a'", "state": "sum", "window_start": 0, "window_end": 3000, "namespace": None, "value": "(1, 2)"},
    {"key": "'b'", "state": "sum", "window_start": None, "window_end": None, "namespace": "'left'", "value": "1"},
]


def test_values_are_shown_as_a_table(started, monkeypatch):
    """Only of the operator that is asked for, and so many of them."""
    monkeypatch.setattr(state_processor.reader, "SavepointReader", Reader)
    result = CliRunner().invoke(main, ["state", "/data/trips", "--values", "sums"])
    assert result.exit_code == 0, result.output
    lines = [" ".join(line.split()) for line in result.output.splitlines()]
    assert [line for line in lines if line and line[0] in "7'"] == [
        "7 count [b]",
        "'a' sum 0 to 3,000 (1, 2)",
        "'b' sum 'left' 1",
    ]
    result = CliRunner().invoke(main, ["state", "/data/trips", "--values", "sums", "--limit", "2", "--json"])
    assert json.loads(result.output) == ROWS[:2]
    assert started["session"].stopped == 1


def test_what_is_wrong_is_one_line(started, monkeypatch):
    """Without a traceback; the session is stopped."""
    described(monkeypatch, CheckpointError("/data/trips is no checkpoint"))
    result = CliRunner().invoke(main, ["state", "/data/trips"])
    assert (result.exit_code, result.output) == (1, "Error: /data/trips is no checkpoint\n")
    assert started["session"].stopped == 1


def test_a_setting_has_a_value(started):
    """Else it is wrong use, before Spark starts."""
    result = CliRunner().invoke(main, ["state", "/data/trips", "--conf", "spark.master"])
    assert result.exit_code == 2
    assert "'spark.master' is not of the form NAME=VALUE" in result.output
    assert started == {}
