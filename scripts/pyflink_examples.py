"""Runs PyFlink's own example programs on Windrow, only their imports changed, and compares what they print.

The programs are read from the PyPI package apache-flink, which is downloaded to .bench/ where it is missing; what
PyFlink prints is kept in tests/pyflink_examples/expected/ and can be taken again with --rerun-pyflink.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Timer

import click

from windrow.port.imports import with_windrow_imports

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.environments import SetupError, flink_environment, flink_wheel, installed_flink  # noqa: E402

EXPECTED = ROOT / "tests" / "pyflink_examples" / "expected"
IN_PACKAGE = "pyflink/examples/datastream"
LIMIT_SECONDS = 300

# Some examples send the log to stdout, and PyFlink's own libraries log at import.
QUIETLY = "import logging, runpy, sys; logging.disable(); runpy.run_path(sys.argv[1], run_name='__main__')"


class ProgramError(Exception):
    """An example program ended with an error; the message is the last line it wrote to stderr."""


@dataclass(frozen=True)
class Example:
    """One of PyFlink's self-contained examples: they need no external system and no Table API."""

    path: str
    #: False where PyFlink promises no order, and what it has follows from its machinery: several subtasks, or BATCH
    #: mode, which sorts by the binary form of the keys.
    ordered: bool = True
    #: Whether it takes --output and then writes what it would print to files.
    writes_files: bool = False

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]


EXAMPLES = [
    Example("word_count", ordered=False, writes_files=True),
    Example("basic_operations"),
    Example("process_json_data", ordered=False),
    Example("windowing/tumbling_time_window", writes_files=True),
    Example("windowing/sliding_time_window", writes_files=True),
    Example("windowing/tumbling_count_window", writes_files=True),
    Example("windowing/session_with_gap_window", writes_files=True),
    Example("windowing/session_with_dynamic_gap_window", writes_files=True),
    Example("state_access", ordered=False),
    Example("event_time_timer", ordered=False),
]


def source(example: Example) -> str:
    """The program's text from the installed package, or else from its wheel."""
    inside = f"{IN_PACKAGE}/{example.path}.py"
    installed = installed_flink()
    if installed is not None:
        return (installed.package.parent / inside).read_text()
    with zipfile.ZipFile(flink_wheel()) as wheel:
        return wheel.read(inside).decode()


def printed(command: list[str], variables: dict[str, str] | None = None) -> list[str]:
    """Run a program and return the lines it printed.

    Python programs need ``-u`` for their own lines to come before those of a JVM they start.
    """
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(
                command, cwd=folder, env=variables, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False
            )
        except subprocess.TimeoutExpired as error:
            message = f"did not end within {LIMIT_SECONDS} s"
            raise ProgramError(message) from error
    if done.returncode != 0:
        last = [line for line in done.stderr.splitlines() if line.strip()] or [f"exit code {done.returncode}"]
        raise ProgramError(last[-1])
    return done.stdout.splitlines()


def without_subtask(line: str) -> str:
    """A printed line without the number of the subtask that printed it: which one it was differs from run to run."""
    return re.sub(r"^\d+> ", "", line)


def results(lines: list[str]) -> list[str]:
    """The lines that are results: not what the program says of itself, as it does when it has no --output."""
    return [line for line in lines if without_subtask(line).startswith("(")]


def difference(expected: list[str], found: list[str], *, ordered: bool) -> str | None:
    """What is wrong with the lines found, in one line; None if nothing is."""
    wanted, got = ([without_subtask(line) for line in lines] for lines in (expected, found))
    missing = list((Counter(wanted) - Counter(got)).elements())
    surplus = list((Counter(got) - Counter(wanted)).elements())
    if missing or surplus:
        parts = [
            f"{what} {len(lines)}, first: {lines[0]}"
            for what, lines in (("missing", missing), ("not expected", surplus))
            if lines
        ]
        return "; ".join(parts)
    if ordered and wanted != got:
        place = next(i for i, (a, b) in enumerate(zip(wanted, got, strict=True)) if a != b)
        return f"the right lines in another order, from line {place + 1}: {got[place]}, expected {wanted[place]}"
    return None


def program_of(example: Example, folder: Path) -> Path:
    """The example's program with its imports changed."""
    program = folder / f"{example.name}.py"
    program.write_text(with_windrow_imports(source(example)))
    return program


def expected_of(example: Example) -> list[str]:
    """The lines that PyFlink printed."""
    return (EXPECTED / f"{example.name}.txt").read_text().splitlines()


def check(example: Example, folder: Path) -> str | None:
    """Run the example on Windrow in a process of its own; what is wrong, in one line."""
    found = printed([sys.executable, "-u", str(program_of(example, folder))])
    return difference(expected_of(example), found, ordered=example.ordered)


def check_files(example: Example, folder: Path) -> str | None:
    """Run the example with --output; what is wrong with the files, in one line."""
    output = folder / example.name
    printed([sys.executable, "-u", str(program_of(example, folder)), "--output", str(output)])
    parts = sorted(path for path in output.rglob("prefix-*.ext") if path.is_file())
    written = [line for path in parts for line in path.read_text().splitlines()]
    wrong = difference(results(expected_of(example)), written, ordered=False)
    return f"files: {wrong}" if wrong else None


def check_together(examples: list[Example], folder: Path) -> Iterator[tuple[Example, str | None]]:
    """Run the examples one after the other in one process, and so on one Spark; what is wrong with each, in one line.

    Raises:
        ProgramError: the process has ended before all of them had run.
    """
    programs = [str(program_of(example, folder)) for example in examples]
    command = [sys.executable, "-u", str(Path(__file__).with_name("run_programs.py")), *programs]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        late = Timer(LIMIT_SECONDS, process.kill)
        late.start()
        try:
            assert process.stdout is not None
            for example in examples:
                line = process.stdout.readline()
                if not line:
                    message = f"the process has ended, or taken {LIMIT_SECONDS} s, before {example.name} had run"
                    raise ProgramError(message)
                told = json.loads(line)
                if told["raised"]:
                    yield example, told["raised"].strip().splitlines()[-1]
                else:
                    found = told["printed"].splitlines()
                    yield example, difference(expected_of(example), found, ordered=example.ordered)
        finally:
            late.cancel()
            process.kill()


def rerun(example: Example) -> str | None:
    """Run the example on PyFlink and keep what it printed; how that differs from what was kept, in one line."""
    environment = flink_environment()
    program = environment.package.parent / IN_PACKAGE / f"{example.path}.py"
    found = printed([str(environment.python), "-u", "-c", QUIETLY, str(program)], environment.variables())
    kept = EXPECTED / f"{example.name}.txt"
    before = kept.read_text().splitlines() if kept.exists() else []
    wrong = difference(before, found, ordered=example.ordered)
    if wrong is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text("".join(f"{line}\n" for line in found))
        return f"kept anew, it differs from before: {wrong}"
    return None


def chosen(names: str | None) -> list[Example]:
    """The examples named in a comma separated list; without one all of them."""
    if names is None:
        return EXAMPLES
    known = {example.name: example for example in EXAMPLES}
    wanted = [name.strip() for name in names.split(",")]
    for name in wanted:
        if name not in known:
            message = f"no example is called {name!r}; there are {', '.join(known)}"
            raise click.BadParameter(message)
    return [known[name] for name in wanted]


@click.command()
@click.option("--only", help="Comma separated: " + ", ".join(example.name for example in EXAMPLES) + ".")
@click.option("--alone", is_flag=True, help="Run each in a process of its own, as a user does, and not all in one.")
@click.option("--files", is_flag=True, help="Run those that can write files, with --output, instead.")
@click.option("--rerun-pyflink", is_flag=True, help="Run PyFlink instead, and keep what it prints.")
def main(only: str | None, alone: bool, files: bool, rerun_pyflink: bool) -> None:
    """Run PyFlink's example programs on Windrow and compare what they print with what PyFlink prints."""
    examples = chosen(only)
    if files:
        examples = [example for example in examples if example.writes_files]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        for example, wrong in outcomes(examples, Path(folder), alone=alone, files=files, rerun_pyflink=rerun_pyflink):
            failed += wrong is not None
            said = "passed" if wrong is None else f"FAILED: {wrong}"
            print(f"{example.name}: {said} ({time.monotonic() - started:.1f} s)", flush=True)
            started = time.monotonic()
    print(f"{len(examples) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


def outcomes(
    examples: list[Example], folder: Path, *, alone: bool, files: bool, rerun_pyflink: bool
) -> Iterator[tuple[Example, str | None]]:
    """What is wrong with each example, as it becomes known."""
    if not (alone or files or rerun_pyflink):
        told: list[Example] = []
        try:
            for example, wrong in check_together(examples, folder):
                told.append(example)
                yield example, wrong
        except (ProgramError, SetupError) as error:
            yield from ((example, str(error)) for example in examples if example not in told)
        return
    for example in examples:
        try:
            if rerun_pyflink:
                yield example, rerun(example)
            else:
                yield example, check_files(example, folder) if files else check(example, folder)
        except (ProgramError, SetupError) as error:
            yield example, str(error)


if __name__ == "__main__":
    main()
