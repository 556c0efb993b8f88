"""Functions of elements, written by hypothesis: expressions, branches and locals over fields of given types."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st

KINDS = {"int": pa.int64(), "float": pa.float64(), "bool": pa.bool_(), "str": pa.string()}

_EDGES = [0, 1, -1, 2, 7, -7, 63, 64, 2**31, 2**53, 2**53 + 1, -(2**53) - 1, 2**62, 2**63 - 1, -(2**63), 2**63 - 2]
INTS = st.one_of(st.integers(-20, 20), st.sampled_from(_EDGES), st.integers(-(2**63), 2**63 - 1))
SMALL_INTS = st.integers(-20, 20)
_FLOAT_EDGES = [0.0, -0.0, 1.0, -1.5, 2.5, 0.5, math.inf, -math.inf, math.nan, 2.0**53, 2.0**63, 1e308, 5e-324]
FLOATS = st.one_of(st.sampled_from(_FLOAT_EDGES), st.floats())
TEXTS = st.one_of(
    st.sampled_from(["", "a", "A", " a ", "ab", "ß", "\x1ca", "aA\u0130", "é", "\U0001f600"]), st.text(max_size=5)
)


def values(kind: str, wide: bool, nullable: bool = False) -> st.SearchStrategy[Any]:
    """Values of a field."""
    numbers = INTS if wide else SMALL_INTS
    found = {"int": numbers, "float": FLOATS, "bool": st.booleans(), "str": TEXTS}[kind]
    return st.one_of(found, found, found, st.none()) if nullable else found


@st.composite
def expressions(draw: st.DrawFn, fields: tuple[str, ...], kind: str, depth: int = 3) -> str:
    """The source of an expression of a kind over the tuple ``e`` with fields of the given kinds."""

    def sub(of: str) -> str:
        return draw(expressions(fields, of, depth - 1))

    matching = [f"e[{index}]" for index, each in enumerate(fields) if each == kind]
    constants = {
        "int": ["0", "1", "-3", "7", "10000", "64", str(2**62), "255"],
        "float": ["0.0", "-0.0", "1.5", "-2.5", "1e300", "inf"],
        "bool": ["True", "False"],
        "str": ["'a'", "''", "'ß'", "' x '"],
    }[kind]
    if depth <= 0 or draw(st.integers(0, 9)) == 0:
        return draw(st.sampled_from(matching + matching + matching + constants))
    a_number = draw(st.sampled_from(["int", "int", "float", "bool"]))
    forms = {
        "int": [
            lambda: f"({sub('int')} {draw(st.sampled_from(['+', '-', '*', '//', '%', '&', '|', '^']))} {sub('int')})",
            lambda: f"({sub('int')} {draw(st.sampled_from(['+', '-', '*', '//', '%']))} {sub('bool')})",
            lambda: f"({sub('int')} {draw(_SHIFTS)} {draw(st.sampled_from(['1', '3', '70', sub('int')]))})",
            lambda: f"({draw(st.sampled_from(['-', '~', '+']))}{sub('int')})",
            lambda: f"abs({sub('int')})",
            lambda: f"({sub('int')} ** {draw(st.integers(1, 4))})",
            lambda: f"{draw(st.sampled_from(['min', 'max']))}({sub('int')}, {sub('int')})",
            lambda: f"({sub('int')} {draw(st.sampled_from(['and', 'or']))} {sub('int')})",
            lambda: f"{draw(st.sampled_from(['int', 'round', 'math.floor', 'math.ceil']))}({sub('float')})",
            lambda: f"({sub('bool')} + {sub('bool')})",
            lambda: f"len({sub('str')})",
            lambda: f"divmod({sub('int')}, {sub('int')})[{draw(st.integers(0, 1))}]",
            lambda: f"((y := {sub('int')}) * y)",
            lambda: f"sum(({sub('int')}, {sub('int')}))",
        ],
        "float": [
            lambda: f"({sub('float')} {draw(st.sampled_from(['+', '-', '*', '/', '//', '%']))} {sub('float')})",
            lambda: f"({sub('float')} {draw(st.sampled_from(['+', '-', '*', '/', '//', '%']))} {sub('int')})",
            lambda: f"({sub('int')} {draw(st.sampled_from(['+', '-', '*', '/', '//', '%']))} {sub('float')})",
            lambda: f"({sub('int')} / {sub('int')})",
            lambda: f"({draw(st.sampled_from(['-', '+']))}{sub('float')})",
            lambda: f"abs({sub('float')})",
            lambda: f"float({sub(a_number)})",
            lambda: f"math.sqrt({sub(a_number)})",
            lambda: f"{draw(st.sampled_from(['min', 'max']))}({sub('float')}, {sub('float')})",
            lambda: f"({sub('float')} {draw(st.sampled_from(['and', 'or']))} {sub('float')})",
        ],
        "bool": [
            lambda: f"({sub(a_number)} {draw(_COMPARISONS)} {sub(draw(st.sampled_from(['int', 'float'])))})",
            lambda: f"({sub('int')} {draw(_COMPARISONS)} {sub('int')} {draw(_COMPARISONS)} {sub('int')})",
            lambda: f"({sub('str')} {draw(_COMPARISONS)} {sub('str')})",
            lambda: f"(not {sub(draw(st.sampled_from(list(KINDS))))})",
            lambda: f"bool({sub(draw(st.sampled_from(list(KINDS))))})",
            lambda: f"({sub('bool')} {draw(st.sampled_from(['and', 'or', '&', '|', '^']))} {sub('bool')})",
            lambda: f"({sub('int')} in (1, 7, {draw(st.integers(-3, 3))}))",
            lambda: f"({sub('str')}).startswith({draw(st.sampled_from(_PARTS))})",
            lambda: f"({sub('str')}).endswith({draw(st.sampled_from(_PARTS))})",
            lambda: f"({draw(st.sampled_from(_PARTS))} in {sub('str')})",
            lambda: f"(({sub('int')}, {sub('int')}) {draw(_COMPARISONS)} ({sub('int')}, 3))",
        ],
        "str": [
            lambda: f"({sub('str')} + {sub('str')})",
            lambda: f"({sub('str')}).{draw(st.sampled_from(['upper', 'lower', 'strip']))}()",
            lambda: f"({sub('str')})[{draw(st.integers(0, 2))}]",
            lambda: f"({sub('str')})[{draw(st.integers(0, 2))}:{draw(st.sampled_from(['', '0', '2', '4']))}]",
            lambda: f"({sub('str')}).replace({draw(st.sampled_from(_PARTS))}, 'zz')",
            lambda: f"str({sub('int')})",
            lambda: f"max({sub('str')}, {sub('str')})",
        ],
    }[kind]
    conditional = f"({{}} if {sub(draw(st.sampled_from(list(KINDS))))} else {{}})"
    if draw(st.integers(0, 4)) == 0:
        return conditional.format(sub(kind), sub(kind))
    return draw(st.sampled_from(forms))()


_COMPARISONS = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])
_SHIFTS = st.sampled_from(["<<", ">>"])
_PARTS = ["'a'", "'ab'", "'ß'", "' '"]


@st.composite
def bodies(draw: st.DrawFn, fields: tuple[str, ...]) -> str:
    """The source of a function ``f`` of ``e`` with locals and branches, which gives a tuple."""
    lines = ["def f(e):"]
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(list(KINDS)))
        one, other = draw(expressions(fields, kind, 2)), draw(expressions(fields, kind, 2))
        match draw(st.sampled_from(["assign", "branch", "early", "extend"])):
            case "assign":
                lines += [f"    e = (*e, {one})"]
                fields = (*fields, kind)
            case "branch":
                lines += [f"    if {draw(expressions(fields, 'bool', 2))}:", f"        x = {one}", "    else:"]
                lines += [f"        x = {other}", "    e = (*e, x)"]
                fields = (*fields, kind)
            case "early":
                lines += [f"    if not {draw(expressions(fields, kind, 2))}:", "        return helped(e[0], e[0]),"]
            case "extend":
                lines += [f"    {one}", f"    e = e + ({other},)"]
                fields = (*fields, kind)
    return "\n".join([*lines, f"    return helped(e[-1], {draw(expressions(fields, fields[-1], 2))}),"])


def helped(first: Any, second: Any) -> Any:
    """A helper of the functions."""
    return first if first == second else second


def compiled_body(source: str) -> Callable[..., Any]:
    """The function that the source defines."""
    names: dict[str, Any] = {"math": math, "inf": math.inf, "helped": helped}
    exec(source, names)
    function: Callable[..., Any] = names["f"]
    return function


def compiled(source: str) -> Callable[..., Any]:
    """The function of an element ``e`` that gives what the source says."""
    function: Callable[..., Any] = eval(f"lambda e: {source}", {"math": math, "inf": math.inf})
    return function
