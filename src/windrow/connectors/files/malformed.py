"""Lines that cannot be parsed: they go to a side output, or end the job by name; all others are elements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from windrow.common.typeinfo import TypeInformation
from windrow.connectors.files.file_format import FileBatch
from windrow.connectors.files.lines import LineBlock, line_number
from windrow.errors import MalformedInputError

#: What errors call the source until a runtime says its name.
SOURCE = "files"
_ADVICE = "mend it, or have such lines go to a side output: dead_letter=OutputTag(...) where the format is made"


class LineParser(Protocol):
    """Makes elements of the lines of a file, all at once if they are well-formed, else one by one."""

    def parse(self, data: bytes) -> Sequence[Any] | None:
        """The elements of whole lines; None unless all of them are well-formed, and none is blank."""

    def lines(self, data: bytes) -> list[bytes]:
        """The lines one by one, each with its end; a record that has line ends in it is one line."""

    def fault(self, line: bytes) -> str | None:
        """Say what is wrong with a malformed line: its column, the type of that, what came; None: it is not known."""


def of_type(column: str, type_info: TypeInformation, came: str) -> str:
    """Say what is wrong with a line: a column has something that is not of its type.

    Example:
        >>> from windrow.common.typeinfo import Types
        >>> of_type("day", Types.SQL_DATE(), "'tomorrow'")
        "column 'day' is of type Date; it has 'tomorrow'"
    """
    return f"column {column!r} is of type {str(type_info).removesuffix('TypeInfo')}; it has {came}"


def read_lines(
    block: LineBlock, parser: LineParser, path: str, dead_letter: str | None, begin: int = 0
) -> Iterator[FileBatch]:
    """The elements of a block's lines from its byte ``begin`` on, and its malformed lines as ``(path, line)``.

    Raises:
        MalformedInputError: a line is malformed and ``dead_letter`` is None; names file and line.
    """
    data = block.data[begin:] if begin else block.data
    parsed = parser.parse(data) if data else ()
    if parsed is not None:
        yield FileBatch(block.offset, parsed)
        return
    offset = block.offset + begin
    placed = []
    for line in parser.lines(data):
        if line.strip():
            placed.append((offset, line))
        offset += len(line)
    for elements, bad in _parts(parser, placed):
        if bad is None:
            yield FileBatch(block.offset, elements)
        else:
            yield _malformed(parser, *bad, block.offset, path, dead_letter)


#: The offset of a line in the file, and its bytes.
_Line = tuple[int, bytes]


def _parts(parser: LineParser, lines: list[_Line]) -> Iterator[tuple[Sequence[Any], _Line | None]]:
    """Elements, or a line of which there are none; halving finds few bad lines among many quickly."""
    parsed = parser.parse(b"".join(line for _, line in lines)) if lines else ()
    if parsed is not None:
        yield parsed, None
    elif len(lines) == 1:
        yield (), lines[0]
    else:
        half = len(lines) // 2
        yield from _parts(parser, lines[:half])
        yield from _parts(parser, lines[half:])


def _malformed(
    parser: LineParser, offset: int, line: bytes, block_offset: int, path: str, dead_letter: str | None
) -> FileBatch:
    text = line.decode(errors="backslashreplace").rstrip("\r\n")
    if dead_letter is None:
        number = line_number(path, offset)
        raise MalformedInputError(SOURCE, path, text, line_number=number, reason=parser.fault(line), advice=_ADVICE)
    return FileBatch(block_offset, [(path, text)], side=dead_letter)
