"""Spark's half of a checkpoint directory, as far as Windrow reads it: offsets, commits, which state files there are."""

from __future__ import annotations

import json
import re
import time
import zlib
from collections.abc import Iterable
from typing import Any

from windrow.errors import CheckpointError
from windrow.runtime.checkpoint_files import damaged_error, gone_error, reading
from windrow.runtime.spark.source_plan import Offset
from windrow.storage.folder import Folder
from windrow.storage.local_folder import LocalFolder

#: The lines of an offset file: the format, what Spark notes of the batch, then a line for each source. Ours is the
#: first source of the query (``streaming_rows``); what other sources write in theirs is their own affair.
_FORMAT, _OURS = 0, 2
_FORMATS = {"offsets": {"v1"}, "commits": {"v1", "v2"}}
#: The state of a partition up to a version: as a whole, or as what has changed since the version before.
_STATE_FILE = re.compile(r"(\d+)(?:_[^.]*)?\.(zip|changelog)")


_CHECKSUM = "it is not as Spark has written it: its checksum differs"
#: What Spark says where it cannot load state, and the file that it names, if it names one.
_NOT_LOADED = re.compile(r"CANNOT_LOAD_STATE_STORE|/_stateSchema/|/_metadata/")
_NOT_THERE = re.compile(
    r"File (?:file:)?(\S.*?) does not exist|(?:File does not exist|No such file or directory): (\S.*)"
)
#: A program that was killed leaves a Java process that may write a little longer: then we look again, in seconds.
_WHILE_IT_DIES = 1.0


class SparkHalf:
    """The folder that a query of Spark's has as its checkpoint location."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder

    @property
    def is_local(self) -> bool:
        """True if it is on a disk of this machine, or on one that is mounted here."""
        return isinstance(self.folder, LocalFolder)

    @property
    def location(self) -> str:
        """The URI that Spark is told, for a plain path means the file system that ``fs.defaultFS`` names."""
        return f"file:{self.folder.location}" if self.is_local else self.folder.location

    @property
    def query_id(self) -> str:
        """Spark's name for the query in all its runs on this checkpoint; a savepoint's copy has another."""
        query_id: str = json.loads("".join(self._lines("metadata")))["id"]
        return query_id

    def planned(self) -> list[int]:
        """The numbers of batches whose offsets are there, in order."""
        return self._numbers("offsets")

    def committed(self) -> list[int]:
        """The numbers of batches that are committed, in order; Spark removes old ones."""
        return self._numbers("commits")

    def is_committed(self, batch: int) -> bool:
        """Tell whether the batch is committed."""
        return self.folder.exists(f"commits/{batch}")

    def last_committed(self) -> int:
        """The number of the last committed batch; -1 if there is none."""
        return max(self.committed(), default=-1)

    def offset(self, batch: int) -> Offset:
        """The offset of our own source behind the batch.

        Raises:
            CheckpointError: the file is gone or damaged.
        """
        file = f"offsets/{batch}"
        lines = self._lines(file)
        try:
            offset: Offset = json.loads(lines[_OURS])
            if not isinstance(offset["end"], int):
                raise TypeError(offset)
        except (IndexError, ValueError, KeyError, TypeError) as error:
            raise self._damaged_error(file, error) from error
        return offset

    def remove_leftovers(self) -> None:
        """Remove what a query was about to write that has planned nothing: Spark begins none beside it."""
        if self.planned():
            return
        for log in _FORMATS:
            for name in self.folder.names(log):
                if name.startswith("."):
                    self.folder.remove(f"{log}/{name}")

    def check(self, levels: int, partitions: int) -> None:
        """See whether all is there that goes on behind the last committed batch.

        Args:
            levels: How many stateful operators the query has.
            partitions: How many partitions each of them has.

        Raises:
            CheckpointError: a file is gone or damaged.
        """
        last, committed = self._ends()
        if last < committed:
            file = f"offsets/{committed}"
            raise self._gone_error(file)
        if last < 0:
            return
        if last > committed + 1:
            file = f"commits/{last - 1}"
            raise self._gone_error(file)
        self._check_metadata()
        for batch in range(max(0, last - 1), last + 1):
            self.offset(batch)
        if committed >= 0:
            names = self._state_ids(committed)
            self._check_file_sources(committed)
            for level in range(levels):
                self._check_state(level, partitions, committed + 1, names.get(str(level)))

    def damage(self, said: str) -> CheckpointError | None:
        """Find what is wrong with a state file, where Spark has failed with these words; None: it is something else."""
        if _NOT_LOADED.search(said) is None:
            return None
        missing = _NOT_THERE.search(said)
        if missing is not None:
            return gone_error(missing[1] or missing[2], "state")
        if not self.is_local:
            return None  # it may be that its file system does not answer now
        for file in self.folder.files("state"):
            if file.rpartition("/")[2][:1].isdigit() and not self._fits_checksum(file):
                return self._damaged_error(file, _CHECKSUM)
        return self._damaged_error("state", said.splitlines()[0])

    def _ends(self) -> tuple[int, int]:
        """The last batch that was planned and the last one that is committed; -1: none."""
        for _ in range(2):
            committed = self.last_committed()
            last = max(self.planned(), default=-1)
            if committed <= last <= committed + 1:
                break
            time.sleep(_WHILE_IT_DIES)
        return last, committed

    def _check_metadata(self) -> None:
        file = "metadata"
        try:
            json.loads("".join(self._lines(file)))["id"]
        except (ValueError, KeyError, TypeError) as error:
            raise self._damaged_error(file, error) from error

    def _state_ids(self, batch: int) -> dict[str, list[list[str]]]:
        """Read from the commit the ids of its state files, by level and partition; empty if these have format 1."""
        file = f"commits/{batch}"
        lines = self._lines(file)
        try:
            names: dict[str, list[list[str]]] = json.loads(lines[1]).get("stateUniqueIds") or {}
            if not all(isinstance(stores, list) for partitions in names.values() for stores in partitions):
                raise TypeError(names)
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            raise self._damaged_error(file, error) from error
        return names

    def _check_file_sources(self, batch: int) -> None:
        """Spark's file sources keep a log of what they have read; without it they would read all files again."""
        lines = self._lines(f"offsets/{batch}")
        for number, line in enumerate(lines[_OURS:]):
            log = f"sources/{number}"
            if _log_offset(line) >= 0 and not self.folder.names(log):
                raise self._gone_error(log)

    def _check_state(self, level: int, partitions: int, version: int, names: list[list[str]] | None) -> None:
        """See whether each partition can be brought to the version: from its last whole copy on, change by change.

        ``names``: those that the version's files have, by partition.
        """
        state = f"state/{level}"
        metadata = f"{state}/_metadata"
        if not self.folder.is_folder(metadata):
            raise self._gone_error(metadata)
        for file in [*self.folder.files(metadata), *self.folder.files(f"{state}/_stateSchema")]:
            if file.rpartition("/")[2][:1].isdigit() and not self._fits_checksum(file):
                raise self._damaged_error(file, _CHECKSUM)
        for partition in range(partitions):
            there = self.folder.names(f"{state}/{partition}")
            found = _versions(there)
            whole = max((number for number in found["zip"] if number <= version), default=0)
            for changed in range(whole + 1, version + 1):
                file = f"{state}/{partition}/{changed}.changelog"
                if changed not in found["changelog"]:
                    raise self._gone_error(file)
            for name in [] if names is None or partition >= len(names) else names[partition]:
                files = [f"{version}_{name}.{kind}" for kind in ("changelog", "zip")]
                if not {*files} & {*there}:
                    file = f"{state}/{partition}/{files[0]}"
                    raise self._gone_error(file)

    def _numbers(self, log: str) -> list[int]:
        return sorted(int(name) for name in self.folder.names(log) if name.isdigit())

    def _lines(self, file: str) -> list[str]:
        """The lines of a file of Spark's, whose bytes are as Spark has written them."""
        with reading(self.folder.place(file), _part(file)):
            try:
                data = self.folder.read(file)
            except FileNotFoundError:
                raise self._gone_error(file) from None
            lines = data.decode().splitlines()
        if not self._fits_checksum(file, data):
            raise self._damaged_error(file, _CHECKSUM)
        known = _FORMATS.get(_part(file))
        if known is not None and not {*lines[_FORMAT : _FORMAT + 1]} & known:
            expected = " or ".join(map(repr, sorted(known)))
            raise self._damaged_error(file, f"its first line is not {expected} but {lines[:1]}")
        return lines

    def _fits_checksum(self, file: str, data: bytes | None = None) -> bool:
        """Tell whether the data fits the checksums that Hadoop has written beside a file on a disk."""
        if not self.is_local:
            return True  # the file system sees to that itself
        folder, _, name = file.rpartition("/")
        try:
            stored = self.folder.read(f"{folder}/.{name}.crc" if folder else f".{name}.crc")
        except OSError:
            return True
        data = self.folder.read(file) if data is None else data
        size = int.from_bytes(stored[4:8]) or len(data) or 1
        sums = [zlib.crc32(data[start : start + size]).to_bytes(4) for start in range(0, len(data), size)]
        return stored[:4] == b"crc\0" and stored[8:] == b"".join(sums)

    def _gone_error(self, file: str) -> CheckpointError:
        return gone_error(self.folder.place(file), _part(file))

    def _damaged_error(self, file: str, why: object) -> CheckpointError:
        return damaged_error(self.folder.place(file), _part(file), why)


def _part(file: str) -> str:
    return file.partition("/")[0]


def _versions(names: Iterable[str]) -> dict[str, set[int]]:
    """The versions of a partition's state that its files have, by kind."""
    found: dict[str, set[int]] = {"zip": set(), "changelog": set()}
    for match in filter(None, map(_STATE_FILE.fullmatch, names)):
        found[match[2]].add(int(match[1]))
    return found


def _log_offset(line: str) -> int:
    """Read how far a file source has come; -1 for what is no offset of a file source, or nothing."""
    try:
        offset: Any = json.loads(line)
    except ValueError:
        return -1
    return offset["logOffset"] if isinstance(offset, dict) and isinstance(offset.get("logOffset"), int) else -1
