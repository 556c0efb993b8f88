"""Objects of JSON that have whole numbers alone, and these under the same names in the same order.

Then all that differs from object to object are digits, and where they are: eight octets of all objects are looked at at
once. Whatever is something else in one object is left to those who read any JSON.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.elements.byte_slices import ByteSlices, Octets, Places, Words, before_first, words

_SPACE = rb"[ \t\r\n]*"
#: A name of letters that stand for themselves.
_NAME = _SPACE + rb'"([ !#-\[\]-~]*)"' + _SPACE + b":" + _SPACE
#: What stands in front of the first number, and of each other one.
_FIRST, _NEXT = re.compile(b"{" + _NAME), re.compile(_SPACE + b"," + _NAME)
_NUMBER = re.compile(rb"-?[0-9]+")
_END = re.compile(_SPACE + b"}")
_WORD = 8
_MINUS = np.uint64(ord("-"))
_OCTET = np.uint64(0xFF)
#: The digit 0 in each octet; what makes more than 15 of whatever is more than 9; where that shows.
_ZEROS, _SIX = np.uint64(0x3030_3030_3030_3030), np.uint64(0x0606_0606_0606_0606)
_HIGH = np.uint64(0xF0F0_F0F0_F0F0_F0F0)
_ZERO = np.uint64(ord("0"))
#: Of four digits and of eight: by how much the first of two parts counts more than the second, by how many bits it is
#: before it, and which bits are then numbers.
_STEPS = {
    4: np.array([(10, 8, 0x00FF_00FF), (100, 16, 0xFFFF)], np.uint64),
    8: np.array(
        [(10, 8, 0x00FF_00FF_00FF_00FF), (100, 16, 0x0000_FFFF_0000_FFFF), (10_000, 32, 0xFFFF_FFFF)], np.uint64
    ),
}
#: How much a number grows by so many digits more.
_TENS = 10 ** np.arange(_WORD + 1, dtype=np.int64)
#: So many objects are read at a time, so that they stay in a processor's own memory; and so many before the others, to
#: see whether they are of this kind.
_STEP, _FEW = 16_384, 64


class Form(NamedTuple):
    """What objects have in common.

    Args:
        names: What the numbers are called.
        texts: What stands in front of each number.
        end: What stands behind the last.
    """

    names: list[str]
    texts: list[bytes]
    end: bytes

    @classmethod
    def of(cls, content: bytes) -> Form | None:
        """The form of an object; None: it has something else than whole numbers.

        >>> Form.of(b'{"a": 1, "b":-20}')
        Form(names=['a', 'b'], texts=[b'{"a": ', b', "b":'], end=b'}')
        """
        names: list[str] = []
        texts: list[bytes] = []
        place = 0
        while field := (_NEXT if names else _FIRST).match(content, place):
            number = _NUMBER.match(content, field.end())
            if number is None:
                return None
            names.append(field[1].decode())
            texts.append(field[0])
            place = number.end()
        end = content[place:]
        return cls(names, texts, end) if names and _END.fullmatch(end) and len({*names}) == len(names) else None


def numbers_of_json(contents: ByteSlices) -> dict[str, NDArray[np.int64]] | None:
    """The numbers of all objects, by their names; None: at least one of them has another form than the first.

    Example:
        >>> numbers_of_json(ByteSlices.of([b'{"a": 1}', b'{"a": -20}']))
        {'a': array([  1, -20])}
    """
    form = Form.of(contents[0])
    if form is None or _read(form, contents[:_FEW]) is None:
        return None
    parts = []
    for begin in range(0, len(contents), _STEP):
        read = _read(form, contents[begin : begin + _STEP])
        if read is None:
            return None
        parts.append(read)
    columns = zip(*parts, strict=True)
    return {name: np.concatenate(column) for name, column in zip(form.names, columns, strict=True)}


def _read(form: Form, contents: ByteSlices) -> list[NDArray[np.int64]] | None:
    octets, at = contents.octets, words(contents.octets)
    places = contents.begins
    columns = []
    for text in form.texts:
        if not _all_have(text, octets, at, places):
            return None
        read = _numbers(at, places + len(text))
        if read is None:
            return None
        numbers, places = read
        columns.append(numbers)
    if not _all_have(form.end, octets, at, places) or (places + len(form.end) != contents.ends).any():
        return None
    return columns


def _all_have(text: bytes, octets: Octets, at: Words, places: Places) -> bool:
    """Whether a text is at each of the places."""
    for begin in range(0, len(text), _WORD):
        part = text[begin : begin + _WORD]
        starts = places + begin if begin else places
        read: NDArray[Any] = octets[starts] if len(part) == 1 else at[starts]
        if 1 < len(part) < _WORD:
            read &= np.uint64((1 << 8 * len(part)) - 1)
        if (read != read.dtype.type(int.from_bytes(part, "little"))).any():
            return False
    return True


def _numbers(at: Words, places: Places) -> tuple[NDArray[np.int64], Places] | None:
    """The number at each place, and the place behind it; None: there is none, or one of more than sixteen digits."""
    read = at[places]
    first = read & _OCTET
    negative = first == _MINUS
    has_negative = bool(negative.any())
    if has_negative:
        places = places + negative
        read = at[places]
        first = read & _OCTET
    digits = _digits(read)
    # JSON has no number that begins with a zero; and -0 is not 0 where it becomes a fraction.
    zero = first == _ZERO
    if not digits.all() or (zero.any() and (zero & ((digits > 1) | negative)).any()):
        return None
    numbers = _of_digits(read, digits)
    ends = places + digits
    if digits.max(initial=0) == _WORD:
        read = at[ends]
        more = np.where(digits == _WORD, _digits(read), 0)
        numbers = numbers * _TENS[more] + np.where(more, _of_digits(read, more), 0)
        ends = ends + more
    return np.where(negative, -numbers, numbers) if has_negative else numbers, ends


def _digits(read: Words) -> NDArray[np.uint8]:
    """How many octets are digits in front of the first one that is none."""
    octets = read ^ _ZEROS
    return before_first(((octets + _SIX) | octets) & _HIGH)[1]


def _of_digits(read: Words, digits: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The number that the first digits make, of which there is at least one."""
    # Zeros come in front of them; then pairs, fours and all eight of them are put together.
    most = 4 if digits.max(initial=0) <= 4 else _WORD
    read = (read ^ _ZEROS) << ((np.uint8(most) - digits) << np.uint8(3)).astype(np.uint64)
    for factor, bits, kept in _STEPS[most]:
        read = (read * factor + (read >> bits)) & kept
    return read.view(np.int64)
