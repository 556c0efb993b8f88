"""Fetches what tests use and the project does not bring along: ``python -m scripts.prefetch``.

Servers' jars, Delta Lake and its Spark, PostgreSQL, a browser: each once for a machine. A test that finds one missing
fetches it, too, and waits; here others need not. What cannot be had is for the tests to say, as an error or not.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from scripts.maven_artifacts import UnavailableError, resolve  # noqa: E402  (the folder above has to be on the path)
from tests.connectors.delta.spark_with_delta import spark_with_delta  # noqa: E402


def run_script(name: str) -> None:
    """Have one of the scripts beside this one install what it looks for.

    Raises:
        UnavailableError: it cannot; says what the script has said last.
    """
    done = subprocess.run([ROOT / "scripts" / name], check=False, capture_output=True, text=True)
    if done.returncode:
        raise UnavailableError(done.stderr.strip().splitlines()[-1])


#: By the name that is printed; those that take longest come first.
FETCHED: dict[str, Callable[[], object]] = {
    "Delta Lake": spark_with_delta,
    "Chromium": partial(run_script, "chromium"),
    "PostgreSQL": partial(run_script, "postgres"),
    **{pom.parent.name: partial(resolve, pom) for pom in sorted((ROOT / "tests").rglob("pom.xml"))},
}


def fetch(wanted: dict[str, Callable[[], object]]) -> list[str]:
    """Fetch all that can be had; a line for each."""
    said = []
    for name, get in wanted.items():
        try:
            get()
        except UnavailableError as error:
            said.append(f"{name}: {error}")
        else:
            said.append(f"{name}: there")
    return said


if __name__ == "__main__":
    print("\n".join(fetch(FETCHED)))
