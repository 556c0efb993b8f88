"""Takes the root of a directory apart by key groups, and puts roots together: for who deals state out anew."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from windrow.elements.stored import dumps, loads
from windrow.state.directory import VERSION, read_root


def has_columns(record: bytes) -> bool:
    """Tell whether this root lists tables of columns, which an operator keeps beside the pages of keys."""
    _token, _groups, columns = read_root(record)
    return columns is not None


def root_parts(record: bytes, part_of: Callable[[int], int]) -> dict[int, bytes]:
    """Take a root apart: a root for each part that gets key groups.

    Args:
        record: The root, of an operator that has no columns.
        part_of: Gives the part that a key group goes to.

    Example:
        >>> from windrow.state.directory import Group, Page, root_record
        >>> root = root_record(b"token", [Group(number, [Page(number)]) for number in (1, 2, 4)])
        >>> list(root_parts(root, lambda group: group % 2))
        [1, 0]
    """
    parts: defaultdict[int, list[Any]] = defaultdict(list)
    for described in _described(record):
        parts[part_of(described[0])].append(described)
    return {part: _root(described) for part, described in parts.items()}


def joined_roots(first: bytes, second: bytes) -> bytes:
    """Put two roots together, which have no key group in common."""
    return _root(sorted([*_described(first), *_described(second)], key=lambda described: described[0]))


def _described(record: bytes) -> list[Any]:
    _version, _token, described = loads(record)
    return list(described)


def _root(described: list[Any]) -> bytes:
    # Without a token: what a worker has in memory counts for no such root.
    return dumps((VERSION, b"", described))
