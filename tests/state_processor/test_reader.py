"""Values of keyed state, read out of a savepoint."""

import pytest

from tests.state_processor.conftest import FAR
from windrow.common import Types
from windrow.datastream.state import ValueStateDescriptor
from windrow.errors import CheckpointError, ConfigurationError, ConfigurationTypeError
from windrow.state_processor import KeyedStateReaderFunction, SavepointReader

pytestmark = pytest.mark.spark


class CountReader(KeyedStateReaderFunction):
    """The count of each key, and its timers."""

    def open(self, runtime_context):
        self.count = runtime_context.get_state(ValueStateDescriptor("count", Types.LONG()))

    def read_key(self, key, ctx):
        yield key, self.count.value(), ctx.registered_event_time_timers(), ctx.registered_processing_time_timers()


class Failing(CountReader):
    """Cannot read a key."""

    def read_key(self, key, ctx):
        raise ValueError(key)


@pytest.fixture(scope="module")
def reader(savepoint, spark_session):
    return SavepointReader.read(savepoint, spark_session)


def counted(elements):
    """How many of the elements are of each key."""
    counts = {}
    for element in elements:
        counts[element % 37] = counts.get(element % 37, 0) + 1
    return counts


def test_a_function_reads_each_key_with_its_timers(reader):
    """In the workers; what it gives are rows of the schema."""
    frame = reader.read_keyed_state("counts", CountReader(), "key long, n long, event array<long>, other array<long>")
    found = {row.key: row for row in frame.collect()}
    expected = counted(range(1000))
    assert {key: row.n for key, row in found.items()} == {key: expected[key] for key in found}
    assert found.keys() == expected.keys()
    assert {key: (row.event, row.other) for key, row in found.items()} == {
        key: ([FAR + key], [2 * FAR]) if key < 10 else ([], []) for key in expected
    }


def test_values_are_text(reader):
    """Of a function's state by the name that it has given."""
    rows = reader.values("counts").collect()
    assert {(row.key, row.state, row.value) for row in rows} == {
        (repr(key), "count", repr(count)) for key, count in counted(range(1000)).items()
    }
    assert {(row.window_start, row.window_end, row.namespace) for row in rows} == {(None, None, None)}


def test_windows_that_are_kept_as_columns_are_read(reader):
    """By key and window."""
    rows = reader.values("sums").collect()
    sums = {repr(key): repr(sum(range(key, 1000, 3))) for key in range(3)}
    assert {(row.key, row.window_start, row.window_end, row.value) for row in rows} == {
        (key, 0, 3000, value) for key, value in sums.items()
    }


def test_wrong_use_is_refused(reader, tmp_path, spark_session):
    """Where it is made."""
    with pytest.raises(ConfigurationError, match="has no operator 'totals'; it has 'numbers', 'counts', 'sums'"):
        reader.values("totals")
    with pytest.raises(ConfigurationTypeError, match="function of read_keyed_state must be an object of KeyedState"):
        reader.read_keyed_state("counts", CountReader, "key long")
    with pytest.raises(ConfigurationTypeError, match="the schema of read_keyed_state must be a DDL text"):
        reader.read_keyed_state("counts", CountReader(), 7)
    with pytest.raises(ConfigurationTypeError, match="each of classes must be an object of type"):
        reader.values("counts", classes=["Order"])
    with pytest.raises(CheckpointError, match="is no checkpoint and no savepoint"):
        SavepointReader.read(str(tmp_path), spark_session)


@pytest.mark.parametrize(
    ("function", "schema", "said"),
    [
        (Failing(), "key long", "ValueError"),
        (CountReader(), "key long", "has 4 fields, and the schema 1"),
        (CountReader(), "key long, n long, event long, other array<long>", "column 'event' is int64"),
    ],
)
def test_what_a_function_does_wrong_is_said(reader, function, schema, said):
    """When rows are asked for."""
    with pytest.raises(Exception, match=said):
        reader.read_keyed_state("counts", function, schema).collect()
