"""Folders on a disk."""

import pytest

from tests.storage.folder_contract import CONTRACT
from windrow.storage.local_folder import LocalFolder


@pytest.mark.parametrize("point", CONTRACT, ids=lambda point: point.__name__)
def test_a_folder_on_a_disk_does_what_every_folder_does(point, tmp_path):
    """The contract that folders on other file systems keep as well."""
    folder = LocalFolder(tmp_path / "made")
    folder.make()
    point(folder)


def test_a_link_to_a_folder_is_removed_and_not_what_it_points_to(tmp_path):
    """What is behind it may be somebody else's."""
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "file").touch()
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours" / "link").symlink_to(tmp_path / "theirs")
    LocalFolder(tmp_path / "ours").remove("link")
    assert LocalFolder(tmp_path / "ours").names() == []
    assert LocalFolder(tmp_path / "theirs").names() == ["file"]
