"""Where Spark puts subtasks."""

import random

import pytest

from windrow.runtime.spark.placement import grouping_key, partition_of, spark_hash


@pytest.mark.spark
def test_spark_hash_is_what_spark_computes(spark_session):
    """Spark's own hash() of an integer column, negative numbers and the ends of the range included."""
    some = random.Random(1)
    numbers = [0, 1, -1, 2**31 - 1, -(2**31), *(some.randrange(-(2**31), 2**31) for _ in range(200))]
    frame = spark_session.createDataFrame([(number,) for number in numbers], "number int")
    rows = frame.selectExpr("number", "hash(number) AS hashed").collect()
    assert [(row.number, row.hashed) for row in rows] == [(number, spark_hash(number)) for number in numbers]


@pytest.mark.spark
@pytest.mark.parametrize("partitions", [1, 3, 8])
def test_spark_sends_a_grouping_key_to_the_partition_of_its_subtask(spark_session, partitions):
    """Repartitioned by its grouping key, a subtask is where partition_of says."""
    rows = [(subtask, grouping_key(subtask, partitions)) for subtask in range(2 * partitions + 1)]
    frame = spark_session.createDataFrame(rows, "subtask int, place int").repartition(partitions, "place")
    placed = {
        row.subtask: row.partition for row in frame.selectExpr("*", "spark_partition_id() AS partition").collect()
    }
    assert placed == {subtask: partition_of(subtask, partitions) for subtask, _ in rows}


def test_grouping_keys_of_different_subtasks_differ():
    """Two subtasks never share a group, and so never share state; keys fit Spark's int."""
    for partitions in (1, 2, 7, 64, 200):
        keys = [grouping_key(subtask, partitions) for subtask in range(300)]
        assert len(set(keys)) == 300
        assert max(keys) < 2**31


def test_subtasks_are_dealt_evenly():
    """No partition has two subtasks more than another."""
    placed = [partition_of(subtask, 4) for subtask in range(10)]
    assert sorted(placed.count(partition) for partition in range(4)) == [2, 2, 3, 3]
