"""A PyFlink program becomes a Windrow program: its imports change and nothing else."""

from __future__ import annotations

import re

_IMPORT = re.compile(r"^(?P<start>\s*(?:from|import)\s+)pyflink\b", re.MULTILINE)


def with_windrow_imports(program: str) -> str:
    """The program's text with ``pyflink`` replaced by ``windrow`` where it is imported from.

    Strings, comments and names that merely contain the word stay as they are.

    >>> with_windrow_imports("from pyflink.common import Types  # as in pyflink")
    'from windrow.common import Types  # as in pyflink'
    """
    return _IMPORT.sub(r"\g<start>windrow", program)
