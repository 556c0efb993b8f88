"""Steps on disk."""

import pytest

from windrow.connectors.files import storage


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    """Until the last step the file is as it was."""
    file = tmp_path / "a"
    storage.write(file, b"before")

    def crash(source, target):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(storage, "rename", crash)
        with pytest.raises(KeyboardInterrupt):
            storage.write(file, b"after")
    assert file.read_bytes() == b"before"
    storage.write(file, b"after")
    assert file.read_bytes() == b"after"


def test_a_file_is_removed_if_it_is_there(tmp_path):
    """Removing it again is no error."""
    (tmp_path / "a").touch()
    storage.remove(tmp_path / "a")
    storage.remove(tmp_path / "a")
    assert not (tmp_path / "a").exists()


def test_a_folder_can_be_synced(tmp_path):
    """An existing folder is no error, a missing one is."""
    storage.sync(tmp_path)
    with pytest.raises(FileNotFoundError):
        storage.sync(tmp_path / "a")
