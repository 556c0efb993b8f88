"""Where tables of topics are read from, and up to."""

import pytest

from tests.table.connectors.kafka.building import refusal
from windrow.connectors.kafka.errors import KafkaConnectorError
from windrow.connectors.kafka.offsets import KafkaOffsetResetStrategy
from windrow.connectors.kafka.partitions import KafkaTopicPartition
from windrow.errors import SqlError
from windrow.table.connectors.kafka.offsets import ENDS, STARTS, FromGroup, offsets_of, specific_offsets
from windrow.table.connectors.options import Options


def start(topics=("t",), **given):
    options = {f"scan.startup.{key.replace('_', '-')}": value for key, value in given.items()}
    return repr(offsets_of(Options("k", options), "startup", "group-offsets", STARTS, "k", topics))


def test_a_table_begins_where_its_group_is_unless_it_says_otherwise():
    """Flink's default."""
    assert start() == "KafkaOffsetsInitializer.committed_offsets()"
    assert start(mode="earliest-offset") == "KafkaOffsetsInitializer.earliest()"
    assert start(mode="latest-offset") == "KafkaOffsetsInitializer.latest()"
    assert start(mode="timestamp", timestamp_millis="17") == "KafkaOffsetsInitializer.timestamp(17)"
    offsets = start(mode="specific-offsets", specific_offsets="partition:0,offset:42;partition:1,offset:300")
    assert offsets == "KafkaOffsetsInitializer.offsets({t-0: 42, t-1: 300}, EARLIEST)"


def test_a_table_has_no_end_unless_it_says_so():
    """``scan.bounded.mode`` is ``unbounded``."""
    assert offsets_of(Options("k", {}), "bounded", "unbounded", ENDS, "k", ["t"]) is None


@pytest.mark.parametrize("written", ["", "0:42", "partition:0", "partition:0,offset:-1", "partition:a,offset:1"])
def test_offsets_are_written_as_in_flink(written):
    """The message shows how."""
    with pytest.raises(SqlError, match="is written 'partition:0,offset:42;partition:1,offset:300'"):
        specific_offsets(Options("k", {}), "scan.startup.specific-offsets", written)


def test_an_option_of_another_mode_is_refused():
    """It would have no effect."""
    assert "is for 'scan.startup.mode' = 'timestamp'; it is 'group-offsets'" in refusal(
        scan__startup__timestamp_millis="1"
    )
    assert "'scan.bounded.mode' = 'timestamp' needs the option 'scan.bounded.timestamp-millis'" in refusal(
        scan__bounded__mode="timestamp"
    )
    assert "takes a table of one topic" in refusal(
        topic="a;b", scan__startup__mode="specific-offsets", scan__startup__specific_offsets="partition:0,offset:1"
    )


class Nothing:
    """A group that has committed nothing."""

    def committed_offsets(self, partitions):
        return {}


def test_a_group_that_has_been_nowhere_is_an_error_that_names_the_options():
    """As in Flink, whose default for ``auto.offset.reset`` is here ``none``, too."""
    begin = FromGroup("k", KafkaOffsetResetStrategy.NONE)
    with pytest.raises(KafkaConnectorError, match=r"'properties.auto.offset.reset' = 'earliest'"):
        begin.get_partition_offsets([KafkaTopicPartition("t", 0)], Nothing())
