"""Begins to watch a job, as its settings say."""

from __future__ import annotations

import getpass
import logging
import os
import platform
import stat
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from windrow import __version__
from windrow.common.configuration import Configuration
from windrow.common.hidden import shown_setting
from windrow.common.job_id import JobID
from windrow.graph.job_graph import JobGraph
from windrow.runtime.monitor.described_job import DescribedJob, described_job
from windrow.runtime.monitor.history_file import HistoryFile, beside, file_name
from windrow.runtime.monitor.monitor import JobMonitor, wall_clock
from windrow.runtime.monitor.record import FORM, Entry
from windrow.runtime.monitor.ui_settings import UiSettings

_log = logging.getLogger("windrow")


def watch(
    job: JobGraph,
    job_id: JobID,
    settings: UiSettings,
    runtime: str,
    checkpoint_dir: str | None = None,
    savepoint_dir: str | None = None,
    restart_strategy: str = "",
    warnings: list[str] | None = None,
) -> JobMonitor:
    """Describe a job that is about to start, and let its operators be measured."""
    job.monitored = True
    now = wall_clock()
    first: Entry = {
        "type": "job",
        "form": FORM,
        "pid": os.getpid(),
        "id": str(job_id),
        "name": job.name,
        "started": now,
        "runtime": runtime,
        "mode": "BATCH" if job.batch_mode else "STREAMING",
        "unbounded": job.unbounded,
        "parallelism": job.parallelism,
        "max_parallelism": job.max_parallelism,
        "object_reuse": job.object_reuse,
        "restart_strategy": restart_strategy,
        "checkpoint_dir": checkpoint_dir,
        "savepoint_dir": savepoint_dir,
        "configuration": shown_settings(job.configuration),
        "parameters": {name: shown_setting(name, value) for name, value in job.job_parameters.items()},
        "versions": _versions(),
        "warnings": warnings or [],
        **_described(job),
    }
    file = None
    if settings.history:
        name = file_name(job.name, time.strftime("%Y%m%d-%H%M%S", time.localtime(now / 1000)), str(job_id))
        file = _history_file(checkpoint_dir, name, settings.history)
    return JobMonitor(first, settings.history or 500, file)


def _described(job: JobGraph) -> DescribedJob:
    """The graph; an empty one where a supplier of the program's raises, which the job itself says as it starts."""
    try:
        return described_job(job)
    except Exception as error:
        _log.debug("job %r cannot be described: %s", job.name, error)
        return {"vertices": [], "links": []}


def _history_file(checkpoint_dir: str | None, name: str, batches: int) -> HistoryFile | None:
    """Beside a checkpoint that is on a disk, else in a folder of this user in the temporary one; None: in neither."""
    folders: list[Callable[[], Path]] = [temporary_folder]
    if checkpoint_dir is not None and checkpoint_dir.startswith("/"):
        folders.insert(0, partial(beside, Path(checkpoint_dir)))
    for folder in folders:
        try:
            return HistoryFile(folder(), name, batches)
        except OSError as error:  # the job is worth more than its history
            _log.warning("the history of a job cannot be written: %s", error)
    return None


def shown_settings(configuration: Configuration) -> dict[str, str]:
    """Settings as they may be shown: no password is among them.

    Example:
        >>> shown_settings(Configuration.from_dict({"my.db.password": "pa55", "my.url": "jdbc:pg://me:pa55@host/db"}))
        {'my.db.password': '******', 'my.url': 'jdbc:pg://me:******@host/db'}
    """
    return {key: shown_setting(key, value) for key, value in sorted(configuration.to_dict().items())}


def temporary_folder() -> Path:
    """The folder of this user's histories in the temporary one; nobody else reads it.

    Where somebody else has made one of its name, it is a new one.
    """
    folder = Path(tempfile.gettempdir()) / f"windrow-history-{_user()}"
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700, parents=True)
    found = folder.lstat()
    if stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid():
        folder.chmod(0o700)
        return folder
    return Path(tempfile.mkdtemp(prefix="windrow-history-"))


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container's user without a name
        return "nobody"


@cache
def _versions() -> dict[str, str]:
    found = {"windrow": __version__, "python": platform.python_version()}
    for package in ("pyspark", "pyarrow"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
