"""Parquet files as rows."""

import datetime
import pickle
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windrow.common import Row, Types
from windrow.connectors.files.enumerators import whole_file
from windrow.connectors.files.file_format import elements, in_slices
from windrow.connectors.files.split import FileSourceSplit
from windrow.datastream.formats.parquet import ParquetColumnarRowInputFormat
from windrow.errors import ConfigurationError, ConfigurationTypeError, JobExecutionError

ROWS = [(number, f"s{number}", number / 2) for number in range(23)]
COLUMNS = Types.TUPLE([Types.LONG(), Types.STRING(), Types.DOUBLE()])


@pytest.fixture
def file(tmp_path):
    """Row groups of 5, 5, 5, 5 and 3 rows."""
    path = tmp_path / "a.parquet"
    columns = dict(zip("nsf", zip(*ROWS, strict=True), strict=True))
    pq.write_table(pa.table({name: list(values) for name, values in columns.items()}), path, row_group_size=5)
    return str(path)


def read(parquet_format, *splits):
    return [value for split in splits for _, batch in elements(parquet_format, split) for value in batch.values]


def test_rows_have_the_columns_names(file):
    """All columns, if no row type is given."""
    assert read(ParquetColumnarRowInputFormat(), whole_file(file)) == [Row(n=n, s=s, f=f) for n, s, f in ROWS]


def test_a_row_type_chooses_columns_and_converts_them(file):
    """By name, in its own order; an integer becomes a float where that is declared."""
    row_type = Types.ROW_NAMED(["f", "n"], [Types.DOUBLE(), Types.INT()])
    assert read(ParquetColumnarRowInputFormat(row_type), whole_file(file)) == [Row(f=f, n=n) for n, _, f in ROWS]
    as_float = Types.ROW_NAMED(["n"], [Types.DOUBLE()])
    assert read(ParquetColumnarRowInputFormat(as_float), whole_file(file))[3].n.hex() == (3.0).hex()


def test_a_tuple_type_takes_columns_by_position(file):
    """From the first one on."""
    assert read(ParquetColumnarRowInputFormat(COLUMNS), whole_file(file)) == ROWS
    two = Types.TUPLE([Types.LONG(), Types.STRING()])
    assert read(ParquetColumnarRowInputFormat(two), whole_file(file)) == [row[:2] for row in ROWS]


def test_regions_are_whole_row_groups_and_all_of_them(file):
    """Wherever the file is cut; and as the format itself cuts it."""
    parquet_format = ParquetColumnarRowInputFormat(COLUMNS)
    size = whole_file(file).length
    for cut in range(0, size + 1, 7):
        regions = [FileSourceSplit(file, 0, cut, size), FileSourceSplit(file, cut, size - cut, size)]
        assert read(parquet_format, *regions) == ROWS
    regions = [FileSourceSplit(file, start, length, size) for start, length in parquet_format.regions(file, size, 1)]
    assert [len(read(parquet_format, region)) for region in regions] == [5, 5, 5, 5, 3]
    assert read(parquet_format, *regions) == ROWS
    assert parquet_format.regions(file, size, size) == [(0, size)]


@pytest.mark.parametrize("batch_size", [1, 3, 100])
def test_reading_goes_on_at_every_position(file, batch_size):
    """Within a row group too; what follows is what would have followed."""
    parquet_format = ParquetColumnarRowInputFormat(COLUMNS, batch_size=batch_size)
    whole = whole_file(file)
    passed = 0
    for position, batch in in_slices(elements(parquet_format, whole), 2):
        assert read(parquet_format, replace(whole, position=position)) == ROWS[passed:]
        passed += len(batch.values)
    assert passed == len(ROWS)


@pytest.mark.parametrize("rows", [1, 2, 4, 5, 100])
def test_sub_splits_have_few_enough_rows(file, rows):
    """And are the file."""
    parquet_format = ParquetColumnarRowInputFormat(COLUMNS)
    sub_splits = parquet_format.sub_splits(whole_file(file), rows)
    assert max(len(read(parquet_format, split)) for split in sub_splits) == min(rows, 5)
    assert read(parquet_format, *sub_splits) == ROWS


def test_rows_stay_columns_until_somebody_looks(file):
    """That is what makes it fast."""
    batches = [batch.values for _, batch in elements(ParquetColumnarRowInputFormat(COLUMNS), whole_file(file))]
    assert all(values.untouched for values in batches)
    assert ParquetColumnarRowInputFormat(COLUMNS).produced_type == COLUMNS


@settings(deadline=None)
@given(data=st.data())
def test_columns_are_read_when_somebody_looks_at_them(data, tmp_path_factory):
    """In whatever order, while earlier rows are still there or not; and no others."""
    path = tmp_path_factory.mktemp("rows") / "a.parquet"
    names = ["n", "s", "f"]
    pq.write_table(pa.table(dict(zip(names, zip(*ROWS, strict=True), strict=True))), path, row_group_size=11)
    four = ParquetColumnarRowInputFormat(COLUMNS, batch_size=4)
    batches = [batch for _, batch in elements(four, whole_file(str(path)))]
    first, held = 0, []
    for batch in batches:
        held.append((batch.values, ROWS[first : first + len(batch.values)]))
        first += len(batch.values)
    for _ in range(data.draw(st.integers(0, 20))):
        values, expected = held[data.draw(st.integers(0, len(held) - 1))]
        index = data.draw(st.integers(0, 2))
        assert values.fields[index].to_pylist() == [row[index] for row in expected]
        if len(held) > 1 and data.draw(st.booleans()):
            del held[data.draw(st.integers(0, len(held) - 1))]
    del batches
    for values, expected in held:
        assert list(values) == expected


def test_what_nobody_looks_at_is_not_read(file, monkeypatch):
    """Of some rows, and of all; a file that is gone by then is read all the same, for it is open."""
    asked = []
    plain = pq.ParquetFile.iter_batches

    def noted(self, size, groups, columns, **options):
        asked.append((groups[0], columns))
        return plain(self, size, groups, columns, **options)

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", noted)
    batches = [batch.values for _, batch in elements(ParquetColumnarRowInputFormat(COLUMNS), whole_file(file))]
    assert asked == []
    Path(file).unlink()
    assert batches[1].fields[1].to_pylist() == [row[1] for row in ROWS[5:10]]
    assert asked == [(1, ["s"])]
    assert list(batches[0]) == ROWS[:5]
    assert sorted(asked) == [(0, ["f"]), (0, ["n"]), (0, ["s"]), (1, ["s"])]


def test_a_value_that_does_not_fit_is_an_error_whoever_looks_at_it(tmp_path):
    """It is found where rows are read."""
    file = str(tmp_path / "a.parquet")
    pq.write_table(pa.table({"n": [1, 1 << 40]}), file)
    small = ParquetColumnarRowInputFormat(Types.ROW_NAMED(["n"], [Types.INT()]))
    with pytest.raises(JobExecutionError, match=r"the column 'n' of .* as int32, which it is not"):
        [len(batch.values) for _, batch in elements(small, whole_file(file))]


def test_columns_that_do_not_fit_are_an_error_that_names_them(file, tmp_path):
    """A column that is not there, one of another type, and a file that is something else."""
    missing = Types.ROW_NAMED(["x"], [Types.LONG()])
    with pytest.raises(JobExecutionError, match=r"the column 'x' of .*a\.parquet, which has only n, s, f"):
        read(ParquetColumnarRowInputFormat(missing), whole_file(file))
    with pytest.raises(JobExecutionError, match=r"read 4 columns of .*, which has only 3"):
        read(ParquetColumnarRowInputFormat(Types.TUPLE([Types.LONG()] * 4)), whole_file(file))
    wrong = Types.ROW_NAMED(["s"], [Types.LONG()])
    with pytest.raises(JobExecutionError, match=r"the column 's' of .* as int64, which it is not"):
        read(ParquetColumnarRowInputFormat(wrong), whole_file(file))
    other = tmp_path / "b.parquet"
    other.write_text("no Parquet file")
    with pytest.raises(JobExecutionError, match=r"cannot read .*b\.parquet as Parquet"):
        read(ParquetColumnarRowInputFormat(), whole_file(str(other)))


def test_nested_columns_and_times_come_as_arrow_gives_them(tmp_path):
    """Where no row type says what they are."""
    file = str(tmp_path / "a.parquet")
    row = {"t": datetime.datetime(2020, 1, 1), "l": [1, None], "r": {"a": 1}}
    pq.write_table(pa.Table.from_pylist([row]), file)
    assert read(ParquetColumnarRowInputFormat(), whole_file(file)) == [Row(**row)]


def test_wrong_arguments_are_refused():
    """At the user's call."""
    with pytest.raises(ConfigurationTypeError, match="takes a row type"):
        ParquetColumnarRowInputFormat("n long")
    with pytest.raises(ConfigurationError, match="which cannot be written"):
        ParquetColumnarRowInputFormat(Types.TUPLE([Types.PICKLED_BYTE_ARRAY()]))
    with pytest.raises(ConfigurationTypeError, match="batch_size"):
        ParquetColumnarRowInputFormat(batch_size="many")
    with pytest.raises(ConfigurationError, match="at least 1; got 0"):
        ParquetColumnarRowInputFormat(batch_size=0)


def test_the_format_pickles(file):
    """It goes to workers."""
    parquet_format = pickle.loads(pickle.dumps(ParquetColumnarRowInputFormat(COLUMNS)))
    assert read(parquet_format, whole_file(file)) == ROWS


def test_columns_may_be_spelt_otherwise(file):
    """Capitals do not count if is_case_sensitive is false; the row has the names that were asked for."""
    row_type = Types.ROW_NAMED(["N"], [Types.LONG()])
    found = read(ParquetColumnarRowInputFormat(row_type, is_case_sensitive=False), whole_file(file))
    assert found == [Row(N=n) for n, _, _ in ROWS]
    with pytest.raises(JobExecutionError, match="the column 'N'"):
        read(ParquetColumnarRowInputFormat(row_type), whole_file(file))
