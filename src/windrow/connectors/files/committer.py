"""Makes the files of a batch visible, exactly once.

Workers write into a hidden folder, ``.inprogress`` in the base path. A commit first writes down there which names the
batch has, then renames the batch's files to them, one by one. The process may die between any two steps: the batch is
then run again, its files get the same names, and names that only the dead attempt had written down are removed.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from windrow.connectors.files.part_files import OutputFileConfig
from windrow.errors import JobExecutionError
from windrow.storage import disk

IN_PROGRESS = ".inprogress"

#: Names in the hidden folder: a batch's list of names, and what is not finished.
_LIST = r"\.{prefix}-(\d+){suffix}\.names"
_UNFINISHED = r"\.\.?{prefix}-(\d+)(?:-\d+-\d+)?{suffix}\.(?:inprogress|names)\..*"

#: The name of a file in progress, below the hidden folder, and its final name, relative to the base path.
Move = tuple[str, str]


@dataclass(frozen=True)
class Committer:
    """Commits batches of files below ``base``."""

    base: Path
    names: OutputFileConfig

    def commit(self, batch: int, moves: Iterable[Move]) -> None:
        """Make the batch's files visible, and only these of this batch; may be called again.

        Raises:
            JobExecutionError: a later batch is committed already, or a file has vanished.
        """
        moves = list(moves)
        if not moves and not self._hidden.is_dir():
            return
        lists = self._lists()
        self._refuse_other_run(batch, lists)
        finals = [final for _, final in moves]
        earlier: list[str] = json.loads(lists[batch].read_text()) if batch in lists else []
        if moves:
            disk.write(self._list_file(batch), json.dumps(sorted({*earlier, *finals})).encode())
        for hidden, final in moves:
            self._move(self._hidden / hidden, self.base / final)
        for folder in {(self.base / final).parent for final in finals}:
            disk.sync(folder)
        for final in set(earlier).difference(finals):
            disk.remove(self.base / final)
        self._clean(batch)

    def in_progress(self, final_name: str, attempt: str) -> str:
        """The hidden name of a file that an attempt to run a batch writes."""
        return f".{final_name}{IN_PROGRESS}.{attempt}"

    def in_progress_path(self, hidden: str) -> Path:
        """Give the path of a file in progress; its folder is made."""
        self._hidden.mkdir(parents=True, exist_ok=True)
        return self._hidden / hidden

    @property
    def _hidden(self) -> Path:
        return self.base / IN_PROGRESS

    def _list_file(self, batch: int) -> Path:
        return self._hidden / f".{self.names.part_prefix}-{batch}{self.names.part_suffix}.names"

    def _lists(self) -> dict[int, Path]:
        """The lists of names that are there, by batch: the last batch's, and what a crash has left."""
        return dict(self._matching(_LIST))

    def _matching(self, pattern: str) -> Iterable[tuple[int, Path]]:
        prefix, suffix = re.escape(self.names.part_prefix), re.escape(self.names.part_suffix)
        whole = re.compile(pattern.format(prefix=prefix, suffix=suffix))
        for name in os.listdir(self._hidden):
            match = whole.fullmatch(name)
            if match:
                yield int(match.group(1)), self._hidden / name

    def _refuse_other_run(self, batch: int, lists: dict[int, Path]) -> None:
        later = max(lists, default=batch)
        if later > batch:
            msg = (
                f"FileSink: {self.base} holds results of another run, up to its batch {later}, and this run commits "
                f"its batch {batch}: both would be mixed; start from that run's checkpoint, write to an empty folder "
                f"(the hidden folder {IN_PROGRESS} goes with the files), or use another part prefix"
            )
            raise JobExecutionError(msg)

    def _move(self, hidden: Path, final: Path) -> None:
        final.parent.mkdir(parents=True, exist_ok=True)
        try:
            disk.rename(hidden, final)
        except FileNotFoundError:
            if not final.exists():  # else an earlier call has renamed it
                msg = (
                    f"FileSink: {hidden} has vanished before its batch was committed; on a cluster all machines must "
                    "share the file system of the base path"
                )
                raise JobExecutionError(msg) from None

    def _clean(self, batch: int) -> None:
        """Remove what dead attempts left of this batch and earlier ones, and all lists of names but the last."""
        for of_batch, path in self._matching(_UNFINISHED):
            if of_batch <= batch:
                disk.remove(path)
        lists = self._lists()
        for of_batch in sorted(lists)[:-1]:
            disk.remove(lists[of_batch])
