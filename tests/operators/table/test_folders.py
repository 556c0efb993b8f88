"""Columns that are folders."""

import datetime as dt

from windrow.common import Row
from windrow.connectors.files.folders import folder_of
from windrow.operators.table.folders import FolderColumns, FolderLines, FromFoldersOperator, ToFoldersOperator
from windrow.table import DataTypes
from windrow.table.connectors.csv_lines import CsvLines
from windrow.table.data_types import RowField, RowType, row_type_info
from windrow.testing import OperatorHarness

TYPES = [DataTypes.DATE(), DataTypes.INT(), DataTypes.STRING()]
DAY = dt.date(2024, 3, 10)


def folders(*texts):
    return folder_of(["shop", "day"], *texts)


COLUMNS = FolderColumns(TYPES, [2, 0], "none", folders)


def test_a_line_has_the_other_columns():
    """NULL, and an empty text, have a folder of their own."""
    lines = FolderLines(CsvLines(["n"], [DataTypes.INT()]), ["day", "n", "shop"], COLUMNS)
    assert lines.write((DAY, 7, "x")) == ("shop=x/day=2024-03-10", "7")
    assert lines.write((None, 7, "")) == ("shop=none/day=none", "7")
    assert lines.read(("7", "x", "2024-03-10")) == (DAY, 7, "x")
    assert lines.read(("7", "none", "none")) == (None, 7, None)
    assert lines.read(("", "x", "2024-03-10")) is None


def test_rows_come_from_columns_and_the_texts_of_folders():
    """In the order of the table."""
    harness = OperatorHarness(FromFoldersOperator(COLUMNS))
    harness.process_element((7, "x", "2024-03-10"), 5)
    assert harness.values() == [(DAY, 7, "x")]


def test_rows_are_parted_from_their_folders():
    """What is in files is a Row."""
    info = row_type_info(RowType([RowField("n", DataTypes.INT())]))
    harness = OperatorHarness(ToFoldersOperator(COLUMNS, info))
    harness.process_element((DAY, 7, "x"), 5)
    assert harness.values() == [("shop=x/day=2024-03-10", Row(n=7))]
