"""Lets the Pythons that Spark starts beside the program find Windrow where workers get it as an archive.

Spark brings such an archive (``--py-files``, ``addPyFile``) to workers, and these find it. Two more Pythons run on the
driver's machine: the one in which batches are planned looks for it in a folder that is not there, and the one that asks
each level what state there is does not look (Spark 4.3). They look where the program has it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pyspark import cloudpickle

import windrow

#: What a Python says that has not got Windrow.
MISSING = "No module named 'windrow'"


def finding_windrow(kind: type, fields: Mapping[str, Any]) -> tuple[Callable[[bytes, str], Any], tuple[bytes, str]]:
    """Make what ``__reduce__`` returns for an object that is to be read where Python may not find Windrow yet.

    Args:
        kind: The object's class.
        fields: Its attributes.
    """
    return _loader(), (cloudpickle.dumps((kind, dict(fields))), str(Path(windrow.__file__).parents[1]))


def _loader() -> Callable[[bytes, str], Any]:
    """Make the function that reads the object; it is no function of a module, so its code goes along."""

    def load(data: bytes, place: str) -> Any:
        import pickle
        import sys
        from importlib.util import find_spec

        from pyspark import TaskContext

        # A worker of a task has it, or fails: what lies at this place on its machine may be something else.
        if TaskContext.get() is None and find_spec("windrow") is None:
            sys.path.append(place)
        kind, fields = pickle.loads(data)
        made = kind.__new__(kind)
        vars(made).update(fields)
        return made

    return load
