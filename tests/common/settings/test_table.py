"""The table of settings: well formed, and names that are in it or not."""

from pathlib import Path

import pytest

from scripts import settings_table
from windrow.common import Configuration
from windrow.common.settings.setting import Effect
from windrow.common.settings.table import TABLE, setting_of, text_of
from windrow.errors import ConfigurationError

NAMED = [row for row in TABLE if row.example]


def test_no_name_stands_twice():
    """Every name, older ones included, is of one row."""
    names = [name for row in TABLE for name in (row.key, *row.older)]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("row", NAMED, ids=lambda row: row.key)
def test_a_row_reads_its_example_and_what_is_the_same(row):
    """Examples are values that the row's kind takes; an example of what has no effect is no value that is the same."""
    example = row.kind.read(row.key, row.example)
    assert row.effect is Effect.HONOURED or not row.is_same(example)
    assert all(row.is_same(row.kind.read(row.key, same)) for same in row.same)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.key)
def test_a_row_says_something(row):
    """Words are a sentence without its end, as warnings and the page write them."""
    assert row.words
    assert not row.words.endswith(".")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("windrow.trigger.intervall", "windrow.trigger.interval"),
        ("windrow.run-time", "windrow.runtime"),
        ("paralelism.default", "parallelism.default"),
        ("execution.checkpoint.interval", "execution.checkpointing.interval"),
        ("restart-strategy.fixeddelay.attempts", "restart-strategy.fixed-delay.attempts"),
        ("python.file", "python.files"),
        ("state.checkpoint.dir", "state.checkpoints.dir"),
        ("executon.runtime-mode", "execution.runtime-mode"),
    ],
)
def test_a_slip_of_the_pen_is_an_error(name, meant):
    """The error names the nearest setting."""
    with pytest.raises(ConfigurationError, match=f"there is no setting '{name}'; did you mean '{meant}'"):
        setting_of(name)


@pytest.mark.parametrize("name", ["windrow.colour", "execution.xyz", "taskmanger.numberOfTaskSlots"])
def test_names_that_begin_as_ours_and_flinks_are_in_the_table(name):
    """No program has names of its own there."""
    with pytest.raises(ConfigurationError, match=f"there is no setting '{name}'"):
        setting_of(name)


@pytest.mark.parametrize("name", ["input", "my.parallelism.default", "states.count", "threshold", "spark.ui.port"])
def test_other_names_are_the_programs_own(name):
    """A name of another kind is kept without a word."""
    assert setting_of(name) is None


def test_no_setting_of_flinks_is_taken_for_a_slip_of_the_pen():
    """Every name that Flink 2.3's options have, in its core, runtime and Python modules, is in the table."""
    names = (Path(__file__).parent / "flink_2_3.txt").read_text().split()
    assert len(names) > 600
    assert [name for name in names if setting_of(name) is None] == []


def test_a_prefix_stands_for_all_that_begin_so():
    """The longest prefix counts, and a name before prefixes."""
    assert setting_of("taskmanager.numberOfTaskSlots").key == "taskmanager.*"
    assert setting_of("metrics.reporters").key == "metrics.*"
    assert setting_of("metrics.latency.interval").key == "metrics.latency.interval"
    assert setting_of("execution.checkpointing.unaligned").key == "execution.checkpointing.unaligned.enabled"


def test_a_value_under_an_older_name_counts():
    """text_of looks under every name that a setting has had, the newest first."""
    old = Configuration.from_dict({"execution.savepoint.path": "/old"})
    assert text_of(old, "execution.state-recovery.path") == "/old"
    old.set_string("execution.state-recovery.path", "/new")
    assert text_of(old, "execution.state-recovery.path") == "/new"
    assert text_of(Configuration(), "execution.state-recovery.path") is None


def test_the_page_is_up_to_date(capsys):
    """docs/settings.md is what scripts/settings_table.py writes."""
    assert settings_table.main(["--check"]) == 0, capsys.readouterr().err
