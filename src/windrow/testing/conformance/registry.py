"""Finds the function that plays the cases of a kind."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeAlias

from windrow.testing.conformance.failure import ConformanceFailure

#: Plays one case; raises :class:`ConformanceFailure` if it does not hold.
CaseHandler: TypeAlias = Callable[[dict[str, Any]], None]

#: The modules whose functions are marked with :func:`handles`.
_MODULES = (
    "assigner_kind",
    "time_window_kind",
    "trigger_kind",
    "merging_window_set_kind",
    "window_kinds",
    "interval_join_kind",
    "contract_kind",
    "watermark_kind",
)

_handlers: dict[str, CaseHandler] = {}


def handles(*kinds: str) -> Callable[[CaseHandler], CaseHandler]:
    """Mark the function that plays the cases of ``kinds``."""

    def register(handler: CaseHandler) -> CaseHandler:
        _handlers.update(dict.fromkeys(kinds, handler))
        return handler

    return register


def handler_of(kind: str) -> CaseHandler:
    """The function that plays the cases of ``kind``.

    Raises:
        ConformanceFailure: nothing plays them.
    """
    for name in _MODULES:
        import_module(f"{__package__}.{name}")
    if kind not in _handlers:
        msg = f"cases of kind {kind!r} are not known here"
        raise ConformanceFailure(msg)
    return _handlers[kind]


def play(case: dict[str, Any]) -> None:
    """Play one case in this process.

    Raises:
        ConformanceFailure: it does not hold, or its kind is not known.
    """
    handler_of(case["operator"]["kind"])(case)
