"""Runs PyFlink's own DataStream tests on Windrow, only their imports changed, and says which pass.

PyFlink's sources stay where they are: copies with changed imports are made in a temporary folder. Tests run on the
local runtime, each file in a process of its own. A test whose text asks for what is not Windrow's subject does not
apply; the rules for that are in scripts/pyflink_suite/rules.py, and look at what a test names, not at whether it fails.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from scripts.pyflink_suite.cases import Case, TestFile, package_of, test_files  # noqa: E402
from scripts.pyflink_suite.rewrite import rewritten  # noqa: E402
from scripts.pyflink_suite.rules import RULES, rule_for  # noqa: E402


def copies(package: Path, files: list[Path], folder: Path) -> None:
    """Write the files with changed imports to a package ``pyflink`` in the folder, with nothing else in it."""
    for path in files:
        copy = folder / "pyflink" / path.relative_to(package)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(rewritten(path.read_text()))


def run(file: str, cases: list[Case], folder: Path) -> dict[Case, str | None]:
    """Run tests of one file; what is wrong with each, None for nothing."""
    module = f"pyflink.{file.removesuffix('.py').replace('/', '.')}"
    names = {f"{case.owner}.{case.name}": case for case in cases}
    variables = os.environ | {
        "WINDROW_RUNTIME": "local",
        "HADOOP_CLASSPATH": "",  # without it PyFlink passes tests of ORC and Parquet over
        "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]),
    }
    command = [sys.executable, "-m", "scripts.pyflink_suite.runner", module, *names]
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)
    found = dict(json.loads(line) for line in done.stdout.splitlines())
    last = [line for line in done.stderr.splitlines() if line.strip()] or [f"exit code {done.returncode}"]
    return {case: found.get(name, f"the process ended: {last[-1]}") for name, case in names.items()}


@click.command(help=__doc__)
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--only", default="", help="Run tests whose name has this in it.")
@click.option("--list", "listed", is_flag=True, help="Say of each test whether it applies, or its rule; run none.")
def main(path: Path, only: str, listed: bool) -> None:
    try:
        package = package_of(path)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error
    files = test_files(path if path.is_file() else path.resolve())
    cases = [case for file in files for case in TestFile(package, file.resolve()).cases() if only in str(case)]
    kinds = {case: rule_for(case) for case in cases}
    if listed:
        for case, rule in kinds.items():
            print(f"{case}: {'applies' if rule is None else rule.kind}")
        return
    wrong: dict[Case, str | None] = {}
    with tempfile.TemporaryDirectory() as folder:
        copies(package, [file.resolve() for file in test_files(package)], Path(folder))
        for file in dict.fromkeys(case.file for case in cases):
            applied = [case for case in cases if case.file == file and kinds[case] is None]
            if applied:
                wrong |= run(file, applied, Path(folder))
    failed = {case: said for case, said in wrong.items() if said is not None}
    for case, said in failed.items():
        print(f"FAILED {case}: {said}")
    counted = Counter(rule.kind for rule in kinds.values() if rule is not None)
    for rule in RULES:
        if counted[rule.kind]:
            print(f"not applicable, {rule.kind}: {counted[rule.kind]} ({rule.why})")
    print(f"{len(wrong) - len(failed)} passed, {len(failed)} failed, {counted.total()} not applicable")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
