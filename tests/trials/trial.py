"""A trial: what somebody does with Windrow, and the first line of what they are told."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import UserFunctionError

#: Names that Spark draws for its files.
_DRAWN = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True)
class Trial:
    """One row of a table of trials; each is played on every runtime that it names.

    Exactly one of ``says`` and ``gives`` is set.
    """

    #: What is done, in words: "a map whose function raises StopIteration".
    done: str
    #: Does it; given a new environment of parallelism 2 and an empty folder.
    do: Callable[[StreamExecutionEnvironment, Path], Any]
    #: The class of the error that it ends with.
    error: type[BaseException] | None = None
    #: The line that the user is told, as :func:`said` gives it; the empty folder is written as ``{tmp}`` in it.
    says: str | None = None
    #: What ``do`` returns where nothing is wrong.
    gives: Any = None
    runtimes: Sequence[str] = ("local", "spark")


def said(error: BaseException) -> str:
    """What an error says first: its first line; of a user function's, what was raised, and where."""
    text = str(error)
    lines = text.splitlines()
    if isinstance(error, UserFunctionError):
        return " ".join(lines[-2:])
    return lines[0] if lines else ""


def rows(trials: Sequence[Trial]) -> list[Any]:
    """Parameters (runtime, trial) for a test over a table of trials."""
    marks = {"local": (), "spark": (pytest.mark.spark,)}
    return [
        pytest.param(runtime, trial, id=f"{runtime}-{_name(trial)}", marks=marks[runtime])
        for trial in trials
        for runtime in trial.runtimes
    ]


def _name(trial: Trial) -> str:
    return re.sub("[^A-Za-z0-9]+", "-", trial.done).strip("-")


def play(trial: Trial, env: StreamExecutionEnvironment, folder: Path) -> None:
    """Do it, and compare what comes of it with the row."""
    assert (trial.says is None) == (trial.error is None), f"{trial.done}: an error has a class and a line"
    if trial.error is None:
        assert trial.do(env, folder) == trial.gives
        return
    with pytest.raises(trial.error) as raised:
        trial.do(env, folder)
    assert _DRAWN.sub("{id}", said(raised.value).replace(str(folder), "{tmp}")) == trial.says
