"""Writes docs/api_coverage.md: which of Flink's and PyFlink's public methods and names Windrow has.

What Flink and PyFlink have is in docs/flink_api/*.json, by name; what Windrow has is looked up in its classes; why it
does not have the rest is in src/windrow/absent. With --check nothing is written: it fails if the page is out of date, a
name is neither there nor explained, or an explanation is given for a name that is there.
"""

import importlib
import json
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from windrow.absent.explained import reason_for
from windrow.absent.methods import CLASSES, METHODS
from windrow.absent.names import MODULES, NAMES

ROOT = Path(__file__).parents[1]
FLINK_API = ROOT / "docs" / "flink_api"
PAGE = ROOT / "docs" / "api_coverage.md"

#: Methods that are not spelt as Flink's in snake case.
SPELT = {
    ("RuntimeContext", "getMetricGroup"): "get_metrics_group",
    ("DataStream", "global"): "global_",
    ("JoinedStreams.WithWindow", "with"): "with_",
    ("CoGroupedStreams.WithWindow", "with"): "with_",
}


@dataclass(frozen=True)
class Row:
    """A method or name of Flink's or PyFlink's, and what became of it."""

    owner: str
    name: str
    windrow: str
    present: bool
    reason: str | None
    removed: bool = False

    def complaint(self) -> str | None:
        """What is wrong with it: neither there nor explained, or both."""
        if self.present and self.reason is not None:
            return f"{self.owner}: {self.windrow} is there, but src/windrow/absent says why it is not"
        if not self.present and self.reason is None:
            return f"{self.owner}: {self.windrow} is not there, and src/windrow/absent does not say why"
        return None


def snake(name: str) -> str:
    """Flink's name in Python's spelling.

    >>> snake("getJobID"), snake("createLocalEnvironmentWithWebUI"), snake("getType1")
    ('get_job_id', 'create_local_environment_with_web_ui', 'get_type1')
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def java_rows() -> list[Row]:
    """Every public method of Flink's Java classes."""
    rows = []
    for each in json.loads((FLINK_API / "java.json").read_text()):
        owner, place = each["class"], each["windrow"]
        cls = None if place is None else class_at(place)
        for name in sorted([*each["methods"], *each["removed"]]):
            windrow = SPELT.get((owner, name)) or snake(name)
            reason = CLASSES.get(owner) if cls is None else reason_for(cls, windrow)
            rows.append(Row(owner, name, windrow, _has(cls, windrow), reason, name in each["removed"]))
    return rows


def pyflink_modules() -> tuple[list[Any], list[Any]]:
    """PyFlink's modules, with what they give: those of its Table API, and before them all others."""
    every = json.loads((FLINK_API / "pyflink.json").read_text())
    of_tables = [each for each in every if f"{each['module']}.".startswith("pyflink.table.")]
    return [each for each in every if each not in of_tables], of_tables


def name_rows(modules: Iterable[Any] | None = None) -> list[Row]:
    """Every name that a module of PyFlink gives."""
    rows = []
    for each in chain(*pyflink_modules()) if modules is None else modules:
        path = f"windrow.{each['module'].removeprefix('pyflink.')}"
        module = _module(path)
        for name in each["names"]:
            reason = MODULES.get(path) or NAMES.get(path, {}).get(name)
            rows.append(Row(each["module"], name, name, _has(module, name), reason))
    return rows


def method_rows(modules: Iterable[Any] | None = None) -> list[Row]:
    """Every method of PyFlink's classes, where Windrow has the class."""
    rows = []
    for each in chain(*pyflink_modules()) if modules is None else modules:
        path = f"windrow.{each['module'].removeprefix('pyflink.')}"
        module = _module(path)
        for owner, methods in each["classes"].items():
            cls = getattr(module, owner, None)
            if cls is not None:
                rows += [Row(owner, name, name, _has(cls, name), reason_for(cls, name)) for name in methods]
    return rows


def class_at(place: str) -> type | None:
    """The class at ``module:name``; None if there is none."""
    path, _, names = place.partition(":")
    found = _module(path)
    for name in names.split("."):
        found = getattr(found, name, None)
    return found


def _module(path: str) -> Any:
    try:
        return importlib.import_module(path)
    except ImportError as error:
        if error.name != path:
            raise
        return None


def _has(owner: Any, name: str) -> bool:
    return owner is not None and hasattr(owner, name)


def page() -> str:
    """The page, as Markdown."""
    java, names, methods = java_rows(), name_rows(), method_rows()
    of_streams, of_tables = pyflink_modules()
    lines = [
        "# What of Flink's API is here",
        "",
        "Made from the code by `scripts/api_table.py` (`make api-table`): whether something is there is looked up in",
        "the classes, and a test fails where a method is neither there nor explained. Methods marked 1.x are gone from",
        "Flink 2. A program that calls what is absent gets the reason in its error.",
        "",
        "| | there | absent, with the reason |",
        "|---|---|---|",
        _count("methods of Flink 2.3's Java classes", [row for row in java if not row.removed]),
        _count("methods that only Flink 1.x has", [row for row in java if row.removed]),
        _count("names that PyFlink 2.3's modules of streams give", name_rows(of_streams)),
        _count("methods of their classes", method_rows(of_streams)),
        _count("names that PyFlink 2.3's modules of tables give", name_rows(of_tables)),
        _count("methods of their classes", method_rows(of_tables)),
        "",
        "## Flink's classes",
    ]
    for owner in dict.fromkeys(row.owner for row in java):
        lines += ["", f"### {owner}", "", "| Flink | Windrow | |", "|---|---|---|"]
        lines += [_java_line(row) for row in java if row.owner == owner]
    lines += ["", "## What of PyFlink is absent", "", "| module or class | name | reason |", "|---|---|---|"]
    for path, reason in MODULES.items():
        lines.append(f"| `{path.replace('windrow', 'pyflink', 1)}` | all of it | {reason} |")
    absent = [
        row for row in names if not row.present and f"windrow.{row.owner.removeprefix('pyflink.')}" not in MODULES
    ]
    java_names = {(row.owner, row.windrow) for row in java}
    absent += [row for row in methods if not row.present and (row.owner, row.name) not in java_names]
    lines += [f"| `{row.owner}` | `{row.name}` | {row.reason} |" for row in absent]
    return "\n".join(lines) + "\n"


def _count(what: str, rows: list[Row]) -> str:
    there = sum(row.present for row in rows)
    return f"| {what} | {there} | {len(rows) - there} |"


def _java_line(row: Row) -> str:
    name = f"`{row.name}`{' (1.x)' if row.removed else ''}"
    return f"| {name} | `{row.windrow}` | there |" if row.present else f"| {name} | | absent: {row.reason} |"


def complaints() -> list[str]:
    """What does not fit together, but for the page."""
    found = [row.complaint() for row in [*java_rows(), *name_rows(), *method_rows()]]
    return [*dict.fromkeys(complaint for complaint in found if complaint is not None), *_explained_for_nothing()]


def _explained_for_nothing() -> list[str]:
    """Explanations of what neither Flink nor PyFlink has."""
    known = {row.windrow for row in [*java_rows(), *method_rows()]}
    unused = [f"{owner}.{name}" for owner, methods in METHODS.items() for name in methods if name not in known]
    named = {(row.owner.replace("pyflink", "windrow", 1), row.name) for row in name_rows()}
    unused += [f"{path}.{name}" for path, names in NAMES.items() for name in names if (path, name) not in named]
    unused += [path for path in MODULES if path not in {path for path, _ in named}]
    return [f"src/windrow/absent explains {name}, which is in none of docs/flink_api" for name in unused]


def main(arguments: list[str]) -> int:
    """Write the page, or check it; the exit code."""
    found = complaints()
    if "--check" not in arguments:
        PAGE.write_text(page())
    elif not PAGE.exists() or PAGE.read_text() != page():
        found.append(f"{PAGE.relative_to(ROOT)} is out of date: run scripts/api_table.py")
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
