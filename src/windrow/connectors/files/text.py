"""Lines of text files."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from dataclasses import dataclass

from windrow.common.typeinfo import Types
from windrow.connectors.files.compression import open_file
from windrow.connectors.files.file_format import FileBatch, StreamFormat
from windrow.connectors.files.lines import behind_last_line, line_blocks, line_regions, line_sub_splits, raw_blocks
from windrow.connectors.files.split import FileSourceSplit
from windrow.errors import ConfigurationError, MalformedInputError

#: Character sets in which the byte of a line feed is nothing else: such a file can be cut without decoding it.
_CUTTABLE = frozenset({"utf-8", "ascii", "iso8859-1", "iso8859-15", "cp1252"})


@dataclass(frozen=True)
class TextLineFormat(StreamFormat):
    """Each line as a string (Flink's ``TextLineInputFormat``, but for the regions: Flink reads files as a whole)."""

    charset_name: str

    produced_type = Types.STRING()

    @staticmethod
    def of(charset_name: str) -> TextLineFormat:
        """The format, its character set checked."""
        try:
            codecs.lookup(charset_name)
        except (LookupError, TypeError):
            msg = f"charset_name names a character set such as 'UTF-8'; got {charset_name!r}"
            raise ConfigurationError(msg) from None
        return TextLineFormat(charset_name)

    def read(self, split: FileSourceSplit) -> Iterator[FileBatch]:
        try:
            yield from self._lines(split) if self._cuttable else self._whole_file(split)
        except UnicodeDecodeError:
            raise self._undecodable(split.path) from None

    def regions(self, path: str, size: int, target: int) -> list[tuple[int, int]]:
        return line_regions(path, size, target) if self._cuttable else [(0, size)]

    def sub_splits(self, split: FileSourceSplit, elements: int) -> list[FileSourceSplit]:
        return line_sub_splits(split, elements) if self._cuttable else [split]

    @property
    def _cuttable(self) -> bool:
        return codecs.lookup(self.charset_name).name in _CUTTABLE

    def _lines(self, split: FileSourceSplit) -> Iterator[FileBatch]:
        for block in line_blocks(split, _behind_last_line):
            text = block.data.decode(self.charset_name)
            if "\r" in text:
                text = text.replace("\r\n", "\n").replace("\r", "\n")
            lines = text.split("\n")
            if not lines[-1]:
                del lines[-1]
            yield FileBatch(block.offset, lines)

    def _whole_file(self, split: FileSourceSplit) -> Iterator[FileBatch]:
        """Decoded from its first byte on: where it can be cut is not known."""
        decoder = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder(self.charset_name)(), translate=True)
        rest = ""
        for data in raw_blocks(split):
            *lines, rest = (rest + decoder.decode(data)).split("\n")
            yield FileBatch(0, lines)
        *lines, rest = (rest + decoder.decode(b"", final=True)).split("\n")
        yield FileBatch(0, [*lines, rest] if rest else lines)

    def _undecodable(self, path: str) -> MalformedInputError:
        """Name the first line in which the two ways to replace undecodable bytes differ."""
        with (
            io.TextIOWrapper(open_file(path), self.charset_name, errors="backslashreplace") as escaped,
            io.TextIOWrapper(open_file(path), self.charset_name, errors="replace") as replaced,
        ):
            for number, (text, other) in enumerate(zip(escaped, replaced, strict=False), start=1):
                if text != other:
                    reason = f"not {self.charset_name}"
                    return MalformedInputError("files", path, text.rstrip("\n"), line_number=number, reason=reason)
        return MalformedInputError("files", path, f"its last bytes are not {self.charset_name}")


def _behind_last_line(data: bytes) -> int:
    """A carriage return ends a line too; so do blocks of files that have no line feeds."""
    return behind_last_line(data) or data.rfind(b"\r", 0, -1) + 1
