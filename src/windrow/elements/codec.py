"""Makes bytes of values: in pages of state, in chunks between stages, in what a driver sends to its workers."""

from __future__ import annotations

import pickle
from typing import Any


def dumps(value: Any) -> bytes:
    """Pickle ``value``; objects whose class only the user's main program knows are pickled with their class.

    Plain pickle is several times faster, and names such a class instead of carrying it: in a worker, where the
    user's ``__main__`` is another module, that fails at once, and cloudpickle takes over.
    """
    try:
        return pickle.dumps(value, protocol=5)
    except (pickle.PicklingError, AttributeError, TypeError):
        return dumps_with_code(value)


def dumps_with_code(value: Any) -> bytes:
    """Pickle ``value`` with the code of functions and classes that another process cannot import."""
    import cloudpickle

    data: bytes = cloudpickle.dumps(value, protocol=5)
    return data


def loads(data: bytes | memoryview) -> Any:
    """Read what :func:`dumps` and :func:`dumps_with_code` wrote."""
    return pickle.loads(data)
