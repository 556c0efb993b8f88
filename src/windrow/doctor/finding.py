"""The findings of the doctor's checks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class State(Enum):
    """Says if jobs can run with what was found."""

    OK = "ok"
    #: Jobs run; something that some of them want is not there, or could be better.
    NOTE = "note"
    FAIL = "fail"


@dataclass(frozen=True)
class Finding:
    """One line of the doctor's."""

    state: State
    #: What was looked at: "Java".
    what: str
    #: What was found, and where it does not do: what is needed, and what to do.
    text: str


def ok(what: str, text: str) -> Finding:
    """All is well."""
    return Finding(State.OK, what, text)


def note(what: str, text: str) -> Finding:
    """Jobs run without it."""
    return Finding(State.NOTE, what, text)


def fail(what: str, text: str) -> Finding:
    """No job runs on Spark before it is mended."""
    return Finding(State.FAIL, what, text)
