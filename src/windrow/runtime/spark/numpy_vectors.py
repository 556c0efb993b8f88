"""Keeps NumPy from instructions that cost more than they save.

AMD's fourth Zen stores what a sort has parted with an instruction in microcode: NumPy sorts 65,536 numbers in 35 ns
each there, and in 6.5 ns without AVX-512. The fifth has it mended; Java's sort makes the same exception.
"""

from __future__ import annotations

import os
import re
from importlib.metadata import version
from pathlib import Path

_VARIABLE = "NPY_DISABLE_CPU_FEATURES"
#: NumPy takes one of both.
_VARIABLES = frozenset({_VARIABLE, "NPY_ENABLE_CPU_FEATURES"})
#: AVX-512 as NumPy calls it from 2.4 on, and before.
_FEATURES = "X86_V4 AVX512_ICL AVX512_SPR"
_FEATURES_BEFORE = "AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR"
_FAMILY = 25
#: What Linux says of a processor is shorter.
_MOST = 1 << 13


def avoid_slow_vectors(processors: Path = Path("/proc/cpuinfo")) -> None:
    """Let NumPy, which is not imported yet, do without AVX-512 where that is slow; what the user has set stays."""
    try:
        with processors.open() as file:
            first = file.read(_MOST)
    except OSError:  # it is not Linux
        return
    if has_slow_compress(first) and _VARIABLES.isdisjoint(os.environ):
        newer = tuple(map(int, version("numpy").split(".")[:2])) >= (2, 4)
        os.environ[_VARIABLE] = _FEATURES if newer else _FEATURES_BEFORE


def has_slow_compress(processor: str) -> bool:
    r"""Tell whether it is an AMD of the fourth Zen.

    >>> has_slow_compress("vendor_id\t: AuthenticAMD\ncpu family\t: 25\nflags\t\t: fpu avx512f\n")
    True
    """
    said = dict(re.findall(r"^(\w[\w ]*?)\s*: (.*)$", processor, re.MULTILINE)[::-1])  # of the first processor
    return (
        said.get("vendor_id") == "AuthenticAMD"
        and said.get("cpu family") == str(_FAMILY)
        and "avx512f" in said.get("flags", "").split()
    )
