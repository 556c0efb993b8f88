"""JSON put together of the JSON of its parts, without a blank, as Jackson writes it.

How single values are written is a matter of the format: Flink's ``JsonRowSerializationSchema``
(``connectors/rows/json_writing.py``) and ``RowDataToJsonConverters`` (``operators/table/json_lines.py``).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

#: Makes the JSON of a value.
Write = Callable[[Any], str]

#: A text in quotes; the function in C that ``json.dumps`` comes to.
quoted: Final[Callable[[str], str]] = json.encoder.encode_basestring

#: JSON of values as they were read from JSON; decimal numbers become binary ones.
compact: Final[Write] = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=float).encode


def or_null(write: Write) -> Write:
    """The same for None, too, which is null."""
    return lambda value: "null" if value is None else write(value)


def number_writer(show: Callable[[Any], str]) -> Write:
    """Make the function that writes numbers; NaN and infinities, which JSON does not have, are texts.

    Args:
        show: Makes the text of a number, as Java does.

    Example:
        >>> [number_writer(str)(number) for number in (1.5, float("inf"))]
        ['1.5', '"inf"']
    """

    def write(value: Any) -> str:
        shown = show(value)
        return shown if shown[-1].isdigit() else quoted(shown)

    return write


def array_writer(element: Write) -> Write:
    """Make the function that writes sequences, each of whose elements ``element`` writes.

    Example:
        >>> array_writer(or_null(str))([1, None])
        '[1,null]'
    """
    return lambda values: f"[{','.join([element(value) for value in values])}]"


def map_writer(key: Write, entry: Write) -> Callable[[Mapping[Any, Any]], str]:
    """Make the function that writes maps.

    Args:
        key: Makes the text of a key, which is put in quotes.
        entry: Makes the JSON of a value.

    Example:
        >>> map_writer(str, or_null(str))({1: 2, "a": None})
        '{"1":2,"a":null}'
    """
    return lambda entries: f"{{{','.join([f'{quoted(key(item))}:{entry(value)}' for item, value in entries.items()])}}}"


def object_writer(names: Sequence[str], fields: Sequence[Write]) -> Callable[[Sequence[Any]], str]:
    """Make the function that writes rows as objects with all fields.

    Args:
        names: What the fields are called.
        fields: Make the JSON of their values, None included.

    Example:
        >>> object_writer(["a", "b"], [str, quoted])([1, "x"])
        '{"a":1,"b":"x"}'
    """
    entries = ",".join(f"{quoted(name)}:".replace("%", "%%") + "%s" for name in names)
    template = f"{{{entries}}}"
    return lambda values: template % tuple([write(value) for write, value in zip(fields, values, strict=True)])
