"""Makes the files of a batch visible, exactly once.

Workers write files that nobody sees: into a hidden folder, ``.inprogress`` in the base path, or, on S3, as uploads that
are not completed. A commit first writes down in that folder which names the batch has, then gives the batch's files
their names, one by one. The process may die between any two steps: the batch is then run again, its files get the same
names, and names that only the dead attempt had written down are removed. Folders are listed to clean up, and to find
the files of another run; what a batch has is never asked of a listing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from windrow.connectors.files.part_files import OutputFileConfig
from windrow.connectors.files.paths import files_in
from windrow.errors import JobExecutionError
from windrow.storage.file_system import FileSystem, PendingFile
from windrow.storage.file_systems import file_system_of

IN_PROGRESS = ".inprogress"

#: Names in the hidden folder: a batch's list of names, and what is not finished.
_LIST = r"\.{prefix}-(\d+){suffix}\.names"
_UNFINISHED = r"\.\.?{prefix}-(\d+)(?:-\d+-\d+)?{suffix}\.(?:inprogress|names)\..*"

#: What the file system commits, and the file's name then, below the base path.
Move = tuple[Any, str]


class _Hidden(NamedTuple):
    """The files in the hidden folder, lists of names and unfinished ones, each with its batch."""

    lists: list[tuple[int, str]]
    unfinished: list[tuple[int, str]]


@dataclass(frozen=True)
class Committer:
    """Commits batches of files below ``base``, a path or a URI."""

    base: str
    names: OutputFileConfig

    def commit(self, batch: int, moves: Iterable[Move]) -> None:
        """Make the batch's files visible, and only these of this batch; may be called again.

        Raises:
            JobExecutionError: a later batch is committed already, or a file has vanished.
            OSError: a file cannot be written, or looked at.
        """
        moves, files = list(moves), self._files
        if not moves and not files.is_there(self._hidden):
            return
        self._refuse_other_run(batch)
        finals = [final for _, final in moves]
        earlier = self._written_down(batch)
        if moves:
            files.write(self._list_file(batch), json.dumps(sorted({*earlier, *finals})).encode())
        for pending, final in moves:
            self._commit(pending, self._place(final))
        files.settle(self.base, [self._place(final) for final in finals])
        for final in set(earlier).difference(finals):
            files.remove(self._place(final))
        self._clean(batch)

    def remove_others(self, folders: Iterable[str]) -> None:
        """Remove all files of other prefixes in folders below the base path, and in those within them.

        Raises:
            OSError: a file cannot be removed, or looked at.
        """
        for folder in folders:
            place = self._place(folder) if folder else self.base
            for file in files_in(place) if self._files.is_there(place) else ():
                if not file.name.startswith(f"{self.names.part_prefix}-"):
                    self._files.remove(file.path)

    def in_progress(self, final_name: str, attempt: str) -> str:
        """The hidden name of a file that an attempt to run a batch writes."""
        return f".{final_name}{IN_PROGRESS}.{attempt}"

    def begin(self, hidden: str, final: str) -> PendingFile:
        """Begin a file that is not seen before the commit."""
        return self._files.begin(f"{self._hidden}/{hidden}", self._place(final))

    @property
    def _files(self) -> FileSystem:
        return file_system_of(self.base)

    @property
    def _hidden(self) -> str:
        return f"{self.base}/{IN_PROGRESS}"

    def _place(self, final: str) -> str:
        return f"{self.base}/{final}"

    def _list_file(self, batch: int) -> str:
        return f"{self._hidden}/.{self.names.part_prefix}-{batch}{self.names.part_suffix}.names"

    def _written_down(self, batch: int) -> list[str]:
        """The names that an earlier attempt at the batch was to give."""
        try:
            names: list[str] = json.loads(self._files.read(self._list_file(batch)))
        except FileNotFoundError:
            return []
        return names

    def _in_hidden_folder(self) -> _Hidden:
        """List the hidden folder: each time it is a request to a store."""
        prefix, suffix = re.escape(self.names.part_prefix), re.escape(self.names.part_suffix)
        patterns = [re.compile(each.format(prefix=prefix, suffix=suffix)) for each in (_LIST, _UNFINISHED)]
        names = self._files.names(self._hidden)
        found = [[match for name in names if (match := pattern.fullmatch(name))] for pattern in patterns]
        return _Hidden(*([(int(match[1]), f"{self._hidden}/{match[0]}") for match in matches] for matches in found))

    def _refuse_other_run(self, batch: int) -> None:
        later = max((of_batch for of_batch, _ in self._in_hidden_folder().lists), default=batch)
        if later > batch:
            msg = (
                f"FileSink: {self.base} holds results of another run, up to its batch {later}, and this run commits "
                f"its batch {batch}: both would be mixed; start from that run's checkpoint, write to an empty folder "
                f"(the hidden folder {IN_PROGRESS} goes with the files), or use another part prefix"
            )
            raise JobExecutionError(msg)

    def _commit(self, pending: Any, final: str) -> None:
        try:
            self._files.commit(pending, final)
        except FileNotFoundError:
            msg = (
                f"FileSink: what was written for {final} has vanished before its batch was committed; on a cluster "
                "all machines must share the file system of the base path"
            )
            raise JobExecutionError(msg) from None

    def _clean(self, batch: int) -> None:
        """Remove what dead attempts left of this batch and earlier ones, and all lists of names but the last."""
        lists, unfinished = self._in_hidden_folder()
        for of_batch, path in unfinished:
            if of_batch <= batch:
                self._files.remove(path)
        for _, path in sorted(lists)[:-1]:
            self._files.remove(path)
