"""What benchmarks have in common that run a program on one engine after the other: its run, a warning, the file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from bench.environments import ROOT
from bench.report import machine
from bench.runner import BUSY


def printed_by(program: str, title: str, *arguments: object) -> Any:
    """What a program of ``bench/programs`` prints last, which is JSON, in a process of its own.

    Raises:
        click.ClickException: it fails; names it by its title.
    """
    command = [sys.executable, "-m", f"bench.programs.{program}", *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        msg = f"{title} fails:\n{done.stderr[-2000:]}"
        raise click.ClickException(msg)
    return json.loads(done.stdout.splitlines()[-1])


def load_now(console: Console) -> float:
    """How many programs run on this machine; says so if there are too many."""
    load = os.getloadavg()[0]
    if load > BUSY:
        console.print(f"other programs are running (load {load:.1f}): times will be longer than they should be")
    return round(load, 1)


def keep(path: Path, load: float, **measured: Any) -> None:
    """Write down what was measured, when, and on which machine."""
    record = {"date": datetime.now(UTC).isoformat(timespec="seconds"), "machine": machine(), "load_before": load}
    path.write_text(json.dumps(record | measured, indent=2) + "\n")
