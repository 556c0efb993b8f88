"""Tells whether two ways to name a Python name the same one."""

from __future__ import annotations

import os
import shutil


def is_same_python(one: str, other: str) -> bool:
    """Tell whether both lead to one program. No link is followed: a virtual environment's Python is one of its own."""
    return _absolute(one) == _absolute(other)


def _absolute(python: str) -> str:
    return os.path.abspath(shutil.which(python) or python)
