"""A job's record as a file of JSON lines, which is written while the job runs and read when it is over."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

from windrow.errors import ConfigurationError
from windrow.runtime.monitor.processes import lives
from windrow.runtime.monitor.record import ENDS, FORM, Entry, JobRecord
from windrow.storage import disk
from windrow.storage.folder import Folder

#: What the names of such files end with.
SUFFIX = ".history.jsonl"
#: What the name of a checkpoint directory gets for the folder of its histories.
_BESIDE = ".history"
#: So many files a folder keeps; the oldest ones go when a job starts.
FILES_KEPT = 20
#: Only the program's user reads it: elements that have failed are in it.
_MODE = 0o600
#: The end of a job is in so many bytes at the end of the file.
_TAIL = 1000
_LARGE = 16 << 20


class HistoryFile:
    """Appends the entries of one job, and keeps the file short.

    Args:
        folder: Made if it is not there.
        name: The file's, without :data:`SUFFIX`.
        batches: When twice as many batches are in it, or it has become large, it is written anew with the last ones.
    """

    def __init__(self, folder: Path, name: str, batches: int) -> None:
        if not folder.is_dir():
            disk.make_folder(folder.parent)
            folder.mkdir(mode=0o700, exist_ok=True)
            disk.sync(folder.parent)
        _remove_oldest(folder)
        self.path = folder / f"{name}{SUFFIX}"
        self._batches = batches
        self._written = 0
        #: How many characters are in it, and with how many it is written anew.
        self._size, self._largest = 0, _LARGE
        self._file: IO[str] | None = None

    def write(self, entries: list[Entry], record: JobRecord) -> None:
        """Append entries, or write anew all that ``record`` keeps, where they are in already."""
        self.put(*self.text_of(entries, record))

    def text_of(self, entries: list[Entry], record: JobRecord) -> tuple[str, bool]:
        """Make the lines to be written for these entries; True: they are the whole file, which is to be replaced."""
        self._written += sum(entry["type"] == "batch" for entry in entries)
        lines = "".join(map(_line, entries))
        self._size += len(lines)
        if self._written < 2 * self._batches and self._size <= self._largest:
            return lines, False
        whole = "".join(map(_line, record.entries()))
        self._written, self._size = len(record.batches), len(whole)
        self._largest = max(_LARGE, 2 * self._size)
        return whole, True

    def put(self, text: str, whole: bool) -> None:
        """Write what :meth:`text_of` gave; nobody has to hold the record meanwhile."""
        if whole:
            self.close()
            disk.write(self.path, text.encode(), _MODE)
            return
        if self._file is None:
            appending = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, _MODE)
            self._file = os.fdopen(appending, "a", encoding="utf-8")
        self._file.write(text)
        self._file.flush()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def read_history(path: Path, batches: int = 10_000) -> JobRecord:
    """The record that a file has. A last line that was not written to its end does not count.

    A job without an end is SUSPENDED: its program was killed, or still runs.

    Raises:
        ConfigurationError: it cannot be read, or is no such file.
    """
    record = JobRecord(batches)
    try:
        with path.open(encoding="utf-8") as lines:
            for entry in _entries(lines):
                record.add(entry)
    except OSError as error:
        msg = f"cannot read the history file {str(path)!r}: {error.strerror}"
        raise ConfigurationError(msg) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        msg = f"{str(path)!r} is no history of a job: a file has one entry of JSON a line, the job first ({error})"
        raise ConfigurationError(msg) from error
    form = record.job.get("form")
    if form != FORM:
        msg = f"{str(path)!r} is no history of a job that this version can read: its form is {form!r}, not {FORM}"
        raise ConfigurationError(msg)
    if record.ended is None:
        ended = max([record.job["started"], *(batch["ended"] for batch in record.batches)])
        record.add({"type": "state", "state": "SUSPENDED", "at": ended})
    return record


def history_files(place: Path) -> list[Path]:
    """The files at a place: a file, a folder of them, or a checkpoint directory beside which such a folder is.

    Raises:
        ConfigurationError: there is none.
    """
    if place.is_file():
        return [place]
    for folder in (place, beside(place)):
        found = _by_age(folder)
        if found:
            return found
    msg = f"there is no history of a job at {str(place)!r}: give a file that ends with {SUFFIX}, or a folder with such"
    raise ConfigurationError(msg)


def beside(checkpoint: Path) -> Path:
    """The folder for the histories of jobs with this checkpoint directory."""
    return checkpoint.with_name(f"{checkpoint.name}{_BESIDE}")


def uri_beside(checkpoint: str) -> str:
    """The same for a checkpoint directory that is a URI.

    Example:
        >>> uri_beside("s3a://bucket/orders/")
        's3a://bucket/orders.history'
    """
    return f"{checkpoint.rstrip('/')}{_BESIDE}"


def put_copy(file: Path, folder: Folder) -> None:
    """Copy a history into a folder on any file system, which keeps as many as one on a disk."""
    kept = sorted(name for name in folder.names() if name.endswith(SUFFIX) and name != file.name)
    folder.write(file.name, file.read_bytes())
    for name in kept[: max(0, len(kept) - FILES_KEPT + 1)]:  # names begin with the time at which a job was started
        folder.remove(name)


def fetch_histories(folder_at: Callable[[str], Folder], location: str, into: Path) -> None:
    """Copy the histories at a URI to a folder on the disk: one file, those of a folder, or those beside a checkpoint.

    Args:
        folder_at: The folder that a URI means.
        location: The URI.
        into: A folder that is there.

    Raises:
        ConfigurationError: there is none.
        OSError: the file system does not answer.
    """
    location = location.rstrip("/")
    parent, _, name = location.rpartition("/")
    is_file = name.endswith(SUFFIX)
    for place in [parent] if is_file else [location, f"{location}{_BESIDE}"]:
        folder = folder_at(place)
        for each in [name] if is_file else [each for each in folder.names() if each.endswith(SUFFIX)]:
            try:
                (into / each).write_bytes(folder.read(each))
            except FileNotFoundError:  # there is no such file, or a job that has just ended has removed it
                continue
        if any(into.iterdir()):
            return
    msg = f"there is no history of a job at {location!r}: give a file that ends with {SUFFIX}, or a folder with such"
    raise ConfigurationError(msg)


def file_name(job_name: str, started: str, job_id: str) -> str:
    """A name that says something to a person, and that no other job has.

    Example:
        >>> file_name("Late flights, hourly!", "20261125-120000", "0123456789abcdef")
        '20261125-120000-late-flights-hourly-01234567'
    """
    plain = re.sub(r"[^a-z0-9]+", "-", job_name.lower()).strip("-")[:40] or "job"
    return f"{started}-{plain}-{job_id[:8]}"


def _entries(lines: Iterator[str] | IO[str]) -> Iterator[Entry]:
    for line in lines:
        if line.endswith("\n"):
            yield json.loads(line)


def _line(entry: Entry) -> str:
    return json.dumps(entry, separators=(",", ":"), default=str) + "\n"


def _remove_oldest(folder: Path) -> None:
    files = _by_age(folder)
    for file in files[: max(0, len(files) - FILES_KEPT + 1)]:
        if _goes_on(file):
            continue
        with suppress(OSError):  # another job has removed it, or somebody else has made it
            file.unlink()


def _goes_on(file: Path) -> bool:
    """Tell whether the job still runs: its end is not in the file, and the process of its program lives."""
    try:
        with file.open("rb") as lines:
            pid = json.loads(lines.readline()).get("pid")
            lines.seek(-min(_TAIL, file.stat().st_size), os.SEEK_END)
            last = lines.read().splitlines()[-1]
    except (OSError, ValueError, AttributeError, IndexError):  # no history, or a file that somebody has just removed
        return False
    return isinstance(pid, int) and lives(pid) and not _is_end(last)


def _is_end(line: bytes) -> bool:
    try:
        entry = json.loads(line)
    except ValueError:  # it is longer than what was read of it, or not written to its end
        return False
    return entry["type"] == "state" and entry["state"] in ENDS


def _by_age(folder: Path) -> list[Path]:
    """The histories of a folder, the oldest first; other programs may remove some meanwhile."""
    found = []
    for file in folder.glob(f"*{SUFFIX}"):
        with suppress(OSError):
            found.append((file.stat().st_mtime, file))
    return [file for _, file in sorted(found)]
