"""Digests of text."""

from __future__ import annotations

import hashlib

from windrow.expressions.function import AS_INT, TEXT, Kernel, each, function
from windrow.table import data_types as t

_SECTION = "Hash functions"

OPERATORS: dict[str, Kernel] = {}


def _digest(algorithm: str) -> Kernel:
    return each(lambda text: hashlib.new(algorithm, text.encode()).hexdigest())


for _name, _length in {"MD5": 32, "SHA1": 40, "SHA224": 56, "SHA256": 64, "SHA384": 96, "SHA512": 128}.items():
    function(_name, _SECTION, [TEXT], t.CharType(_length), _digest(_name.lower()))
function(
    "SHA2",
    _SECTION,
    [TEXT, AS_INT],
    t.VarCharType(128),
    each(lambda text, n: hashlib.new(f"sha{n}", text.encode()).hexdigest()),
)
