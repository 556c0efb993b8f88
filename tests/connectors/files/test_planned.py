"""A region of a file as a split of a planned source."""

import pickle

from windrow.common import Types
from windrow.connectors.files.enumerators import whole_file
from windrow.connectors.files.planned import PlannedFileSplit
from windrow.datastream import OutputTag
from windrow.datastream.formats.csv import CsvReaderFormat

CSV = CsvReaderFormat.for_schema(Types.ROW_NAMED(["n"], [Types.INT()]), dead_letter=OutputTag("bad"))


def test_what_a_region_gives_is_the_same_at_every_call(tmp_path):
    """Elements and dead letters, in another process too, and in parts."""
    file = tmp_path / "a.csv"
    file.write_text("1\n2\nx\n3\n")
    split = PlannedFileSplit(CSV, whole_file(str(file)))

    def given_by(*splits):
        batches = [batch for each in splits for batch in each.read()]
        return [(value if batch.side else value.n, batch.side) for batch in batches for value in batch.values]

    expected = [(1, None), (2, None), ((str(file), "x"), "bad"), (3, None)]
    assert given_by(split) == expected
    assert given_by(split) == expected
    assert given_by(pickle.loads(pickle.dumps(split))) == expected
    assert len(split.cut(1)) == 4
    assert given_by(*split.cut(1)) == expected
