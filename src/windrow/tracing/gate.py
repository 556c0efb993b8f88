"""Lets code pass that does nothing but compute when it runs with stand-ins.

Only the names of its instructions are looked at: what is not known to be harmless is refused, so an instruction of a
later Python costs a trace and never a wrong result.
"""

from __future__ import annotations

import dis
from types import CodeType
from typing import NamedTuple

from windrow.tracing.outcome import Refused

#: Instructions that compute, look up, jump forward, and store in local variables. No loops, no inner functions, no
#: ``try``, no import, no text made of values.
_HARMLESS = frozenset(
    {
        *("RESUME", "NOP", "CACHE", "EXTENDED_ARG", "PRECALL", "PUSH_NULL", "COPY_FREE_VARS", "NOT_TAKEN"),
        *("LOAD_CONST", "LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_FAST_LOAD_FAST", "LOAD_GLOBAL", "LOAD_DEREF"),
        *("LOAD_SMALL_INT", "LOAD_FAST_BORROW", "LOAD_FAST_BORROW_LOAD_FAST_BORROW", "LOAD_COMMON_CONSTANT"),
        *("STORE_FAST", "STORE_FAST_STORE_FAST", "STORE_FAST_LOAD_FAST", "DELETE_FAST", "POP_TOP", "COPY", "SWAP"),
        *("UNARY_NEGATIVE", "UNARY_NOT", "UNARY_INVERT", "UNARY_POSITIVE", "TO_BOOL", "BINARY_OP", "COMPARE_OP"),
        *("CONTAINS_OP", "IS_OP", "BINARY_SUBSCR", "BINARY_SLICE", "BUILD_SLICE", "BUILD_TUPLE", "BUILD_LIST"),
        *("LIST_APPEND", "LIST_EXTEND", "LIST_TO_TUPLE", "CALL_INTRINSIC_1", "UNPACK_SEQUENCE", "UNPACK_EX"),
        *("LOAD_ATTR", "LOAD_METHOD", "CALL", "CALL_KW", "KW_NAMES", "RETURN_VALUE", "RETURN_CONST"),
        *("POP_JUMP_FORWARD_IF_TRUE", "POP_JUMP_FORWARD_IF_FALSE", "POP_JUMP_IF_TRUE", "POP_JUMP_IF_FALSE"),
        *("POP_JUMP_FORWARD_IF_NONE", "POP_JUMP_FORWARD_IF_NOT_NONE", "POP_JUMP_IF_NONE", "POP_JUMP_IF_NOT_NONE"),
        *("JUMP_IF_TRUE_OR_POP", "JUMP_IF_FALSE_OR_POP", "JUMP_FORWARD", "LOAD_ASSERTION_ERROR", "RAISE_VARARGS"),
    }
)
#: Words for what is refused most.
_WORDS = {
    "GET_ITER": "a loop",
    "FORMAT_VALUE": "an f-string",
    "FORMAT_SIMPLE": "an f-string",
    "FORMAT_WITH_SPEC": "an f-string",
    "MAKE_FUNCTION": "an inner function",
    "STORE_GLOBAL": "an assignment of a global variable",
    "STORE_DEREF": "an assignment of an enclosing function's variable",
    "STORE_ATTR": "an assignment of an attribute",
    "STORE_SUBSCR": "an assignment of an item",
    "BUILD_MAP": "a dict",
    "BUILD_SET": "a set",
    "IMPORT_NAME": "an import",
}
#: What a generator's code has besides: since Python 3.12 all of it is in a ``try`` of the compiler's own.
_OF_GENERATORS = frozenset({"RETURN_GENERATOR", "YIELD_VALUE", "RERAISE"})
#: What a ``for`` has besides: what gives results may be given several elements, in a tuple.
_OF_LOOPS = frozenset(
    {
        *("GET_ITER", "FOR_ITER", "END_FOR", "POP_ITER", "JUMP_BACKWARD", "POP_JUMP_BACKWARD_IF_TRUE"),
        *("POP_JUMP_BACKWARD_IF_FALSE", "POP_JUMP_BACKWARD_IF_NONE", "POP_JUMP_BACKWARD_IF_NOT_NONE"),
    }
)
_INTRINSICS = frozenset({"INTRINSIC_LIST_TO_TUPLE", "INTRINSIC_UNARY_POSITIVE"})
_INTRINSIC_OF_GENERATORS = "INTRINSIC_STOPITERATION_ERROR"
#: Kinds of functions that give something else than a result: generators, coroutines, async generators.
_NO_PLAIN_FUNCTION = 0x20 | 0x80 | 0x100 | 0x200
_GENERATOR = 0x20


class Traits(NamedTuple):
    """Describes code as far as a trace has to know it.

    Args:
        asks_for_none: It asks if something is None, which no stand-in hears.
        may_format: It has a ``%``, which formats where its left side is text.
    """

    asks_for_none: bool
    may_format: bool


def check_code(code: CodeType, *, may_yield: bool = False) -> Traits:
    """Check that code only computes.

    Args:
        code: A function's.
        may_yield: Whether it may be a generator's, and have ``for`` loops: stand-ins refuse to be gone through, so
            these end with a tuple of them.

    Raises:
        Refused: it contains something that is not known to be harmless.

    Example:
        >>> check_code((lambda x: (y := x + 1) * y).__code__)
        Traits(asks_for_none=False, may_format=False)
        >>> check_code((lambda x, seen: seen.setdefault(x, [x for _ in x])).__code__)
        Traceback (most recent call last):
        ...
        windrow.tracing.outcome.Refused: ...
    """
    yields = may_yield and code.co_flags & _NO_PLAIN_FUNCTION == _GENERATOR
    if code.co_flags & _NO_PLAIN_FUNCTION and not yields:
        msg = "is a generator or async"
        raise Refused(msg)
    # A ``try`` or ``with`` in a generator has instructions that are not harmless.
    if code.co_exceptiontable and not yields:
        msg = "has a try or a with"
        raise Refused(msg)
    before: dis.Instruction | None = None
    asks_for_none = may_format = False
    loops = {each.offset for each in dis.get_instructions(code) if may_yield and each.opname == "FOR_ITER"}
    for instruction in dis.get_instructions(code):
        name = instruction.opname
        if name in ("CACHE", "EXTENDED_ARG"):
            continue
        is_known = name in _HARMLESS or (yields and name in _OF_GENERATORS) or (may_yield and name in _OF_LOOPS)
        if not is_known:
            msg = f"contains {_WORDS.get(name, name)}"
            raise Refused(msg)
        if name in ("LOAD_ATTR", "LOAD_METHOD") and str(instruction.argval).startswith("_"):
            msg = f"uses the attribute {instruction.argval}"
            raise Refused(msg)
        if (
            name == "CALL_INTRINSIC_1"
            and instruction.argrepr not in _INTRINSICS
            and not (yields and instruction.argrepr == _INTRINSIC_OF_GENERATORS)
        ):
            msg = f"contains {instruction.argrepr}"
            raise Refused(msg)
        goes_back = "JUMP" in name and isinstance(instruction.argval, int) and instruction.argval <= instruction.offset
        if goes_back and instruction.argval not in loops:
            msg = "contains a loop"
            raise Refused(msg)
        if name == "IS_OP" and not (before is not None and before.opname == "LOAD_CONST" and before.argval is None):
            msg = "asks whether two values are the same object"
            raise Refused(msg)
        asks_for_none = asks_for_none or name == "IS_OP" or name.endswith("NONE")
        may_format = may_format or (name == "BINARY_OP" and instruction.argrepr in ("%", "%="))
        before = instruction
    return Traits(asks_for_none, may_format)
