"""Makes the one file that brings Windrow to executors whose Python does not have it."""

from __future__ import annotations

import importlib.util
import io
import py_compile
import sys
import tempfile
import zipfile
from pathlib import Path

import windrow
from windrow.errors import ConfigurationError
from windrow.storage import disk

#: What jobs call, and what PySpark does not ask executors to have for functions on Arrow's data and for state anyway.
#: The others have compiled parts, which Python cannot import from an archive.
_PACKAGES = ("windrow", "cloudpickle")
#: Folders of them that no job uses.
_LEFT_OUT = ("__pycache__", "demo", "doctor", "testing")
#: Of every file, so that the same contents are the same bytes.
_DATE = (2020, 1, 1, 0, 0, 0)


def default_name() -> str:
    """Give the archive's name: it is for one version of Windrow, and compiled for one of Python."""
    return f"windrow-{windrow.__version__}-py{sys.version_info.major}{sys.version_info.minor}.zip"


def make_archive(path: Path) -> Path:
    """Write the archive; its path.

    It holds the source of each module, and what Python makes of it: a Python that imports from an archive would compile
    it anew in every process. One of another version compiles the source.

    Args:
        path: A file, replaced as a whole if it is there, or a folder to make one in.

    Raises:
        ConfigurationError: the name does not end in ``.zip``, or the file cannot be written.
    """
    if path.is_dir():
        path = path / default_name()
    if path.suffix != ".zip":
        msg = (
            f"the archive is to be {str(path)!r}: Spark puts an archive on the path of Python if its name ends in .zip"
        )
        raise ConfigurationError(msg)
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive, tempfile.TemporaryDirectory() as folder:
        for package in _PACKAGES:
            _add(archive, _folder_of(package), Path(folder))
    try:
        disk.write(path, written.getvalue())
    except OSError as error:
        msg = f"the archive {str(path)!r} cannot be written: {error.strerror}"
        raise ConfigurationError(msg) from None
    return path


def _folder_of(package: str) -> Path:
    found = importlib.util.find_spec(package)
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent


def _add(archive: zipfile.ZipFile, package: Path, folder: Path) -> None:
    for source in sorted(package.rglob("*.py")):
        name = source.relative_to(package.parent)
        if any(part in _LEFT_OUT for part in name.parts):
            continue
        compiled = py_compile.compile(
            str(source), str(folder / "compiled"), str(name), doraise=True,
            invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        )  # fmt: skip
        assert compiled is not None
        _write(archive, str(name), source.read_bytes())
        _write(archive, f"{name}c", Path(compiled).read_bytes())


def _write(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, _DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, data)
