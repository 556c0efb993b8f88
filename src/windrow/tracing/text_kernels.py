"""Operations on text by Arrow, where they give what Python's ``str`` gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from windrow.tracing.outcome import NotExact
from windrow.tracing.values import Ints

#: What ``str.strip`` takes away of text in ASCII.
_SPACES = " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f"


def comparison(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A comparison: Arrow compares the bytes of UTF-8, whose order is that of code points."""

    def compare(a: Any, b: Any) -> Any:
        return _flags(function(_arrow(a), _arrow(b)))

    return compare


def text_length(a: Any) -> Ints:
    return Ints(pc.utf8_length(a).to_numpy().astype(np.int64))


def text_join(a: Any, b: Any) -> Any:
    return pc.binary_join_element_wise(_arrow(a), _arrow(b), "")


def starts_with(a: Any, prefix: str) -> Any:
    return _flags(pc.starts_with(a, prefix))


def ends_with(a: Any, suffix: str) -> Any:
    return _flags(pc.ends_with(a, suffix))


def contains(a: Any, part: str) -> Any:
    return _flags(pc.match_substring(a, part))


def upper(a: Any) -> Any:
    return pc.ascii_upper(_ascii(a))


def lower(a: Any) -> Any:
    return pc.ascii_lower(_ascii(a))


def strip(a: Any) -> Any:
    return pc.ascii_trim(_ascii(a), _SPACES)


def replace(a: Any, old: str, new: str) -> Any:
    return pc.replace_substring(a, old, new)


def text_item(a: Any, position: Ints) -> Any:
    index = position.data
    if pc.min(pc.utf8_length(a)).as_py() <= index:
        msg = "an index is beyond the end of a text"
        raise NotExact(msg)
    return pc.utf8_slice_codeunits(a, index, index + 1)


def text_slice(a: Any, start: Ints, stop: Ints) -> Any:
    """From a position up to another; -1: to the end."""
    return pc.utf8_slice_codeunits(a, start.data, None if stop.data < 0 else max(start.data, stop.data))


def text_split(a: Any, separator: str) -> Any:
    return pc.split_pattern(a, separator)


def text_part(parts: Any, position: Ints) -> Any:
    if pc.min(pc.list_value_length(parts)).as_py() <= position.data:
        msg = "an index is beyond the parts of a text"
        raise NotExact(msg)
    return pc.list_element(parts, position.data)


def int_of_text(a: Any) -> Ints:
    _check_form(a, "^-?[0-9]{1,18}$")
    return Ints(a.cast(pa.int64()).to_numpy())


def float_of_text(a: Any) -> Any:
    _check_form(a, r"^-?[0-9]{1,15}(\.[0-9]{1,15})?$")
    return a.cast(pa.float64()).to_numpy()


def text_of_int(a: Ints) -> Any:
    return pa.array(a.data).cast(pa.string())


def text_select(condition: Any, positive: Any, negative: Any) -> Any:
    return pc.if_else(pa.array(condition), _arrow(positive), _arrow(negative))


def _arrow(a: Any) -> Any:
    return pa.scalar(a, pa.string()) if isinstance(a, str) else a


def _flags(found: Any) -> Any:
    return found.to_numpy(zero_copy_only=False)


def _ascii(a: Any) -> Any:
    if not pc.all(pc.string_is_ascii(a)).as_py():
        msg = "a text is not in ASCII"  # other alphabets have rules of their own: 'ß'.upper() is 'SS'
        raise NotExact(msg)
    return a


def _check_form(a: Any, form: str) -> None:
    if not pc.all(pc.match_substring_regex(a, form)).as_py():
        msg = "a text is no plain number"  # Python takes more: spaces, underscores, other digits
        raise NotExact(msg)
