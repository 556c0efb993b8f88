"""Avro's files as records."""

import pytest

from tests.connectors.avro.records import schema_of
from windrow.connectors.avro.writer import AvroFactory
from windrow.connectors.files.enumerators import whole_file
from windrow.connectors.files.file_format import elements
from windrow.connectors.files.split import FilePosition, FileSourceSplit
from windrow.datastream.formats.avro import AvroReaders
from windrow.errors import JobExecutionError

SCHEMA = schema_of(n="long", s="string")
RECORDS = [{"n": n, "s": f"text {n} " * 20} for n in range(5000)]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A file of many blocks."""
    path = tmp_path_factory.mktemp("avro") / "a.avro"
    with path.open("wb") as out:
        writer = AvroFactory(SCHEMA, "null").create(out)
        writer.add_elements(RECORDS)
        writer.finish()
    return path


def read(avro_format, split):
    return [record for _, batch in elements(avro_format, split) for record in batch.values]


def test_records_are_dicts(file):
    """As they were written, or as the schema that is given reads them."""
    assert read(AvroReaders.for_generic_record(), whole_file(str(file))) == RECORDS
    wider = AvroReaders.for_generic_record(schema_of(n="double"))
    assert read(wider, whole_file(str(file)))[:2] == [{"n": 0.0}, {"n": 1.0}]


@pytest.mark.parametrize("target", [1, 7000, 100_000, 10**9])
def test_regions_have_all_records_once(file, target):
    """A block is read with the region in which the marker before it begins."""
    avro_format = AvroReaders.for_generic_record(SCHEMA)
    size = file.stat().st_size
    regions = avro_format.regions(str(file), size, max(target, size // 100))
    splits = [FileSourceSplit(str(file), start, length, size) for start, length in regions]
    assert [record for split in splits for record in read(avro_format, split)] == RECORDS


def test_reading_goes_on_where_a_batch_began(file):
    """From any position that was given; what follows is the same."""
    avro_format, split = AvroReaders.for_generic_record(SCHEMA), whole_file(str(file))
    batches = list(elements(avro_format, split))
    assert len(batches) > 20
    seen = 0
    for position, batch in batches:
        if seen % 3 == 0:
            again = FileSourceSplit(split.path, split.offset, split.length, split.file_size, position)
            assert read(avro_format, again) == RECORDS[seen:]
        seen += len(batch.values)
    behind = FileSourceSplit(split.path, 0, split.length, split.file_size, FilePosition(batches[1][0].offset, 5))
    assert read(avro_format, behind)[0] == RECORDS[len(batches[0][1].values) + 5]


def test_damaged_files_are_named(file, tmp_path):
    """No Avro at all, a file that ends too early, and one that records cannot be read from as asked."""
    other = tmp_path / "other.avro"
    other.write_bytes(b"no avro here")
    with pytest.raises(JobExecutionError, match=r"the source cannot read .*other\.avro as Avro: ValueError"):
        read(AvroReaders.for_generic_record(), whole_file(str(other)))
    other.write_bytes(file.read_bytes()[:-40])
    with pytest.raises(JobExecutionError, match=r"cannot read .*other\.avro as Avro: "):
        read(AvroReaders.for_generic_record(), whole_file(str(other)))
    with pytest.raises(JobExecutionError, match=r"a\.avro as Avro: SchemaResolutionError"):
        read(AvroReaders.for_generic_record(schema_of(m="long")), whole_file(str(file)))
