"""Objects of JSON that have whole numbers alone, and these under the same names in the same order.

Then all that differs from object to object are digits, and where they are: eight octets of all objects are looked at at
once. Whatever is something else in one object is left to those who read any JSON.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.elements.byte_slices import WORD, ByteSlices, Octets, Places, Words, before_first, words

_SPACE = rb"[ \t\r\n]*"
#: A name of letters that stand for themselves.
_NAME = _SPACE + rb'"([ !#-\[\]-~]*)"' + _SPACE + b":" + _SPACE
#: What stands in front of the first number, and of each other one.
_FIRST, _NEXT = re.compile(b"{" + _NAME), re.compile(_SPACE + b"," + _NAME)
_NUMBER = re.compile(rb"-?[0-9]+")
_END = re.compile(_SPACE + b"}")
_WORD = 8
_WORD_BITS = np.uint64(64)
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
#: So many objects are read at a time, so that they stay in a processor's own memory; and so many are looked at one by
#: one before, to see whether they are of this kind.
_STEP, _FEW = 16_384, 4


class Form(NamedTuple):
    """The form that objects have in common.

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
    if form is None or any(Form.of(contents[place * len(contents) // _FEW]) != form for place in range(1, _FEW)):
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
    octets, places = contents.octets, contents.begins
    at = words(octets)
    columns = []
    for text in form.texts:
        read = _behind(text, octets, places)
        found = None if read is None else _numbers(at, places + len(text), read)
        if found is None:
            return None
        numbers, places = found
        columns.append(numbers)
    for place, octet in enumerate(form.end):
        if (octets[places + place] != octet).any():
            return None
    return None if (places + len(form.end) != contents.ends).any() else columns


def _behind(text: bytes, octets: Octets, places: Places) -> Words | None:
    """The word behind a text; None: the text is not at one of the places.

    Text and word are gathered as one piece, because NumPy takes as long for a word at any place as for eight of them.
    """
    whole, odd = divmod(len(text), _WORD)
    size = (whole + 2 if odd else whole + 1) * _WORD
    if int(places[-1]) + size > octets.size:
        return None  # the last content ends too early
    pieces = np.ndarray((octets.size - size + 1,), np.dtype((np.void, size)), octets, 0, (1,))
    read = np.ascontiguousarray(pieces[places].view(WORD).reshape(-1, size // _WORD).T)
    for number in range(whole):
        if (read[number] != _as_word(text[number * _WORD : (number + 1) * _WORD])).any():
            return None
    word: Words = read[whole]
    if odd:
        bits = np.uint64(8 * odd)
        if ((word << (_WORD_BITS - bits)) != _as_word(text[-odd:]) << (_WORD_BITS - bits)).any():
            return None
        word >>= bits
        word |= read[whole + 1] << (_WORD_BITS - bits)
    return word


def _as_word(text: bytes) -> np.uint64:
    return np.uint64(int.from_bytes(text, "little"))


def _numbers(at: Words, places: Places, read: Words) -> tuple[NDArray[np.int64], Places] | None:
    """The number at each place, and the place behind it; None: there is none, or one of more than sixteen digits.

    ``read``: the words there.
    """
    negative = None
    digits = _digits(read)
    if not digits.all():
        negative = (read & _OCTET) == _MINUS
        places = places + negative
        read = at[places]
        digits = _digits(read)
        if not digits.all():
            return None
    # JSON has no number that begins with a zero; and -0 is not 0 where it becomes a fraction.
    zero = (read & _OCTET) == _ZERO
    if zero.any() and (zero & (digits > 1 if negative is None else (digits > 1) | negative)).any():
        return None
    numbers = _of_digits(read, digits)
    ends = places + digits
    if digits.max(initial=0) == _WORD:
        read = at[ends]
        more = np.where(digits == _WORD, _digits(read), 0)
        numbers = numbers * _TENS[more] + np.where(more, _of_digits(read, more), 0)
        ends = ends + more
    return numbers if negative is None else np.where(negative, -numbers, numbers), ends


def _digits(read: Words) -> NDArray[np.uint8]:
    """Count the octets that are digits in front of the first one that is none."""
    octets = read ^ _ZEROS
    marks = octets + _SIX
    marks |= octets
    marks &= _HIGH
    return before_first(marks)[1]


def _of_digits(read: Words, digits: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The number that the first digits make, of which there is at least one."""
    # Zeros come in front of them; then pairs, fours and all eight of them are put together.
    most = 4 if digits.max(initial=0) <= 4 else _WORD
    made = read ^ _ZEROS
    made <<= ((np.uint8(most) - digits) << np.uint8(3)).astype(np.uint64)
    for factor, bits, kept in _STEPS[most]:
        later = made >> bits
        made *= factor
        made += later
        made &= kept
    return made.view(np.int64)
