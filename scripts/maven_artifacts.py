"""Resolves what servers of tests consist of with Maven, once, into a folder outside the project."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

TIMEOUT_SECONDS = 600


class UnavailableError(Exception):
    """Maven or the artifacts cannot be had here."""


def resolve(pom: Path, cache: Path | None = None) -> Path:
    """The folder that holds the jars, named by what the POM says; resolved if it is not there.

    Args:
        pom: Says which they are; its folder has the server's name.
        cache: Where such folders are; None: ``windrow`` in the user's cache.

    Raises:
        UnavailableError: there is no ``mvn``, or it does not get the artifacts.
    """
    cache = user_cache() if cache is None else cache
    server = pom.parent.name
    folder = cache / f"{server}-{hashlib.sha256(pom.read_bytes()).hexdigest()[:12]}"
    if folder.is_dir():
        return folder
    mvn = shutil.which("mvn")
    if mvn is None:
        msg = f"{server} is resolved with Maven: install mvn (Debian, Ubuntu: maven)"
        raise UnavailableError(msg)
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache, prefix=f".{server}-") as partial:
        _copy_dependencies(mvn, pom, Path(partial) / "jars")
        try:
            (Path(partial) / "jars").rename(folder)  # in one step, so that a folder that is there is whole
        except OSError:
            if not folder.is_dir():
                raise
    return folder


def _copy_dependencies(mvn: str, pom: Path, target: Path) -> None:
    command = [mvn, "--batch-mode", "--quiet", "--file", str(pom), "dependency:copy-dependencies"]
    try:
        command.append(f"-DoutputDirectory={target}")
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        msg = f"mvn has not resolved {pom} within {TIMEOUT_SECONDS} s"
        raise UnavailableError(msg) from None
    if done.returncode != 0 or not target.is_dir():
        msg = f"mvn does not resolve {pom}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        raise UnavailableError(msg)


def user_cache() -> Path:
    """Where such folders are, for all checkouts."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "windrow"
