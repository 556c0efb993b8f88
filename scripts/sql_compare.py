"""Runs the queries of tests/table/flink_sql in Flink's SQL and in Windrow's, and compares what they print.

``--update`` writes what Flink says into the files, for queries that have no answer there yet; with ``--all`` for each.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from bench.environments import FLINK_VERSION, FlinkEnvironment, SetupError, flink_environment

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.table.flink_sql_cases import CASES, SqlCase, difference  # noqa: E402


def main() -> int:
    arguments = sys.argv[1:]
    names = [argument for argument in arguments if not argument.startswith("--")]
    chosen = [case for case in CASES if not names or case.name in names]
    try:
        environment = flink_environment()
    except SetupError as error:
        print(error)
        return 1
    if "--update" in arguments:
        _update(chosen, environment, everything="--all" in arguments)
        return 0
    return _compare(chosen, environment)


def _update(cases: list[SqlCase], environment: FlinkEnvironment, *, everything: bool) -> None:
    asked = [(case, [q for q in case.queries if everything or not {"printed", "error"} & set(q)]) for case in cases]
    asked = [(case, queries) for case, queries in asked if queries]
    for (case, queries), answers in zip(asked, _ask(asked, environment), strict=True):
        for query, answer in zip(queries, answers, strict=True):
            kept = {key: query[key] for key in ("sql", "differs") if key in query}
            query.clear()
            query.update({**kept, **answer})
        case.store(FLINK_VERSION)
        print(f"{case.name}: {len(queries)} answers")


def _compare(cases: list[SqlCase], environment: FlinkEnvironment) -> int:
    asked = [(case, case.queries) for case in cases]
    count = differ = 0
    for (case, queries), answers in zip(asked, _ask(asked, environment), strict=True):
        wrong = 0
        for query, answer in zip(queries, answers, strict=True):
            found = difference(case, query["sql"], answer)
            if found is not None and "differs" not in query:
                wrong += 1
                print(f"{case.name}: {query['sql']}\n{found}\n")
        print(f"{case.name}: {len(queries)} queries, {wrong} differ", flush=True)
        count, differ = count + len(queries), differ + wrong
    print(f"{count} queries, {differ} differ")
    return 1 if differ else 0


def _ask(asked: list[tuple[SqlCase, list[dict[str, Any]]]], environment: FlinkEnvironment) -> Iterator[Any]:
    """What Flink says to the queries of each case, as soon as it has said it."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+") as told:
        scripts = []
        for case, queries in asked:
            place = Path(folder) / case.name
            scripts.append(
                {
                    "mode": case.mode,
                    "settings": case.settings,
                    "setup": case.setup_in(place),
                    "queries": [query["sql"].replace("{folder}", str(place)) for query in queries],
                }
            )
        command = [str(environment.python), str(ROOT / "scripts" / "flink_sql_run.py")]
        variables = {**os.environ, **environment.variables()}
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=told, text=True, env=variables
        ) as flink:
            assert flink.stdin is not None
            assert flink.stdout is not None
            with suppress(BrokenPipeError):  # it has ended, and told why
                json.dump(scripts, flink.stdin)
                flink.stdin.close()
            for line in flink.stdout:
                yield json.loads(line)
        if flink.returncode:
            told.seek(0)
            print(told.read()[-4000:])
            raise SystemExit(1)


if __name__ == "__main__":
    raise SystemExit(main())
