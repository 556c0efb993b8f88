"""Text."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import parse_qs, quote_plus, unquote_plus, urlsplit

import pyarrow as pa
import pyarrow.compute as pc

from windrow.expressions import logical_types as lt
from windrow.expressions.function import (
    ANY,
    AS_INT,
    AS_LONG,
    BINARY,
    TEXT,
    Family,
    Kernel,
    direct,
    each,
    each_nullable,
    function,
    in_common,
    on_columns,
    same,
    varying,
)
from windrow.expressions.kernels.printf import formatted
from windrow.expressions.logical_types import BIGINT, BOOLEAN, BYTES, INT, STRING
from windrow.expressions.nodes import Call
from windrow.expressions.patterns import compiled
from windrow.table import data_types as t

_SECTION = "String functions"
#: What has a text of its own in Java.
_SHOWN = Family(
    "text, a number or a BOOLEAN",
    lambda kind: lt.is_text(kind) or lt.is_numeric(kind) or isinstance(kind, t.BooleanType),
)


def _substring(text: str, start: int, length: int | None = None) -> str | None:
    """From a position on, counted from 1; a negative one counts from the end, and 0 is 1."""
    if length is not None and length < 0:
        return None
    size = len(text)
    first = start - 1 if start > 0 else size + start if start < 0 else 0
    if first >= size or first < 0:
        return ""
    return text[first:] if length is None else text[first : first + length]


def _trim(call: Call, values: Sequence[pa.Array], count: int) -> pa.Array:
    return {"LEADING": _LTRIM, "TRAILING": _RTRIM}.get(call.options[0], _BTRIM)(call, values, count)


def _trimming(compute: Any, one: Callable[..., str]) -> Kernel:
    """Make a kernel that takes characters off texts: spaces, unless there is a second argument."""
    return on_columns(lambda texts, characters=" ": compute(texts, characters=characters), each(one))


_LTRIM = _trimming(pc.utf8_ltrim, lambda text, characters=" ": text.lstrip(characters))
_RTRIM = _trimming(pc.utf8_rtrim, lambda text, characters=" ": text.rstrip(characters))
_BTRIM = _trimming(pc.utf8_trim, lambda text, characters=" ": text.strip(characters))


def _substring_column(texts: pa.Array, start: int, length: int | None = None) -> pa.Array | None:
    """The same on a column, from a position on that is counted from the beginning."""
    if start < 0 or (length is not None and length < 0):
        return None
    first = max(start - 1, 0)
    return pc.utf8_slice_codeunits(texts, first, None if length is None else first + length)


def _replace_column(texts: pa.Array, old: str, new: str) -> pa.Array:
    return pc.replace_substring(texts, old, new) if old else texts


def _overlay(text: str, other: str, start: int, length: int | None = None) -> str:
    if start <= 0 or start > len(text):
        return text
    count = len(other) if length is None else length
    return text[: start - 1] + other + text[start - 1 + count :]


def _cased(ascii_: Callable[..., Any], other: Callable[[str], str]) -> Kernel:
    """Upper or lower case as Java has it: the one of a letter may be several, which Arrow does not know."""
    of_each = each(other)

    def cased(call: Call, values: Sequence[pa.Array], count: int) -> pa.Array:
        is_ascii = pc.all(pc.string_is_ascii(values[0])).as_py()
        return of_each(call, values, count) if is_ascii is False else ascii_(values[0])

    return cased


def _initcap(text: str) -> str:
    """Letters and digits are ASCII's: what else there is separates words, and stays."""
    made, begins = [], True
    for character in text:
        is_word = character.isascii() and character.isalnum()
        if is_word:
            made.append(character.upper() if begins else character.lower())
        else:
            made.append(character)
        begins = not is_word
    return "".join(made)


def _pad(text: str, length: int, filling: str, *, left: bool) -> str | None:
    if length < 0 or not filling:
        return None
    if length <= len(text):
        return text[:length]
    missing = length - len(text)
    extra = (filling * (missing // len(filling) + 1))[:missing]
    return extra + text if left else text + extra


def _regexp_extract(text: str, pattern: str, group: int = 0) -> str | None:
    try:
        found = compiled(pattern).search(text)
        return None if found is None else found.group(group)
    except (re.error, IndexError):
        return None


def _regexp_replace(text: str, pattern: str, replacement: str) -> str | None:
    try:
        return compiled(pattern).sub(lambda _: replacement, text)  # as it is written: Flink quotes $1, too
    except re.error:
        return None


def _regexp(text: str, pattern: str) -> bool:
    try:
        return bool(pattern) and compiled(pattern).search(text) is not None
    except re.error:
        return False


def _split_index(text: str, delimiter: str, index: int) -> str | None:
    if index < 0 or not text:
        return None
    parts = text.split(delimiter)
    return parts[index] if index < len(parts) else None


def _str_to_map(text: str, between: str = ",", inside: str = "=") -> list[tuple[str, str | None]]:
    pairs = [part.split(inside, 1) for part in compiled(between).split(text)]
    return list({pair[0]: pair[1] if len(pair) > 1 else None for pair in pairs}.items())


def _concat_ws(separator: str | None, *texts: str | None) -> str | None:
    return None if separator is None else separator.join(text for text in texts if text is not None)


def _from_base64(text: str) -> str | None:
    try:
        return base64.b64decode(text, validate=True).decode("utf-8", "replace")
    except ValueError:
        return None


def _to_base64(value: Any) -> str:
    return base64.b64encode(value if isinstance(value, bytes) else value.encode()).decode()


def _ascii(text: str) -> int:
    first = text[0].encode()[0] if text else 0
    return first if first < 128 else first - 256


def _chr(number: int) -> str:
    return "" if number < 0 else chr(number & 0xFF)


def _locate(needle: str, text: str, start: int = 1) -> int:
    return text.find(needle, max(start, 1) - 1) + 1 if start > 0 else 0


def _parse_url(text: str, part: str, key: str | None = None) -> str | None:
    try:
        url = urlsplit(text)
        port = url.port
    except ValueError:
        return None
    found: dict[str, Any] = {
        "HOST": url.hostname,
        "PATH": url.path,
        "QUERY": url.query or None,
        "REF": url.fragment or None,
        "PROTOCOL": url.scheme,
        "AUTHORITY": url.netloc,
        "FILE": url.path + (f"?{url.query}" if url.query else ""),
        "USERINFO": url.username,
    }
    del port
    if key is not None:
        values = parse_qs(url.query, keep_blank_values=True).get(key)
        return values[0] if part == "QUERY" and values else None
    value = found.get(part)
    return None if value is None else str(value)


def _elt(index: int | None, *texts: str | None) -> str | None:
    return None if index is None or not 1 <= index <= len(texts) else texts[index - 1]


def _translate(text: str, source: str, target: str) -> str:
    table = {ord(c): target[i] if i < len(target) else None for i, c in reversed(list(enumerate(source)))}
    return text.translate(table)


def _instr(text: str, needle: str, start: int = 1, occurrence: int = 1) -> int:
    position = start - 1
    for _ in range(occurrence):
        position = text.find(needle, position) + 1
        if not position:
            return 0
    return position


def _regexp_count(text: str, pattern: str) -> int | None:
    try:
        return sum(1 for _ in compiled(pattern).finditer(text))
    except re.error:
        return None


def _regexp_instr(text: str, pattern: str) -> int | None:
    try:
        found = compiled(pattern).search(text)
    except re.error:
        return None
    return 0 if found is None else found.start() + 1


def _regexp_substr(text: str, pattern: str) -> str | None:
    return _regexp_extract(text, pattern)


def _regexp_extract_all(text: str, pattern: str, group: int = 1) -> list[str] | None:
    try:
        return [found.group(group) for found in compiled(pattern).finditer(text)]
    except (re.error, IndexError):
        return None


def _inet_aton(text: str) -> int | None:
    """An address of up to four parts, of which the last one has all bytes that are left."""
    parts = text.split(".")
    if not 1 <= len(parts) <= 4 or not all(part.isascii() and part.isdigit() for part in parts):
        return None
    *first, last = map(int, parts)
    left = 256 ** (4 - len(first))
    if last >= left or any(part > 255 for part in first):
        return None
    return sum(part << (24 - 8 * place) for place, part in enumerate(first)) + last


def _inet_ntoa(number: int) -> str | None:
    if not 0 <= number < 2**32:
        return None
    return ".".join([str(number >> shift & 255) for shift in (24, 16, 8, 0)])


def _split(text: str, delimiter: str) -> list[str]:
    return text.split(delimiter) if delimiter else list(text)


OPERATORS: dict[str, Kernel] = {
    "||": direct(lambda a, b: pc.binary_join_element_wise(a, b, "")),
    "TRIM": _trim,
}

function("CHAR_LENGTH CHARACTER_LENGTH", _SECTION, [TEXT], INT, direct(pc.utf8_length))
function("UPPER", _SECTION, [TEXT], same(), _cased(pc.utf8_upper, str.upper))
function("LOWER", _SECTION, [TEXT], same(), _cased(pc.utf8_lower, str.lower))
function("POSITION", _SECTION, [TEXT, TEXT], INT, each(_locate))
function("LTRIM", _SECTION, [TEXT, TEXT], varying(0), _LTRIM, required=1)
function("RTRIM", _SECTION, [TEXT, TEXT], varying(0), _RTRIM, required=1)
function("BTRIM", _SECTION, [TEXT, TEXT], STRING, _BTRIM, required=1)
function("REPEAT", _SECTION, [TEXT, AS_INT], STRING, each(lambda text, n: text * max(n, 0)))
function("REGEXP_REPLACE", _SECTION, [TEXT, TEXT, TEXT], STRING, each(_regexp_replace))
function("OVERLAY", _SECTION, [TEXT, TEXT, AS_INT, AS_INT], varying(0, 1), each(_overlay), required=3)
function(
    "SUBSTRING SUBSTR",
    _SECTION,
    [TEXT, AS_INT, AS_INT],
    varying(0),
    on_columns(_substring_column, each(_substring)),
    required=2,
    nullable=True,
)
function(
    "REPLACE",
    _SECTION,
    [TEXT, TEXT, TEXT],
    STRING,
    on_columns(_replace_column, each(lambda text, a, b: text.replace(a, b) if a else text)),
)
function("PRINTF", _SECTION, [_SHOWN], STRING, each_nullable(formatted), required=1, repeats=True, nullable=True)
function("TRANSLATE", _SECTION, [TEXT, TEXT, TEXT], STRING, each(_translate))
function("REGEXP_EXTRACT", _SECTION, [TEXT, TEXT, AS_INT], STRING, each(_regexp_extract), required=2, nullable=True)
function("REGEXP", _SECTION, [TEXT, TEXT], BOOLEAN, each(_regexp))
function("INITCAP", _SECTION, [TEXT], same(), each(_initcap))
function(
    "CONCAT", _SECTION, [ANY], STRING, direct(lambda *texts: pc.binary_join_element_wise(*texts, "")), repeats=True
)
function("CONCAT_WS", _SECTION, [TEXT], STRING, each_nullable(_concat_ws), repeats=True)
function("LPAD", _SECTION, [TEXT, AS_INT, TEXT], STRING, each(lambda a, n, b: _pad(a, n, b, left=True)))
function("RPAD", _SECTION, [TEXT, AS_INT, TEXT], STRING, each(lambda a, n, b: _pad(a, n, b, left=False)))
function("FROM_BASE64", _SECTION, [TEXT], STRING, each(_from_base64))
function("TO_BASE64", _SECTION, [ANY], STRING, each(_to_base64))
function("ASCII", _SECTION, [TEXT], INT, each(_ascii))
function("CHR", _SECTION, [AS_INT], STRING, each(_chr), nullable=True)
function("DECODE", _SECTION, [BINARY, TEXT], STRING, each(lambda data, charset: data.decode(charset)))
function("ENCODE", _SECTION, [TEXT, TEXT], BYTES, each(lambda text, charset: text.encode(charset)))
function("INSTR", _SECTION, [TEXT, TEXT, AS_INT, AS_INT], INT, each(_instr), required=2)
function(
    "LEFT",
    _SECTION,
    [TEXT, AS_INT],
    varying(0),
    on_columns(lambda texts, n: _substring_column(texts, 1, max(n, 0)), each(lambda text, n: text[: max(n, 0)])),
    nullable=True,
)
function("RIGHT", _SECTION, [TEXT, AS_INT], varying(0), each(lambda text, n: text[-n:] if n > 0 else ""), nullable=True)
function("LOCATE", _SECTION, [TEXT, TEXT, AS_INT], INT, each(_locate), required=2)
function("PARSE_URL", _SECTION, [TEXT, TEXT, TEXT], STRING, each(_parse_url), required=2, nullable=True)
function("REVERSE", _SECTION, [TEXT], STRING, direct(pc.utf8_reverse), nullable=True)
function("SPLIT_INDEX", _SECTION, [TEXT, TEXT, AS_INT], STRING, each(_split_index), nullable=True)
function(
    "STR_TO_MAP", _SECTION, [TEXT, TEXT, TEXT], t.MapType(STRING, STRING), each(_str_to_map), required=1, nullable=True
)
function("STARTSWITH", _SECTION, [TEXT, TEXT], BOOLEAN, on_columns(pc.starts_with, each(str.startswith)))
function("ENDSWITH", _SECTION, [TEXT, TEXT], BOOLEAN, on_columns(pc.ends_with, each(str.endswith)))
function(
    "ELT",
    _SECTION,
    [AS_INT, TEXT],
    lambda types: in_common(types[1:]),
    each_nullable(_elt),
    repeats=True,
    nullable=True,
)
function("REGEXP_COUNT", _SECTION, [TEXT, TEXT], INT, each(_regexp_count), nullable=True)
function("REGEXP_INSTR", _SECTION, [TEXT, TEXT], INT, each(_regexp_instr), nullable=True)
function("REGEXP_SUBSTR", _SECTION, [TEXT, TEXT], STRING, each(_regexp_substr), nullable=True)
function(
    "REGEXP_EXTRACT_ALL",
    _SECTION,
    [TEXT, TEXT, AS_INT],
    t.ArrayType(STRING),
    each(_regexp_extract_all),
    required=2,
    nullable=True,
)
function("INET_ATON", _SECTION, [TEXT], BIGINT, each(_inet_aton), nullable=True)
function("INET_NTOA", _SECTION, [AS_LONG], STRING, each(_inet_ntoa), nullable=True)
function("SPLIT", _SECTION, [TEXT, TEXT], t.ArrayType(STRING), each(_split))
function("URL_ENCODE", _SECTION, [TEXT], STRING, each(lambda text: quote_plus(text, safe="*")), nullable=True)
function("URL_DECODE", _SECTION, [TEXT], STRING, each(unquote_plus), nullable=True)
