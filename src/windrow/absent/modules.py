"""Modules of PyFlink that Windrow does not have: importing one says why, and what works instead."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Final

_MACHINERY = "it is a part of PyFlink's own machinery, between Python and Java"
_TABLE = "of the Table API there is SQL, and the verbs of Table with windrow.table.expressions"

#: What is below windrow.table and no list of names has; Windrow has modules of its own there.
_ABSENT_OF_TABLE: Final = ("functions", "serializers", "utils")

#: By the beginning of a module's name: the longest that fits counts.
BELOW: Final[Mapping[str, str]] = {
    "windrow.bin": _MACHINERY,
    "windrow.common.constants": _MACHINERY,
    "windrow.common.utils": _MACHINERY,
    "windrow.datastream.utils": _MACHINERY,
    "windrow.examples": "PyFlink's examples run with their imports changed; Windrow's own are in its folder examples",
    "windrow.find_flink_home": _MACHINERY,
    "windrow.fn_execution": _MACHINERY,
    "windrow.gen_protos": _MACHINERY,
    "windrow.java_gateway": "there is no Java behind Windrow's objects",
    "windrow.pyflink_callback_server": _MACHINERY,
    "windrow.pyflink_gateway_server": _MACHINERY,
    "windrow.serializers": "elements and state are pickled",
    "windrow.shell": "any Python shell or notebook does: windrow.runtime = 'local' needs no cluster",
    **{f"windrow.table.{name}": _TABLE for name in _ABSENT_OF_TABLE},
    "windrow.testing.source_sink_utils": "windrow.testing has harnesses for operators and readers",
    "windrow.testing.test_case_utils": "windrow.testing has harnesses for operators and readers",
    "windrow.util": _MACHINERY,
    "windrow.version": "windrow.__version__ says it",
}


def reason_for_module(name: str) -> str | None:
    """Say why there is no such module; None if PyFlink has none of the name either, as far as is known.

    Example:
        >>> reason_for_module("windrow.java_gateway")
        "there is no Java behind Windrow's objects"
        >>> reason_for_module("windrow.datastreams")
    """
    from windrow.absent.names import MODULES

    if name in MODULES:
        return MODULES[name]
    parts = name.split(".")
    beginnings = (".".join(parts[:count]) for count in range(len(parts), 1, -1))
    return next((BELOW[beginning] for beginning in beginnings if beginning in BELOW), None)


class AbsentModules(MetaPathFinder):
    """Asked last for a module that nobody has found: explains it, if it is one of PyFlink's."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith("windrow."):
            return None
        reason = reason_for_module(fullname)
        if reason is None:
            return None
        # No ModuleNotFoundError: "from package import module" would drop its message.
        msg = f"{fullname} is deliberately not here: {reason}"
        raise ImportError(msg, name=fullname)


def explain_absent_modules() -> None:
    """Let imports of absent modules say why; called by ``import windrow``."""
    if not any(type(finder).__name__ == AbsentModules.__name__ for finder in sys.meta_path):
        sys.meta_path.append(AbsentModules())
