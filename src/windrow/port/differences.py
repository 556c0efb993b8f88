"""The methods that do otherwise than PyFlink's, where a program is likely to see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

#: By method.
DIFFERENCES: Final[Mapping[str, str]] = {
    "add_classpaths": "Spark loads jars, and Flink's connectors are none of Spark's: Windrow's own are in Python",
    "add_jars": "Spark loads them, and Flink's connectors are none of Spark's: Windrow's own are in Python",
    "execute_and_collect": "of a keyed stream it gives the elements, where PyFlink gives rows of key and element",
}

NO_RESTARTS: Final = "a job that fails stays so unless the program names a restart strategy; Flink restarts it for ever"
