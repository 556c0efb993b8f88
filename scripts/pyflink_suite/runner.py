"""Runs tests of one rewritten file in a process of its own: ``python -m scripts.pyflink_suite.runner module names...``.

Prints a line of JSON for each test: its name, and what is wrong with it, null for nothing.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
import unittest
from importlib import import_module
from typing import Any

#: A test that takes longer has failed.
LIMIT_SECONDS = 60


def _too_long(signum: int, frame: Any) -> None:
    message = f"takes longer than {LIMIT_SECONDS} s"
    raise TimeoutError(message)


def problem(module: Any, name: str) -> str | None:
    """Run one test, ``Class.method``; what is wrong with it, in a line."""
    owner, _, method = name.partition(".")
    result = unittest.TestResult()
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(LIMIT_SECONDS)
    try:
        unittest.TestSuite([getattr(module, owner)(method)]).run(result)
    except BaseException as error:
        return _line("".join(traceback.format_exception_only(error)))
    finally:
        signal.alarm(0)
    if result.skipped:
        return f"passed over: {result.skipped[0][1]}"
    found = [*result.errors, *result.failures]
    return _line(found[0][1]) if found else None


def _line(shown: str) -> str:
    """Of a traceback: the last line that begins with an error's name."""
    lines = [line for line in shown.splitlines() if line and not line.startswith((" ", "Traceback"))]
    return lines[0][:300] if lines else shown[:300]


def main(arguments: list[str]) -> None:
    """Run the tests named."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what jobs print is no result
    module = import_module(arguments[0])
    for name in arguments[1:]:
        out.write(json.dumps([name, problem(module, name)]) + "\n")
        out.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
