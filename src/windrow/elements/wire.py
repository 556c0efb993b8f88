"""Elements as bytes, on their way from one worker to another: columns as Arrow writes them, rows as pickle does.

The first byte is the version of the form. Only what one run of a job has written is read by it, so an unknown version
is an error: two versions of the library work in one job.
"""

from __future__ import annotations

from typing import Any

from windrow.elements.codec import dumps, dumps_with_code, loads
from windrow.errors import JobExecutionError

VERSION = 2
_VERSION = bytes([VERSION])


def encode(content: Any, *, with_code: bool = False) -> bytes:
    """``content`` as bytes; ``with_code`` for what the program's own process sends to workers.

    Example:
        >>> decode(encode(["a", 1]))
        ['a', 1]
    """
    return _VERSION + (dumps_with_code(content) if with_code else dumps(content))


def decode(data: bytes) -> Any:
    """Read what :func:`encode` wrote.

    Raises:
        JobExecutionError: another version of the library wrote it.
    """
    if data[0] != VERSION:
        msg = (
            f"elements came in form {data[0]}, and this version of windrow reads form {VERSION}: the program and its "
            "workers have different versions of windrow; install the same one everywhere"
        )
        raise JobExecutionError(msg)
    return loads(memoryview(data)[1:])
