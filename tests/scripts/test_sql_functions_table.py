"""The page of SQL's functions."""

from scripts.sql_functions_table import MISSING, PAGE, SPECIAL, known, page


def test_the_page_is_what_the_code_says():
    """make sql-functions-table writes it."""
    assert PAGE.read_text() == page()


def test_what_is_said_to_be_missing_is_missing():
    """And what the binder itself knows is known to it."""
    assert not {name for names in MISSING.values() for name in names} & known()
    assert {name for names in SPECIAL.values() for name in names} <= known()
