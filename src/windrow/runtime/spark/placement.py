"""Finds where Spark puts a subtask: in which partition, and by which grouping key it gets there."""

from __future__ import annotations

from functools import cache

#: Grouping keys of one subtask differ by multiples of this; no operator has so many.
_STRIDE = 1 << 16


def partition_of(subtask: int, partitions: int) -> int:
    """Subtasks are dealt to partitions in turn."""
    return subtask % partitions


@cache
def grouping_key(subtask: int, partitions: int) -> int:
    """A key for ``subtask`` that Spark's hash partitioning sends to its partition.

    Spark hashes few small numbers unevenly (four on four partitions: one partition gets three), and only the hash
    decides where a stateful operator's group goes. So the key is chosen by its hash.
    """
    key = subtask
    while spark_hash(key) % partitions != partition_of(subtask, partitions):
        key += _STRIDE
    return key


def spark_hash(value: int) -> int:
    """Spark SQL's hash of an integer column: Murmur3 of 32 bits with seed 42, as a signed number."""
    mask = 0xFFFFFFFF
    k = (value * 0xCC9E2D51) & mask
    k = ((k << 15) | (k >> 17)) & mask
    k = (k * 0x1B873593) & mask
    h = 42 ^ k
    h = ((h << 13) | (h >> 19)) & mask
    h = (h * 5 + 0xE6546B64) & mask
    h ^= 4
    h ^= h >> 16
    h = (h * 0x85EBCA6B) & mask
    h ^= h >> 13
    h = (h * 0xC2B2AE35) & mask
    h ^= h >> 16
    return h - (1 << 32) if h >= 1 << 31 else h
