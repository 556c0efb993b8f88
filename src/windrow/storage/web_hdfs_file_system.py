"""HDFS over HTTP: nothing of Hadoop is needed in workers."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

from windrow.storage.file_system import PendingFile
from windrow.storage.fsspec_file_system import READ_AHEAD, FsspecFileSystem, as_os_errors

#: Seconds that a server may be silent.
_PATIENCE = 120.0


class WebHdfsFileSystem(FsspecFileSystem):
    """Files are pending under a hidden name, and get their own by a rename, which replaces in one step."""

    def write(self, path: str, data: bytes) -> None:
        above, _, name = path.rpartition("/")
        hidden = f"{above}/.{name}.partial"  # nobody else writes this file
        pending = self.begin(hidden, path)
        try:
            pending.file.write(data)
            self._rename(pending.close_for_commit(), path)
        except BaseException:
            pending.discard()
            raise

    def begin(self, hidden: str, final: str) -> PendingFile:
        self._make_folder(hidden)
        return super().begin(hidden, final)

    def commit(self, pending: Any, final: str) -> None:
        try:
            self._rename(pending, final)
        except FileNotFoundError:
            if not self.is_there(final):  # else an earlier call has committed it
                raise

    def _rename(self, hidden: str, final: str) -> None:
        self._make_folder(final)
        files, source = self._at(hidden)
        _, target = self._at(final)
        with as_os_errors(hidden):
            # Without the option HDFS renames to nothing that is there, and says so where fsspec does not listen.
            files._call("RENAME", method="put", path=source, destination=target, renameoptions="OVERWRITE")

    def _open(self, files: Any, place: str) -> Any:
        return _checked_file()(files, place, mode="rb", block_size=READ_AHEAD, tempdir="", autocommit=True)

    def _make_folder(self, path: str) -> None:
        files, place = self._at(path)
        with as_os_errors(path):
            files.makedirs(place.rpartition("/")[0] or "/", exist_ok=True)

    def _at(self, path: str) -> tuple[Any, str]:
        files, place = super()._at(path)
        _have_patience(files.session)
        return files, place


def _have_patience(session: Any) -> None:
    """Let no request wait for ever."""
    if not isinstance(session.request, partial):
        session.request = partial(session.request, timeout=_PATIENCE)


@cache
def _checked_file() -> Any:
    """Fsspec's class of files, which takes for content what a data node says that it cannot give."""
    from fsspec.implementations.webhdfs import WebHDFile

    class CheckedFile(WebHDFile):  # type: ignore[misc]
        def _fetch_range(self, start: int, end: int) -> bytes:
            start, end = max(start, 0), min(self.size, end)
            if start >= end:
                return b""
            found = self.fs._call("OPEN", path=self.path, offset=start, length=end - start, redirect=False)
            if "Location" in found.headers:
                found = self.fs.session.get(self.fs._apply_proxy(found.headers["Location"]))
                found.raise_for_status()
            data = bytes(found.content)
            if len(data) != end - start:
                msg = f"of {end - start} bytes from {start} on there are {len(data)}"
                raise OSError(msg)
            return data

    return CheckedFile
