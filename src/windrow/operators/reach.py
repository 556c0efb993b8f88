"""Finds functions that get at nothing but their argument: such a one has nowhere to keep an element.

Most lambdas are like that, and what they give needs no look at who holds it. It is found out from the function's code,
once: which globals, variables of enclosing functions, defaults and attributes it uses. Where that does not say it, the
function is one that may keep what it sees.
"""

from __future__ import annotations

import builtins
import dis
import sys
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter, itemgetter
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from windrow.common.types import Row
from windrow.common.unchangeable import ATOMS, never_changes

#: Classes none of whose methods keeps anything outside of its object.
PLAIN = frozenset({Row, list, dict, tuple, set, frozenset, bytearray, *ATOMS})
#: Builtins with which a function gets at what its code does not name.
_FAR = frozenset({"__import__", "breakpoint", "eval", "exec", "globals", "locals", "vars", "setattr", "delattr"})
#: Builtins that do something which others see.
_ACTING = frozenset({"print", "input", "open", "help", "exit", "quit", "delattr", "aiter", "anext", "memoryview"})
#: Modules of the standard library whose functions compute: what one gives depends on its arguments alone, and nobody
#: sees that it was called.
_COMPUTING = frozenset(
    {"base64", "binascii", "bisect", "calendar", "cmath", "collections", "datetime", "decimal", "enum", "fractions"}
    | {"hashlib", "heapq", "html", "itertools", "json", "json.decoder", "json.encoder", "math", "operator", "re"}
    | {"statistics", "string", "struct", "textwrap", "unicodedata", "urllib", "urllib.parse", "zlib", Row.__module__}
)


class Reach:
    """The values that a function of one element can get at.

    Args:
        call: The function, or the method of a function object.

    Example:
        >>> cache = {}
        >>> Reach(lambda row: row.name.upper()).ends_at([Row(name="a")])
        True
        >>> Reach(lambda row: cache.setdefault(row.name, row)).ends_at([Row(name="a")])
        False
    """

    def __init__(self, call: Callable[..., Any]) -> None:
        found = _Findings()
        if isinstance(call, MethodType):
            # Of the object's attributes any may keep something.
            self._ends = found.look_at(call.__func__) and not found.attributes
        else:
            self._ends = found.look_at(call)
        self._attributes = found.attributes
        self._acts = found.acts

    @property
    def asks_objects(self) -> bool:
        """True if it uses attributes, and so may call methods of its argument."""
        return self._attributes

    @property
    def computes(self) -> bool:
        """True if it does nothing but compute something of a value at which it ends.

        Nobody sees then when it is called, beside other such functions. It may not print, or draw a random number.
        """
        return self._ends and not self._acts

    def ends_at(self, values: Sequence[Any]) -> bool:
        """Tell whether a call with one of ``values`` can keep nothing of it, nor give what others hold.

        Methods and properties of the user's own classes might do so.
        """
        return self._ends and (not self._attributes or PLAIN.issuperset(map(type, values)))


class _Findings:
    def __init__(self) -> None:
        self.attributes = False
        #: Whether something is used that may do more than compute.
        self.acts = False
        self._seen: set[CodeType] = set()

    def look_at(self, function: Any) -> bool:
        """Look if it is known to keep nothing, if attributes do not."""
        if isinstance(function, itemgetter):
            return True
        if isinstance(function, attrgetter):
            self.attributes = True
            return True
        if isinstance(function, BuiltinFunctionType):
            self._note(getattr(function.__self__, "__name__", None), function.__name__)
            return isinstance(function.__self__, ModuleType) and function.__name__ not in _FAR
        if isinstance(function, type):
            self._note(function.__module__, function.__name__)
            return _is_of_standard_library(function.__module__) or function is Row
        if not isinstance(function, FunctionType):
            return False
        if function.__code__ in self._seen:
            return True
        self._seen.add(function.__code__)
        defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
        closure = (_content(cell) for cell in function.__closure__ or ())
        return (
            all(map(self._keeps_nothing, defaults))
            and all(map(self._keeps_nothing, closure))
            and all(self._look_at_code(code, function.__globals__) for code in _with_inner(function.__code__))
        )

    def _keeps_nothing(self, value: Any) -> bool:
        if isinstance(value, ModuleType):
            self._note(value.__name__)
            return _is_of_standard_library(value.__name__)
        if callable(value):
            return self.look_at(value)
        return never_changes(value)

    def _look_at_code(self, code: CodeType, names: dict[str, Any]) -> bool:
        instructions = list(dis.get_instructions(code))
        for instruction, following in zip(instructions, [*instructions[1:], None], strict=True):
            operation, name = instruction.opname, instruction.argval
            if operation in ("STORE_GLOBAL", "DELETE_GLOBAL", "LOAD_NAME", "LOAD_BUILD_CLASS"):
                return False
            if operation == "STORE_DEREF" and name in code.co_freevars:
                return False
            if operation == "IMPORT_NAME":
                if not _is_of_standard_library(name):
                    return False
                self._note(name)
            if operation == "LOAD_GLOBAL" and not self._is_global_harmless(name, names, following):
                return False
            if "ATTR" in operation or operation == "LOAD_METHOD":
                self.attributes = True
        return True

    def _is_global_harmless(self, name: str, names: dict[str, Any], following: dis.Instruction | None) -> bool:
        if name not in names:
            self._note("builtins", name)
            return hasattr(builtins, name) and name not in _FAR
        if isinstance(names[name], FunctionType) and following is not None:
            # It is called, and not used as a place to put something.
            used = following.opname
            if "ATTR" in used or "STORE" in used or used == "LOAD_METHOD":
                return False
        return self._keeps_nothing(names[name])

    def _note(self, module: str | None, name: str = "") -> None:
        """Something of a module is used."""
        self.acts |= name in _ACTING if module == "builtins" else (module or "").strip("_") not in _COMPUTING


def _with_inner(code: CodeType) -> Iterator[CodeType]:
    """The code, and that of functions and comprehensions in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _with_inner(constant)


def _content(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not assigned yet
        return []


def _is_of_standard_library(module: str | None) -> bool:
    return (module or "").partition(".")[0] in sys.stdlib_module_names
