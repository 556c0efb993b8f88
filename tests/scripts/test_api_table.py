"""The table of what of Flink's API is here: complete, and not out of date."""

import pytest

from scripts import api_table
from scripts.api_table import PAGE, Row, complaints, java_rows, main, method_rows, name_rows, page, snake


def test_everything_is_there_or_explained():
    """No name of Flink's or PyFlink's is missing without a reason, and no reason is given for what is there."""
    assert complaints() == []


def test_the_page_is_up_to_date():
    """docs/api_coverage.md is what scripts/api_table.py writes."""
    assert PAGE.read_text() == page(), "run scripts/api_table.py"


def test_every_class_of_flinks_is_in_it():
    """The classes of streams, of joins, of connected streams, and what functions see, 1.x included."""
    rows = {(row.owner, row.name): row for row in java_rows()}
    for owner, name in (
        ("DataStream", "map"),
        ("KeyedStream", "reduce"),
        ("WindowedStream", "evictor"),
        ("ConnectedStreams", "keyBy"),
        ("JoinedStreams.Where.EqualTo", "window"),
        ("CoGroupedStreams.WithWindow", "apply"),
        ("KeyedStream.IntervalJoin", "between"),
    ):
        assert rows[owner, name].present, (owner, name)
    for owner, name in (
        ("DataStream", "iterate"),
        ("RuntimeContext", "getBroadcastVariable"),
        ("RichFunction", "setRuntimeContext"),
    ):
        assert not rows[owner, name].present, (owner, name)
    assert rows["DataStream", "iterate"].removed
    assert not rows["DataStream", "map"].removed


def test_pyflinks_names_and_methods_are_in_it():
    """Names by module, methods by class, both looked up in Windrow."""
    names = {(row.owner, row.name): row.present for row in name_rows()}
    assert names["pyflink.datastream", "StreamExecutionEnvironment"]
    assert not names["pyflink.datastream", "SourceFunction"]
    assert not names["pyflink.datastream.connectors.pulsar", "PulsarSource"]
    methods = {(row.owner, row.name): row.present for row in method_rows()}
    assert methods["DataStream", "execute_and_collect"]
    assert not methods["StreamExecutionEnvironment", "add_source"]
    assert names["pyflink.table", "TableEnvironment"]
    assert not names["pyflink.table", "CompiledPlan"]
    assert methods["TableEnvironment", "execute_sql"]
    assert not methods["TableEnvironment", "create_catalog"]
    assert methods["DataTypes", "DECIMAL"]


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        (Row("A", "b", "b", True, None), None),
        (Row("A", "b", "b", False, "too slow"), None),
        (Row("A", "b", "b", False, None), "A: b is not there"),
        (Row("A", "b", "b", True, "too slow"), "A: b is there, but"),
    ],
)
def test_a_name_is_there_or_explained_and_not_both(row, complaint):
    """A method that is neither there nor explained is complained of, and so is one that is both."""
    found = row.complaint()
    assert found is None if complaint is None else found.startswith(complaint)


def test_a_reason_for_what_nobody_has_is_a_complaint(monkeypatch):
    """Explanations stay only as long as there is something to explain."""
    monkeypatch.setattr(api_table, "METHODS", {"DataStream": {"fly": "it has no wings"}})
    monkeypatch.setattr(api_table, "NAMES", {"windrow.common": {"Wings": "it has none"}})
    monkeypatch.setattr(api_table, "MODULES", {"windrow.wings": "it has none"})
    found = api_table._explained_for_nothing()
    assert [line.split(",")[0] for line in found] == [
        "src/windrow/absent explains DataStream.fly",
        "src/windrow/absent explains windrow.common.Wings",
        "src/windrow/absent explains windrow.wings",
    ]


def test_checking_fails_where_the_page_is_out_of_date(monkeypatch, tmp_path, capsys):
    """--check writes nothing and says what to do; without it the page is written."""
    stale = tmp_path / "page.md"
    stale.write_text("old\n")
    monkeypatch.setattr(api_table, "ROOT", tmp_path)
    monkeypatch.setattr(api_table, "PAGE", stale)
    monkeypatch.setattr(api_table, "complaints", list)
    assert main(["--check"]) == 1
    assert capsys.readouterr().out == "page.md is out of date: run scripts/api_table.py\n"
    assert stale.read_text() == "old\n"
    assert main([]) == 0
    assert main(["--check"]) == 0
    assert stale.read_text() == page()


def test_names_are_spelt_as_python_spells_them():
    """Camel case becomes snake case, abbreviations are one word."""
    spelt = [snake(name) for name in ("map", "getJobID", "createLocalEnvironmentWithWebUI", "getType1", "setUidHash")]
    assert spelt == ["map", "get_job_id", "create_local_environment_with_web_ui", "get_type1", "set_uid_hash"]
