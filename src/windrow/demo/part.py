"""A part of a demo: one program over a log of real data, and what is shown of its results."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import Generic, TypeVar

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from windrow.common import Configuration
from windrow.errors import ConfigurationError
from windrow.runtime.monitor.history_file import SUFFIX, read_history
from windrow.runtime.monitor.watching import temporary_folder

R = TypeVar("R")


@dataclass(frozen=True)
class Part(Generic[R]):
    """One program of a demo; ``R`` is the type of its results once they are read back."""

    #: What the log holds: readings, flights.
    items: str
    #: The log's name, and what writes it and tells how many lines it has.
    log: str
    write_log: Callable[[Path], int]
    #: What the program does, and its ``main``: the log, the folder for results, the configuration.
    work: str
    program: Callable[[str, str, Configuration | None], None]
    #: The folders that the program writes.
    folders: tuple[str, ...]
    #: The results from the log and the folder above those.
    read: Callable[[Path, Path], R]
    #: The table, what stands above it, and what one sees in it in plain words.
    title: str
    summary: Callable[[R], Table]
    words: Callable[[R], str]
    #: The picture's name, and what draws it.
    picture: str
    draw: Callable[[R, Path], None]

    def show(self, out: Path, runtime: str, console: Console) -> None:
        """Run the program on ``spark`` or ``local``, replacing earlier results in ``out``, and show what came out."""
        for name in self.folders:
            shutil.rmtree(out / name, ignore_errors=True)
        can_draw = find_spec("matplotlib") is not None
        columns = SpinnerColumn(finished_text="[green]✓"), TextColumn("{task.description}"), TimeElapsedColumn()
        with Progress(*columns, console=console) as progress:
            count = self._write_log(progress, out / self.log)
            self._run(progress, out, runtime, count)
            results = self.read(out / self.log, out)
            if can_draw:
                step = progress.add_task("drawing", total=1)
                self.draw(results, out / self.picture)
                progress.update(step, completed=1, description="drawn")
        console.print(f"\n{self.title}:\n")
        console.print(self.summary(results), "", self.words(results), "", sep="\n", highlight=False)
        console.print(f"Results: {out}/{{{','.join(self.folders)}}}", highlight=False, soft_wrap=True)
        if can_draw:
            console.print(f"Picture: {out / self.picture}", highlight=False, soft_wrap=True)
        else:
            console.print("No picture: matplotlib is missing (pip install matplotlib)")
        history = _last_history()
        if history is not None:
            kept = out / f"{Path(self.picture).stem}{SUFFIX}"
            shutil.copyfile(history, kept)
            console.print(f"The job's page: windrow history {kept}", highlight=False, soft_wrap=True)

    def _write_log(self, progress: Progress, log: Path) -> int:
        step = progress.add_task(f"writing the {self.items} in the order in which they arrived", total=1)
        count = self.write_log(log)
        progress.update(step, completed=1, description=f"{count:,} {self.items} in the order in which they arrived")
        return count

    def _run(self, progress: Progress, out: Path, runtime: str, count: int) -> None:
        where = {"spark": "on Spark", "local": "in this process"}[runtime]
        step = progress.add_task(f"{self.work} {where}", total=1)
        started = monotonic()
        settings = {"windrow.runtime": runtime, "windrow.ui.enabled": "true", "windrow.ui.progress": "false"}
        self.program(str(out / self.log), str(out), Configuration.from_dict(settings))
        rate = f"{count / (monotonic() - started):,.0f} {self.items}/s"
        progress.update(step, completed=1, description=f"{self.work} {where}: {rate}, start-up included")


def _last_history() -> Path | None:
    """Find the history of this process' last job; others of this user leave theirs in the same folder. None: no job."""
    found = []
    for file in temporary_folder().glob(f"*{SUFFIX}"):
        with suppress(ConfigurationError):  # it was just removed, or is of another version
            job = read_history(file).job
            found += [(job["started"], file)] if job["pid"] == os.getpid() else []
    return max(found, default=(0, None))[1]
