"""ORC files of a job."""

import datetime
from decimal import Decimal

import pyarrow.orc as orc
import pytest

from windrow.common import Configuration, Row, Types, WatermarkStrategy
from windrow.datastream.connectors.file_system import BucketAssigner, FileSink, FileSource
from windrow.datastream.formats.orc import OrcBulkWriters, OrcColumnarRowInputFormat
from windrow.errors import ConfigurationError, ConfigurationTypeError
from windrow.table import DataTypes

ROW = DataTypes.ROW(
    [
        DataTypes.FIELD("word", DataTypes.STRING()),
        DataTypes.FIELD("n", DataTypes.DECIMAL(4, 1)),
        DataTypes.FIELD("at", DataTypes.TIMESTAMP(3)),
        DataTypes.FIELD("tags", DataTypes.ARRAY(DataTypes.INT())),
    ]
)
AT = datetime.datetime(2020, 2, 29, 1, 2, 3, 4000)


def test_a_job_writes_orc_and_reads_it(env, tmp_path):
    """With the compression that was asked for; rows have the types that were declared."""
    config = Configuration().set_string("orc.compress", "ZSTD")
    sink = FileSink.for_bulk_format(tmp_path, OrcBulkWriters.for_row_type(ROW, config)).with_bucket_assigner(
        BucketAssigner.base_path_bucket_assigner()
    )
    rows = [("a", Decimal("1.25"), AT, [1, 2]), ("b", None, None, [])]
    env.set_parallelism(1).from_collection(rows).sink_to(sink.build())
    env.execute()
    (file,) = tmp_path.glob("part-*")
    assert orc.ORCFile(file).compression == "ZSTD"
    source = FileSource.for_bulk_file_format(OrcColumnarRowInputFormat(ROW), str(tmp_path)).build()
    read = env.from_source(source, WatermarkStrategy.no_watermarks(), "orc").execute_and_collect(limit=9)
    assert list(read) == [
        Row(word="a", n=Decimal("1.3"), at=AT, tags=[1, 2]),
        Row(word="b", n=None, at=None, tags=[]),
    ]


def test_what_orc_does_not_have_is_refused():
    """At the call: types, settings, and what is no row type."""
    with pytest.raises(ConfigurationError, match=r"field 't' is time64\[us\], which ORC does not have"):
        OrcBulkWriters.for_row_type(DataTypes.ROW([DataTypes.FIELD("t", DataTypes.TIME())]))
    with pytest.raises(ConfigurationError, match=r"'orc\.compress' of .* is one of NONE, .*; got 'ZIP'"):
        OrcBulkWriters.for_row_type(ROW, Configuration().set_string("orc.compress", "ZIP"))
    with pytest.raises(ConfigurationError, match=r"hadoop_config of .* honoured are none"):
        OrcBulkWriters.for_row_type(ROW, None, Configuration().set_string("fs.defaultFS", "x"))
    with pytest.raises(ConfigurationTypeError, match="takes a row type"):
        OrcBulkWriters.for_row_type(["word"])
    with pytest.raises(ConfigurationError, match="takes a row type with fields"):
        OrcColumnarRowInputFormat(Types.ROW([]))
