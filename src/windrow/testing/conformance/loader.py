"""Reading the files that cases are in."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

from windrow.errors import ConfigurationError

#: One case as it is in the file.
Case: TypeAlias = dict[str, Any]


def load_cases(paths: Iterable[Path]) -> list[Case]:
    """All cases of the files in ``paths``; of a folder, those of its ``*.json`` files by name.

    Raises:
        ConfigurationError: a path does not exist, a folder holds no JSON file, or a file is not a list of cases.
    """
    return [case for path in paths for file in _files(path) for case in _read(file)]


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    files = sorted(path.glob("*.json"))
    if not files:
        msg = f"{path} holds no .json file with cases"
        raise ConfigurationError(msg)
    yield from files


def _read(file: Path) -> list[Case]:
    try:
        cases = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        msg = f"{file} does not exist: give a file of cases, or a folder of such files"
        raise ConfigurationError(msg) from None
    except ValueError as error:
        msg = f"{file} is not JSON: {error}"
        raise ConfigurationError(msg) from error
    if not isinstance(cases, list) or not all(_is_case(case) for case in cases):
        msg = f"{file} is not a list of cases, each an object with id, operator.kind and steps"
        raise ConfigurationError(msg)
    return cases


def _is_case(case: object) -> bool:
    if not isinstance(case, dict) or not {"id", "operator", "steps"} <= case.keys():
        return False
    operator = case["operator"]
    return isinstance(operator, dict) and "kind" in operator
