"""Looks for Java before Spark does: Spark waits a minute for what does not start, and then says that it did not."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from windrow.errors import JobExecutionError

#: The oldest Java that this PySpark runs on.
OLDEST = 17
_NEEDED = f"Spark needs Java {OLDEST} or newer"
_REMEDY = (
    f"install a Java {OLDEST} or 21 (Debian and Ubuntu: openjdk-{OLDEST}-jre-headless) or let JAVA_HOME name one; "
    "'windrow doctor' checks all that is needed"
)
_VERSION = re.compile(r'version "([^"]+)"')
_RELEASE = re.compile(r'^JAVA_VERSION="([^"]+)"', re.MULTILINE)
_SECONDS = 30


class Java(NamedTuple):
    """The Java that Spark will start."""

    path: str
    #: As it says itself: "17.0.15".
    version: str
    #: Who names it: "JAVA_HOME" or "PATH".
    named_by: str


def find_java(environment: Mapping[str, str] = os.environ) -> Java:
    """The Java that Spark will start: that of ``JAVA_HOME``, else the first one on ``PATH``.

    Raises:
        JobExecutionError: there is none, it does not run, or it is too old; says where was looked.
    """
    home = environment.get("JAVA_HOME")
    if home:
        named_by, path = "JAVA_HOME", shutil.which(str(Path(home) / "bin" / "java"))
        looked = f"JAVA_HOME is {home!r}, and there is no program {str(Path(home) / 'bin' / 'java')!r}"
    else:
        named_by, path = "PATH", shutil.which("java", path=environment.get("PATH"))
        looked = f"JAVA_HOME is not set, and there is no java on PATH ({environment.get('PATH', '')})"
    if path is None:
        msg = f"{_NEEDED}, and none was found: {looked}; {_REMEDY}"
        raise JobExecutionError(msg)
    version = _version(path)
    if major(version) < OLDEST:
        msg = f"{_NEEDED}, and {path} (from {named_by}) is Java {version}; {_REMEDY}"
        raise JobExecutionError(msg)
    return Java(path, version, named_by)


def major(version: str) -> int:
    """The number that Java's versions are called by.

    Example:
        >>> major("17.0.15"), major("1.8.0_392"), major("21-ea")
        (17, 8, 21)
    """
    numbers = [int(number) for number in re.findall(r"\d+", version)]
    return numbers[1] if numbers[:1] == [1] and len(numbers) > 1 else numbers[0]


def _version(path: str) -> str:
    """Ask ``java -version``; a file beside it says it faster."""
    release = Path(path).resolve().parent.parent / "release"
    try:
        written = _RELEASE.search(release.read_text(errors="replace"))
    except OSError:
        written = None
    if written is not None:
        return written.group(1)
    try:
        asked = subprocess.run(
            [path, "-version"], capture_output=True, text=True, errors="replace", timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        msg = f"{_NEEDED}, and {path} does not run: {error}; {_REMEDY}"
        raise JobExecutionError(msg) from None
    text = asked.stderr + asked.stdout
    said = _VERSION.search(text)
    if said is None or not re.match(r"\d", said.group(1)):
        words = " ".join(text.split())[:200] or f"nothing, with exit code {asked.returncode}"
        msg = f"{_NEEDED}, and '{path} -version' says no version: {words}; {_REMEDY}"
        raise JobExecutionError(msg)
    return said.group(1)
