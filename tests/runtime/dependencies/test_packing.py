"""What functions need, packed into an archive and unpacked again."""

import os
import tarfile
import zipfile

import pytest

from windrow.errors import ConfigurationError
from windrow.runtime.dependencies.named import Archive, Dependencies
from windrow.runtime.dependencies.packing import WORK, contents_of, pack, unpack


@pytest.fixture
def folders(tmp_path):
    """Where it is packed, and where it is unpacked."""
    made = tmp_path / "packed", tmp_path / "unpacked"
    for folder in made:
        folder.mkdir()
    return made


def _unpacked(dependencies, folders):
    return unpack(pack(dependencies, folders[0]), folders[1])


def test_files_folders_and_archives_of_packages(tmp_path, folders):
    """A file is on the path by its folder, a folder itself (a package by what it is in too), a zip by its contents."""
    (tmp_path / "one.py").write_text("x = 1")
    for package in ("plain", "package"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "two.py").write_text("x = 2")
    (tmp_path / "package" / "__init__.py").write_text("")
    with zipfile.ZipFile(tmp_path / "three.zip", "w") as packed:
        packed.writestr("three/__init__.py", "x = 3")
    files = tuple(tmp_path / name for name in ("one.py", "plain", "package", "three.zip"))

    unpacked = _unpacked(Dependencies(files, folders=("/opt/libraries",)), folders)

    packed = ["files/0", "files/1/plain", "files/2/package", "files/2", "files/3"]
    assert contents_of(unpacked).paths == [*packed, "/opt/libraries"]
    assert (unpacked / "files/0/one.py").exists()
    assert (unpacked / "files/2/package/two.py").exists()
    assert (unpacked / "files/3/three/__init__.py").read_text() == "x = 3"


def test_archives_are_extracted_in_the_working_directory(tmp_path, folders):
    """Zip and tar; programs stay programs, links stay links."""
    source = tmp_path / "source"
    source.mkdir()
    (source / "run").write_text("#!/bin/sh")
    (source / "run").chmod(0o755)
    (source / "link").symlink_to("run")
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as tar:
        tar.add(source, arcname="bin")
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as packed:
        packed.write(source / "run", "run")
        link = zipfile.ZipInfo("link")
        link.external_attr = 0o120777 << 16
        packed.writestr(link, "run")

    archives = (Archive(tmp_path / "a.tar.gz", "tools"), Archive(tmp_path / "b.zip", "b.zip"))
    work = _unpacked(Dependencies(archives=archives), folders) / WORK

    for folder in (work / "tools" / "bin", work / "b.zip"):
        assert os.access(folder / "run", os.X_OK)
        assert os.readlink(folder / "link") == "run"


def test_what_is_no_archive_is_refused(tmp_path, folders):
    """It is neither zip nor tar, whatever its name."""
    (tmp_path / "a.zip").write_text("no zip")
    with pytest.raises(ConfigurationError, match=r"0-a.zip is neither a zip nor a tar archive"):
        _unpacked(Dependencies(archives=(Archive(tmp_path / "a.zip", "a"),)), folders)


def test_equal_contents_have_one_name(tmp_path, folders):
    """What is packed is told by its contents, so that two jobs with the same file name do not take each other's."""
    file = tmp_path / "one.py"
    names = []
    for text in ("x = 1", "x = 2", "x = 1"):
        file.write_text(text)
        names.append(pack(Dependencies((file,)), folders[0]).name)
    assert names[0] == names[2] != names[1]


def test_it_is_unpacked_once(tmp_path, folders):
    """Worker processes of one machine share what one of them has unpacked."""
    (tmp_path / "one.py").write_text("x = 1")
    packed = pack(Dependencies((tmp_path / "one.py",)), folders[0])
    assert unpack(packed, folders[1]) == unpack(packed, folders[1])
    assert len(list(folders[1].iterdir())) == 1
