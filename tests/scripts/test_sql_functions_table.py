"""The page of SQL's functions."""

from pathlib import Path

from scripts.sql_functions_table import MISSING, PAGE, SPECIAL, known, page


def test_the_page_is_what_the_code_says():
    """make sql-functions-table writes it."""
    assert PAGE.read_text() == page()


def test_what_is_said_to_be_missing_is_missing():
    """And what the binder itself knows is known to it."""
    assert not {name for names in MISSING.values() for name in names} & known()
    assert {name for names in SPECIAL.values() for name in names} <= known()


def test_all_functions_of_flink_are_there_or_said_not_to_be():
    """Flink's list has names of its own for operators, for some functions, and for what only its planner calls."""
    lines = (Path(__file__).parent / "flink_functions.txt").read_text().splitlines()
    names = dict([*line.split(), "by its name"][:2] for line in lines if not line.startswith("#"))
    listed = {word.strip("`").replace("_", "") for word in page().split() if word.startswith("`")}
    by_name = {name for name, kind in names.items() if kind == "by its name"}
    assert {name for name in names if name.replace("_", "") in listed} == by_name
