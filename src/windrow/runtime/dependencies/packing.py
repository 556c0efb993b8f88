"""Packs what functions need into one archive, and unpacks it where they run."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import tarfile
import tempfile
import zipfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

from windrow.errors import ConfigurationError
from windrow.runtime.dependencies.named import Dependencies
from windrow.runtime.dependencies.requirements import install
from windrow.storage import disk

#: Packages in an archive. Python could import from them as they are, and functions not read what is beside the code.
_PACKED = (".zip", ".egg", ".whl")
_CONTENTS = "contents.json"
#: The functions' working directory.
WORK = "work"


class Contents(NamedTuple):
    """The contents of a packed archive, by names within it."""

    #: What is to be on the path; what is not in it is an absolute one.
    paths: list[str]
    #: Archives, each with its folder in the working directory.
    archives: list[tuple[str, str]]
    #: The Python that was asked for.
    executable: str | None


def pack(dependencies: Dependencies, folder: Path) -> Path:
    """An archive with all of it in the folder; the name tells the contents, so equal ones have one name.

    Raises:
        ConfigurationError: requirements that cannot be installed, or an archive that is none.
    """
    with tempfile.TemporaryDirectory(dir=folder) as made:
        staging = Path(made)
        paths: list[str] = []
        if dependencies.requirements is not None:
            install(dependencies.requirements, staging / "requirements")
            paths.append("requirements")
        for number, file in enumerate(dependencies.files):
            paths += _stage(file, staging, f"files/{number}")
        paths += dependencies.folders
        archives: list[tuple[str, str]] = []
        for number, archive in enumerate(dependencies.archives):
            (staging / "archives").mkdir(exist_ok=True)
            name = f"archives/{number}-{archive.path.name}"
            shutil.copyfile(archive.path, staging / name)
            archives.append((name, archive.target))
        contents = Contents(paths, archives, dependencies.executable)
        (staging / _CONTENTS).write_text(json.dumps(contents._asdict()))
        return _zipped(staging, folder)


def _stage(file: Path, staging: Path, place: str) -> list[str]:
    """Copy a file or folder there; what of it is to be on the path."""
    into = staging / place
    if file.is_dir():
        shutil.copytree(file, into / file.name, ignore=shutil.ignore_patterns("__pycache__"))
        found = f"{place}/{file.name}"
        return [found, place] if (file / "__init__.py").exists() else [found]
    into.mkdir(parents=True)
    if file.suffix in _PACKED:
        _extract(file, into)
    else:
        shutil.copyfile(file, into / file.name)
    return [place]


def _zipped(staging: Path, folder: Path) -> Path:
    files = sorted(path for path in staging.rglob("*") if path.is_file())
    digest = hashlib.sha256()
    unnamed = folder / f".{os.getpid()}-{staging.name}"
    with zipfile.ZipFile(unnamed, "w", zipfile.ZIP_STORED) as packed:
        for file in files:
            name = str(file.relative_to(staging))
            digest.update(name.encode())
            digest.update(hashlib.sha256(file.read_bytes()).digest())
            packed.write(file, name)
    archive = folder / f"windrow-dependencies-{digest.hexdigest()[:16]}.zip"
    disk.sync(unnamed)
    disk.rename(unnamed, archive)
    disk.sync(folder)
    return archive


def unpack(packed: Path, into: Path) -> Path:
    """Unpack it into a folder named as it is; the folder. Several processes may do so at the same time."""
    target = into / f"{packed.stem}.d"
    if target.exists():
        return target
    unpacked = Path(tempfile.mkdtemp(dir=into))
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(unpacked)
    (unpacked / WORK).mkdir()
    for name, folder in contents_of(unpacked).archives:
        _extract(unpacked / name, unpacked / WORK / folder)
        (unpacked / name).unlink()
    try:
        unpacked.rename(target)
    except OSError:  # another process was faster
        shutil.rmtree(unpacked, ignore_errors=True)
    return target


@cache
def contents_of(unpacked: Path) -> Contents:
    """List what there is in it."""
    return Contents(**json.loads((unpacked / _CONTENTS).read_text()))


def _extract(archive: Path, into: Path) -> None:
    """Extract a zip or tar archive; programs in it stay programs, and links stay links.

    Raises:
        ConfigurationError: it is neither.
    """
    into.mkdir(parents=True, exist_ok=True)
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as packed:
            for entry in packed.infolist():
                _extract_entry(packed, entry, into)
    elif tarfile.is_tarfile(archive):
        with tarfile.open(archive) as tar:
            tar.extractall(into, filter="tar")
    else:
        msg = f"{archive.name} is neither a zip nor a tar archive"
        raise ConfigurationError(msg)


def _extract_entry(packed: zipfile.ZipFile, entry: zipfile.ZipInfo, into: Path) -> None:
    mode = entry.external_attr >> 16
    if stat.S_ISLNK(mode):
        link = into / entry.filename
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(packed.read(entry).decode())
        return
    extracted = packed.extract(entry, into)
    if mode and not entry.is_dir():
        os.chmod(extracted, stat.S_IMODE(mode) | stat.S_IRUSR)
