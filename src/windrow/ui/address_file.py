"""Files with the addresses of this user's pages: a small one for each, there as long as the page is."""

from __future__ import annotations

import atexit
import os
from contextlib import suppress
from pathlib import Path

from windrow.runtime.monitor.processes import lives
from windrow.runtime.monitor.watching import temporary_folder

_SUFFIX = ".page"


class AddressFile:
    """Says an address to other programs of this user; nobody else can read it, since the page's token is in it.

    Args:
        url: The address, with the token.
        name: What no other page of this process has: its port.
    """

    def __init__(self, url: str, name: str) -> None:
        self._path: Path | None = None
        with suppress(OSError):  # who wants to look can still give the address that was printed
            path = temporary_folder() / f"{os.getpid()}-{name}{_SUFFIX}"
            path.unlink(missing_ok=True)
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(url)
            self._path = path
            atexit.register(self.remove)

    def remove(self) -> None:
        """The page is closed; a folder that has nothing else goes, too."""
        atexit.unregister(self.remove)
        path, self._path = self._path, None
        if path is not None:
            with suppress(OSError):
                path.unlink(missing_ok=True)
                path.parent.rmdir()


def addresses() -> list[str]:
    """Those of this user's programs that live, the newest one first."""
    found = []
    for path in temporary_folder().glob(f"*{_SUFFIX}"):
        with suppress(OSError, ValueError):
            if lives(int(path.name.partition("-")[0])):
                found.append((path.stat().st_mtime_ns, path.read_text()))
            else:  # it was killed
                path.unlink()
    return [url for _, url in sorted(found, reverse=True)]
