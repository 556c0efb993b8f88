"""Lines of text files."""

from __future__ import annotations

import codecs
import io
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace

from windrow.connectors.files.compression import DAMAGED, is_compressed, open_file
from windrow.connectors.interfaces import SourceBatch, Split
from windrow.errors import ConfigurationError, JobExecutionError, MalformedInputError

BYTES_PER_BATCH = 1 << 20

#: Character sets in which the byte of a line feed is nothing else: such a file can be cut without decoding it.
_CUTTABLE = frozenset({"utf-8", "ascii", "iso8859-1", "iso8859-15", "cp1252"})


@dataclass(frozen=True)
class StreamFormat:
    """How a file becomes elements (Flink's ``StreamFormat``).

    Example:
        >>> StreamFormat.text_line_format("ISO-8859-1").charset_name
        'ISO-8859-1'
    """

    charset_name: str

    @staticmethod
    def text_line_format(charset_name: str = "UTF-8") -> StreamFormat:
        r"""Each line as a string, without its line end: ``\n``, ``\r`` or ``\r\n``.

        Raises:
            ConfigurationError: there is no such character set.
        """
        try:
            codecs.lookup(charset_name)
        except (LookupError, TypeError):
            msg = f"charset_name names a character set such as 'UTF-8'; got {charset_name!r}"
            raise ConfigurationError(msg) from None
        return StreamFormat(charset_name)


@dataclass(frozen=True)
class TextSplit(Split):
    """The lines of a file, or of the bytes of it from ``start`` to ``stop``: what it held when the job was planned."""

    path: str
    charset: str
    start: int = 0
    #: None: to the end, where the name says that the file is compressed.
    stop: int | None = None

    @staticmethod
    def of(path: str, charset: str) -> TextSplit:
        """All lines of a file."""
        return TextSplit(path, charset, 0, None if is_compressed(path) else os.path.getsize(path))

    def read(self) -> Iterator[SourceBatch]:
        decoder = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder(self.charset)(), translate=True)
        rest = ""
        try:
            for block in self._blocks():
                *lines, rest = (rest + decoder.decode(block)).split("\n")
                if lines:
                    yield SourceBatch(lines)
            *lines, rest = (rest + decoder.decode(b"", final=True)).split("\n")
        except UnicodeDecodeError:
            raise self._undecodable() from None
        if rest:
            lines.append(rest)
        if lines:
            yield SourceBatch(lines)

    def cut(self, elements: int) -> list[Split]:
        if self.stop is None or codecs.lookup(self.charset).name not in _CUTTABLE:
            return [self]
        parts: list[Split] = []
        begin = offset = self.start
        lines = 0
        with open(self.path, "rb") as file:
            file.seek(begin)
            for line in file:
                if offset >= self.stop:
                    break
                if lines == elements:
                    parts.append(replace(self, start=begin, stop=offset))
                    begin, lines = offset, 0
                offset += len(line)
                lines += 1
        return [*parts, replace(self, start=begin)]

    def _blocks(self) -> Iterator[bytes]:
        try:
            with open_file(self.path) as file:
                if self.stop is None:
                    while block := file.read(BYTES_PER_BATCH):
                        yield block
                    return
                file.seek(self.start)
                left = self.stop - self.start
                while left > 0:
                    block = file.read(min(left, BYTES_PER_BATCH))
                    if not block:
                        msg = f"the source cannot read {self.path}: it has become shorter since the job was planned"
                        raise JobExecutionError(msg)
                    left -= len(block)
                    yield block
        except FileNotFoundError:
            msg = (
                f"the source cannot find {self.path}, which was there when the job was planned: either it was removed, "
                "or it is not on every machine that reads (put files on a file system that all of them share)"
            )
            raise JobExecutionError(msg) from None
        except DAMAGED as error:
            msg = f"the source cannot read {self.path}: {type(error).__name__}: {error}"
            raise JobExecutionError(msg) from error

    def _undecodable(self) -> MalformedInputError:
        """Name the first line in which the two ways to replace undecodable bytes differ."""
        with (
            io.TextIOWrapper(open_file(self.path), self.charset, errors="backslashreplace") as escaped,
            io.TextIOWrapper(open_file(self.path), self.charset, errors="replace") as replaced,
        ):
            for number, (text, other) in enumerate(zip(escaped, replaced, strict=False), start=1):
                if text != other:
                    reason = f"not {self.charset}"
                    return MalformedInputError("files", self.path, text.rstrip("\n"), line_number=number, reason=reason)
        return MalformedInputError("files", self.path, f"its last bytes are not {self.charset}")
