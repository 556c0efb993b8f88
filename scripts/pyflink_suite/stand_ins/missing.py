"""Names that Windrow does not have, and those of libraries that are not installed."""

from __future__ import annotations

from typing import Any, NoReturn


def missing(name: str) -> Any:
    """Something that raises whatever is done with it."""

    class Missing(type):
        def __call__(cls, *arguments: Any, **named: Any) -> NoReturn:
            raise ImportError(_said(name))

        def __getattr__(cls, attribute: str) -> NoReturn:
            if attribute.startswith("__"):
                raise AttributeError(attribute)
            raise ImportError(_said(name))

    return Missing(name.rpartition(".")[2], (), {})


def _said(name: str) -> str:
    return f"Windrow has no {name}" if name.startswith("pyflink") else f"{name} is not installed"
