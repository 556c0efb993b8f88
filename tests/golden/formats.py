"""The checkpoints that earlier versions have written, one file for each format, and what is in them."""

from __future__ import annotations

import json
import lzma
import pickle
import pickletools
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from tests.golden.programs import PROGRAMS
from tests.golden.runs import Kept, kept_by
from windrow.elements import stored
from windrow.elements.registered import CLASSES, _found
from windrow.runtime.sources.reader_task import ReaderState
from windrow.runtime.spark.layout import VERSION
from windrow.runtime.stage.task import TaskState
from windrow.state.column_page import VERSION as COLUMNS_VERSION
from windrow.state.column_page import read_table
from windrow.state.page import PageRows

FOLDER = Path(__file__).parent
CHECKPOINTS = FOLDER / f"format{VERSION}.pickle.xz"
SCHEMA = FOLDER / f"format{VERSION}.json"


def read(file: Path = CHECKPOINTS) -> dict[str, Kept]:
    """What runs of each program have kept, by its name."""
    with lzma.open(file) as data:
        return {name: Kept(*kept) for name, kept in pickle.load(data).items()}


def write() -> None:
    """Write what this version keeps."""
    written = {program.__name__: kept_by(program) for program in PROGRAMS}
    plain = {name: (kept.pages, kept.logs, kept.heard, kept.expected) for name, kept in written.items()}
    CHECKPOINTS.write_bytes(lzma.compress(pickle.dumps(plain)))
    SCHEMA.write_text(json.dumps(schema(), indent=1) + "\n")


def schema() -> dict[str, Any]:
    """What stands for classes in checkpoints: the fields of each number."""
    return {str(number): [path.rpartition(":")[2], _fields(_found(path))] for number, (path, _) in CLASSES.items()}


def _fields(kind: Any) -> list[str]:
    if is_dataclass(kind):
        return [field.name for field in fields(kind)]
    return list(getattr(kind, "_fields", ())) if issubclass(kind, tuple) else []


def shown(name: str, data: bytes) -> str:
    """What a page says, without what differs from run to run, and without the order of what has none.

    What operators keep of their own, which they read in the forms of before, is left out.
    """
    if "." in name.rpartition("/")[2]:
        page = PageRows(data)
        rows = [(page.hashes[row], page.row(row)[1:5], stored.loads(page.item(row))) for row in range(len(page.hashes))]
        return repr((page.names, sorted((code, times, _ordered(item)) for code, times, item in rows)))
    if _holds_columns(data):
        table = read_table(data)
        return repr([column.tolist() for column in (table.keys, *table.columns)])
    content = stored.loads(data)
    if isinstance(content, ReaderState):
        return repr(replace(content, token=b""))
    if isinstance(content, TaskState):
        return repr(content._replace(operators=[each._replace(snapshot=None) for each in content.operators]))
    if name.endswith("/pages"):
        return repr((content[0], sorted(content[2]), *map(_shown_columns, content[3:])))
    return repr(content)


def _holds_columns(data: bytes) -> bool:
    """Whether this is a page of columns: no pickle begins with its version."""
    return data[0] == COLUMNS_VERSION


def _shown_columns(record: Any) -> str:
    """What the root says of columns; schemas as Arrow reads them."""
    description = stored.loads(record[0])
    clock, description = (description[:2], description[2]) if description[0] == "processing time" else ((), description)
    description = [*clock, *(_with_schema(part) if isinstance(part, tuple) else part for part in description)]
    return repr((description, sorted(record[1])))


def _with_schema(part: tuple[Any, ...]) -> tuple[Any, ...]:
    """The form of elements: its name, its schema, and what else it says."""
    name, *rest = part
    if not isinstance(name, str):
        return part
    schema, *others = rest
    return name, str(pa.ipc.read_schema(pa.py_buffer(schema))), *others


def _ordered(item: Any) -> str:
    """A key's item: its slots and its timers, in an order of their own."""
    key, slots, *timers = item
    return repr((key, sorted(map(repr, batched(slots, 3))), [sorted(map(repr, batched(each, 2))) for each in timers]))


def batched(flat: list[Any], size: int) -> list[Any]:
    """So many at a time."""
    return [flat[start : start + size] for start in range(0, len(flat), size)]


def strings(data: bytes) -> Iterator[str]:
    """The strings in pickles, and in pickles that are in them: a class that is named is there as a string."""
    for _, argument, _ in pickletools.genops(data):
        if isinstance(argument, str):
            yield argument
        elif isinstance(argument, bytes) and _is_pickle(argument):
            yield from strings(argument)


def _is_pickle(data: bytes) -> bool:
    """Whether bytes are a pickle; columns of numbers may begin like one."""
    if data[:2] != b"\x80\x05" or data[-1:] != b".":
        return False
    try:
        return bool(list(pickletools.genops(data)))
    except ValueError:
        return False


def strings_of_page(name: str, data: bytes) -> Iterator[str]:
    """The strings in a page."""
    if "." not in name.rpartition("/")[2]:
        yield from strings(data[1:] if _holds_columns(data) else data)
        return
    header = 5 + int.from_bytes(data[1:5], "little")
    yield from strings(data[5:header])
    page = PageRows(data)
    for row in range(len(page.hashes)):
        yield from strings(bytes(page.item(row)))
