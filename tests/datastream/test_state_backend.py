"""State backends and checkpoint storages that programs name."""

import pytest

from windrow.datastream.checkpoint_storage import (
    CustomCheckpointStorage,
    FileSystemCheckpointStorage,
    JobManagerCheckpointStorage,
)
from windrow.datastream.state_backend import (
    CustomStateBackend,
    EmbeddedRocksDBStateBackend,
    HashMapStateBackend,
    PredefinedOptions,
    StateBackend,
)


def test_rocksdb_remembers_its_settings():
    """What a program sets it can read again."""
    backend = EmbeddedRocksDBStateBackend(enable_incremental_checkpointing=True)
    backend.set_db_storage_paths("a", "b")
    backend.set_predefined_options(PredefinedOptions.FLASH_SSD_OPTIMIZED)
    backend.set_options("org.example.Options")
    backend.set_number_of_transfer_threads(9)
    assert backend.is_incremental_checkpoints_enabled()
    assert backend.get_db_storage_paths() == ["a", "b"]
    assert backend.get_predefined_options() is PredefinedOptions.FLASH_SSD_OPTIMIZED
    assert backend.get_options() == "org.example.Options"
    assert backend.get_number_of_transfer_threads() == 9
    assert not EmbeddedRocksDBStateBackend().is_incremental_checkpoints_enabled()


def test_backends_print_as_their_class():
    """All are state backends."""
    assert repr(HashMapStateBackend()) == "HashMapStateBackend"
    assert isinstance(CustomStateBackend("org.example.Backend"), StateBackend)
    assert CustomStateBackend("org.example.Backend").state_backend == "org.example.Backend"


def test_storages_remember_their_settings():
    """Paths and sizes come back; a write buffer is at least as large as the threshold, as in Flink."""
    files = FileSystemCheckpointStorage("file:///checkpoints", 10, 5)
    assert files.get_checkpoint_path() == "file:/checkpoints"
    assert files.get_savepoint_path() is None
    assert (files.get_min_file_size_threshold(), files.get_write_buffer_size()) == (10, 10)
    memory = JobManagerCheckpointStorage("file:///savepoints")
    assert memory.get_checkpoint_path() == memory.get_savepoint_path() == "file:/savepoints"
    assert memory.get_max_state_size() == JobManagerCheckpointStorage.DEFAULT_MAX_STATE_SIZE
    assert JobManagerCheckpointStorage(max_state_size=1).get_max_state_size() == 1
    assert CustomCheckpointStorage("org.example.Storage").checkpoint_storage == "org.example.Storage"
    assert repr(files) == "FileSystemCheckpointStorage"


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("file://var/checkpoints/", "file://var/checkpoints"),
        ("/var//checkpoints", "/var/checkpoints"),
        ("file:/", "file:/"),
        ("s3://bucket/a:b/", "s3://bucket/a:b"),
    ],
)
def test_paths_are_shown_as_flink_shows_them(path, shown):
    """One slash between names and none at the end."""
    assert FileSystemCheckpointStorage(path).get_checkpoint_path() == shown


def test_folders_of_a_state_backend_are_local_paths():
    """Of a URI its path counts, as in Flink."""
    backend = EmbeddedRocksDBStateBackend()
    backend.set_db_storage_paths("file://var/one/", "/two")
    assert backend.get_db_storage_paths() == ["/one", "/two"]
