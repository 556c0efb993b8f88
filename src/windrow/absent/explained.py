"""Errors that say why a name of Flink's is not here, where Python would only say that it is not."""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn

from windrow.absent.methods import METHODS
from windrow.absent.names import NAMES
from windrow.absent.steps import STEPS

_IMPORT_FROM = dis.opmap["IMPORT_FROM"]


def reason_for(cls: type, method: str) -> str | None:
    """Say why a class does not have a method of Flink's; None if it is none.

    Example:
        >>> from windrow.datastream.data_stream import KeyedStream
        >>> reason_for(KeyedStream, "returns")
        "it serves Java's type erasure; output_type says what an operator gives"
        >>> reason_for(KeyedStream, "retruns")
    """
    return _said(METHODS, cls, method)


def _said(table: Mapping[str, Mapping[str, str]], cls: type, method: str) -> str | None:
    said = (table.get(base.__name__, {}).get(method) for base in cls.__mro__)
    return next((text for text in said if text is not None), None)


class ExplainsAbsentMethods:
    """Base of public classes: asked for a method that is deliberately left out, they say why.

    Asked for one of an earlier or later step, they say which call is missing. ``hasattr`` stays false.

    Example:
        >>> from windrow.datastream import StreamExecutionEnvironment
        >>> env = StreamExecutionEnvironment.get_execution_environment()
        >>> env.get_stream_graph()
        Traceback (most recent call last):
        ...
        AttributeError: StreamExecutionEnvironment.get_stream_graph is deliberately not here: get_execution_plan() \
shows the graph
    """

    if not TYPE_CHECKING:  # a type checker would take every name for one that is there

        def __getattr__(self, name: str) -> NoReturn:
            reason = reason_for(type(self), name)
            if reason is None:
                step = _said(STEPS, type(self), name)
                msg = f"{type(self).__name__!r} object has no attribute {name!r}{'' if step is None else f': {step}'}"
            else:
                msg = f"{type(self).__name__}.{name} is deliberately not here: {reason}"
            raise AttributeError(msg, name=name, obj=self)


def module_getattr(
    module: str, elsewhere: Mapping[str, str] = MappingProxyType({}), *, otherwise: str | None = None
) -> Callable[[str], Any]:
    """A ``__getattr__`` for a module, which says why names of PyFlink's are not in it.

    Python forgets the message of an ``AttributeError`` in ``from module import name``, so there the name is an
    ``ImportError``.

    Args:
        module: The module's name.
        elsewhere: The modules of names that are brought in when they are first asked for.
        otherwise: Why the module has none of the other names, where PyFlink's has many of them.
    """

    def __getattr__(name: str) -> Any:  # noqa: N807
        if name not in elsewhere:
            general = None if name.startswith("_") else otherwise
            raise absent_name(module, name, importing=is_import(sys._getframe(1)), otherwise=general)
        value = getattr(import_module(elsewhere[name]), name)
        setattr(sys.modules[module], name, value)
        return value

    return __getattr__


def absent_name(module: str, name: str, *, importing: bool, otherwise: str | None = None) -> Exception:
    """The error for a name that is not in a module."""
    reason = NAMES.get(module, {}).get(name, otherwise)
    if reason is None:
        msg = f"module {module!r} has no attribute {name!r}"
        return AttributeError(msg, name=name)
    msg = f"{module}.{name} is deliberately not here: {reason}"
    return ImportError(msg, name=module) if importing else AttributeError(msg, name=name)


def is_import(frame: Any) -> bool:
    """Tell whether the frame executes ``from module import name``."""
    instruction: int = frame.f_code.co_code[frame.f_lasti]
    return instruction == _IMPORT_FROM
