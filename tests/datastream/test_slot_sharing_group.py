"""Slot sharing groups."""

import pytest

from windrow.datastream.slot_sharing_group import MemorySize, SlotSharingGroup
from windrow.errors import ConfigurationError


def test_groups_give_back_what_they_ask_for():
    """Every setter of the builder has its getter."""
    group = (
        SlotSharingGroup.builder("fast")
        .set_cpu_cores(1.5)
        .set_task_heap_memory_mb(100)
        .set_task_off_heap_memory_mb(200)
        .set_managed_memory_mb(300)
        .set_external_resource("gpu", 1.0)
        .build()
    )
    assert group.get_name() == "fast"
    assert group.get_cpu_cores() == 1.5
    assert group.get_task_heap_memory() == MemorySize.of_mebi_bytes(100)
    assert group.get_task_off_heap_memory() == MemorySize.of_mebi_bytes(200)
    assert group.get_managed_memory() == MemorySize.of_mebi_bytes(300)
    assert group.get_external_resources() == {"gpu": 1.0}
    assert SlotSharingGroup.builder("a").build() == SlotSharingGroup("a")
    assert hash(SlotSharingGroup("a")) == hash(SlotSharingGroup("a"))


def test_cores_and_memory_go_together():
    """As in Flink resources are given in full or not at all."""
    with pytest.raises(ConfigurationError, match="'g' needs both"):
        SlotSharingGroup.builder("g").set_cpu_cores(1).build()
    with pytest.raises(ConfigurationError, match="'g' needs both"):
        SlotSharingGroup.builder("g").set_managed_memory_mb(1).build()
    with pytest.raises(ConfigurationError, match="cpu_cores must be positive"):
        SlotSharingGroup.builder("g").set_cpu_cores(0)
    with pytest.raises(ConfigurationError, match="name of a SlotSharingGroup"):
        SlotSharingGroup.builder("")


def test_heap_memory_is_not_zero():
    """A group that asks for a core asks for some heap, as in Flink."""
    with pytest.raises(ConfigurationError, match=r"task_heap_memory of slot sharing group 'g' must be positive"):
        SlotSharingGroup.builder("g").set_task_heap_memory(MemorySize(bytes_size=0))


def test_memory_that_is_not_asked_for_is_none_at_all():
    """With cores and heap the rest is zero; without, it is not known."""
    group = SlotSharingGroup.builder("g").set_cpu_cores(1).set_task_heap_memory_mb(10).build()
    assert group.get_managed_memory() == group.get_task_off_heap_memory() == MemorySize(0)
    assert SlotSharingGroup.builder("g").build().get_managed_memory() is None
