"""ORC files as rows."""

import pyarrow as pa
import pyarrow.orc as orc
import pytest

from windrow.common import Row, Types
from windrow.connectors.files.enumerators import whole_file
from windrow.connectors.files.file_format import elements
from windrow.connectors.files.split import FileSourceSplit
from windrow.datastream.formats.orc import OrcColumnarRowInputFormat
from windrow.errors import JobExecutionError

PAIR = Types.ROW_NAMED(["n", "s"], [Types.LONG(), Types.STRING()])


@pytest.fixture
def file(tmp_path):
    """A file of several stripes."""
    path = str(tmp_path / "a.orc")
    table = pa.table({"s": [f"{n:0300}" for n in range(3000)], "n": range(3000)})
    orc.write_table(table, path, stripe_size=1000, batch_size=500, compression="uncompressed")
    return path


def read(orc_format, split):
    return [row for _, batch in elements(orc_format, split) for row in batch.values]


def test_rows_have_the_columns_that_were_asked_for(file):
    """In the order of the row type; all of them, without one."""
    assert read(OrcColumnarRowInputFormat(PAIR), whole_file(file))[7] == Row(n=7, s=f"{7:0300}")
    assert read(OrcColumnarRowInputFormat(), whole_file(file))[7] == Row(s=f"{7:0300}", n=7)


def test_reading_goes_on_where_a_batch_began(file):
    """A batch is a stripe; a file is one region."""
    orc_format, split = OrcColumnarRowInputFormat(PAIR), whole_file(file)
    batches = list(elements(orc_format, split))
    assert len(batches) > 1
    again = FileSourceSplit(split.path, 0, split.length, split.file_size, batches[1][0])
    assert len(read(orc_format, again)) == 3000 - len(batches[0][1].values)
    assert orc_format.regions(file, split.length, 1) == [(0, split.length)]


def test_what_cannot_be_read_is_named(file, tmp_path):
    """A column that is not there, and a file that is not ORC."""
    with pytest.raises(JobExecutionError, match=r"the column 'm' of .*a\.orc, which has only s, n"):
        read(OrcColumnarRowInputFormat(Types.ROW_NAMED(["m"], [Types.LONG()])), whole_file(file))
    (tmp_path / "b.orc").write_bytes(b"no orc")
    with pytest.raises(JobExecutionError, match=r"cannot read .*b\.orc, which is no whole ORC file"):
        read(OrcColumnarRowInputFormat(), whole_file(str(tmp_path / "b.orc")))
