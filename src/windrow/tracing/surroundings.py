"""Finds what a function uses besides its arguments: constants, helpers, builtins; nothing that may change unseen.

A function is run with stand-ins not as it is, but with the same code and other surroundings: only what is known to
compute is there. What it has found in variables is noted, and looked at again before every evaluation, so a variable
that somebody assigns later is seen.
"""

from __future__ import annotations

import dis
import inspect
from collections.abc import Callable
from functools import partial
from operator import attrgetter, itemgetter
from types import CellType, FunctionType, MethodType
from typing import Any, NoReturn

from windrow.elements.class_fields import inherits
from windrow.tracing.expressions import is_constant
from windrow.tracing.gate import check_code
from windrow.tracing.outcome import Refused
from windrow.tracing.records import ObjectRecord, field_names
from windrow.tracing.twins import twin_of

_MISSING = object()


class Surroundings:
    """Lists what a function has been found to use.

    Args:
        may_yield: Whether functions may be generators.

    Example:
        >>> offset = 3
        >>> surroundings = Surroundings()
        >>> surroundings.runnable(lambda x: x + offset)(4)
        7
        >>> surroundings.hold()
        True
    """

    def __init__(self, *, may_yield: bool = False) -> None:
        self._may_yield = may_yield
        #: Whether some code asks if a value is None.
        self.asks_for_none = False
        #: Whether some code has a ``%``, which might be the one of text.
        self.may_format = False
        self._found: list[Callable[[], bool]] = []
        self._attributes: dict[tuple[int, str], Any] = {}
        self._made: dict[FunctionType, FunctionType | None] = {}

    def hold(self) -> bool:
        """Tell whether everything is still as it was found."""
        return all(found() for found in self._found)

    def runnable(self, function: Any) -> Callable[..., Any]:
        """The function as it can be run with stand-ins.

        Raises:
            Refused: it uses, or is, something that is not known to compute only.
        """
        made = self._admit(function, getattr(function, "__name__", repr(type(function).__name__)))
        if not callable(made):
            msg = f"is no function, but {type(function).__name__}"
            raise Refused(msg)
        return made  # type: ignore[no-any-return]

    def attribute(self, of: Any, name: str) -> Any:
        """Make what stands for an attribute of a function object."""
        key = id(of), name
        if key not in self._attributes:
            self._attributes[key] = self._attribute(of, name)
        return self._attributes[key]

    def _attribute(self, of: Any, name: str) -> Any:
        kind = type(of)
        values = getattr(of, "__dict__", None)
        if not inherits(kind, "__getattribute__") or type(values) is not dict:
            self._refuse(name, of)
        static = _in_class(kind, name)
        if name in values:
            if hasattr(type(static), "__set__") or hasattr(type(static), "__delete__"):
                self._refuse(name, static)
            value = values[name]
            self._found.append(lambda: values.get(name, _MISSING) is value)
            self._found.append(lambda: _in_class(kind, name) is static)
            return self._admit(value, f"self.{name}")
        self._found.append(lambda: name not in values and _in_class(kind, name) is static)
        if isinstance(static, FunctionType):
            return partial(self._function(static), _Self(self, of))
        return self._admit(static.__func__ if isinstance(static, staticmethod) else static, f"self.{name}")

    def _admit(self, value: Any, name: str) -> Any:
        if value is None or is_constant(value):
            return value
        if type(value) is tuple:
            return tuple([self._admit(item, name) for item in value])
        twin = twin_of(value)
        if twin is not None:
            return twin
        match value:
            case FunctionType():
                return self._function(value)
            case MethodType(__func__=FunctionType() as function):
                return partial(self._function(function), _Self(self, value.__self__))
            case partial():
                inner, arguments, keywords = value.func, value.args, dict(value.keywords)
                self._found.append(lambda: value.keywords == keywords)
                named = {key: self._admit(each, key) for key, each in keywords.items()}
                return partial(self._admit(inner, name), *[self._admit(each, name) for each in arguments], **named)
            case itemgetter() if type(value) is itemgetter:
                if not all(type(item) in (int, str) for item in value.__reduce__()[1]):
                    self._refuse(name, value)
                return value
            case attrgetter() if type(value) is attrgetter:
                if any(part.startswith("_") for path in value.__reduce__()[1] for part in path.split(".")):
                    self._refuse(name, value)
                return value
            case type():
                return _maker(self, value)
        call = _in_class(type(value), "__call__")
        if isinstance(call, FunctionType):
            self._found.append(lambda: _in_class(type(value), "__call__") is call)
            return partial(self._function(call), _Self(self, value))
        return self._refuse(name, value)

    def _function(self, function: FunctionType) -> FunctionType:
        if function in self._made:
            made = self._made[function]
            if made is None:
                msg = f"calls itself ({function.__name__})"
                raise Refused(msg)
            return made
        self._made[function] = None
        code, defaults, names = function.__code__, function.__defaults__, function.__globals__
        traits = check_code(code, may_yield=self._may_yield)
        self.asks_for_none |= traits.asks_for_none
        self.may_format |= traits.may_format
        if function.__kwdefaults__:
            msg = "has keyword arguments with defaults"
            raise Refused(msg)
        self._found.append(lambda: function.__code__ is code and function.__defaults__ is defaults)
        cells = tuple([self._cell(*each) for each in zip(code.co_freevars, function.__closure__ or (), strict=True)])
        around: dict[str, Any] = {"__builtins__": {}}
        for instruction in dis.get_instructions(code):
            if instruction.opname == "LOAD_GLOBAL":
                around[instruction.argval] = self._global(instruction.argval, names, function.__builtins__)  # type: ignore[attr-defined, unused-ignore]
        admitted = None if defaults is None else tuple([self._admit(each, "a default") for each in defaults])
        made = self._made[function] = FunctionType(code, around, function.__name__, admitted, cells)
        return made

    def _global(self, name: str, names: dict[str, Any], builtins: Any) -> Any:
        found = names.get(name, _MISSING)
        self._found.append(lambda: names.get(name, _MISSING) is found)
        if found is not _MISSING:
            return self._admit(found, name)
        builtin = builtins.get(name, _MISSING)
        self._found.append(lambda: builtins.get(name, _MISSING) is builtin)
        return self._admit(builtin, name)

    def _cell(self, name: str, cell: CellType) -> CellType:
        try:
            value = cell.cell_contents
        except ValueError:
            msg = f"uses {name}, which is not assigned yet"
            raise Refused(msg) from None
        self._found.append(lambda: _content(cell) is value)
        return CellType(self._admit(value, name))

    def _refuse(self, name: str, value: Any) -> NoReturn:
        if value is _MISSING:
            msg = f"uses {name}, which is not there"
        else:
            msg = f"uses {name} ({value.__name__ if isinstance(value, type) else type(value).__name__})"
        raise Refused(msg)


class _Self:
    """Stands for the object whose method is traced: its attributes can be read."""

    __slots__ = ("_object", "_surroundings")

    def __init__(self, surroundings: Surroundings, of: Any) -> None:
        self._surroundings = surroundings
        self._object = of

    def __getattr__(self, name: str) -> Any:
        return self._surroundings.attribute(self._object, name)


def _refusing(self: object, *_: object, **__: object) -> NoReturn:
    msg = "does something else with self than to read its attributes"
    raise Refused(msg)


for _name in (
    *("eq", "ne", "lt", "le", "gt", "ge", "hash", "str", "repr", "format", "bool", "len", "iter", "getitem", "call"),
    *("contains", "int", "float", "index", "add", "radd", "mul", "rmul", "mod", "rmod", "and", "rand", "or", "ror"),
):
    setattr(_Self, f"__{_name}__", _refusing)


def _maker(surroundings: Surroundings, kind: type) -> Callable[..., ObjectRecord]:
    """Make what stands for a dataclass."""
    names = field_names(kind)
    signature = inspect.signature(kind)
    init = kind.__init__  # type: ignore[misc]
    surroundings._found.append(lambda: kind.__init__ is init)  # type: ignore[misc]

    def make(*values: Any, **named: Any) -> ObjectRecord:
        bound = signature.bind(*values, **named)
        bound.apply_defaults()
        return ObjectRecord(kind, {name: bound.arguments[name] for name in names})

    return make


def _in_class(kind: type, name: str) -> Any:
    """Find what an object of the class finds in it."""
    return next((vars(each)[name] for each in kind.__mro__ if name in vars(each)), _MISSING)


def _content(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return _MISSING
