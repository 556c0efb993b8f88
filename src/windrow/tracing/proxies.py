"""Stand-ins for an element's values: they record what a function does with them, and refuse what columns cannot do.

Each operation gives a new stand-in, as each operation of Python's gives a new object; what gives the same object in
Python (``+x`` of a float, ``min``, ``and``) gives the same stand-in. What is not recorded ends the trace, whoever asks
for it: ``hash``, ``str``, an index, iteration.
"""

from __future__ import annotations

from typing import Any, NoReturn

from windrow.tracing.expressions import Expression, Kind, Operand, is_constant, kind_of
from windrow.tracing.recorder import Recorder

#: What no stand-in can do, and Python would do in its own way if it were not refused.
_REFUSED = (
    *("hash", "str", "repr", "format", "bytes", "int", "float", "complex", "index", "len", "iter", "reversed"),
    *("call", "contains", "lt", "le", "gt", "ge", "eq", "ne", "bool", "round", "trunc", "floor", "ceil"),
    *("neg", "pos", "abs", "invert", "enter", "exit", "next", "await", "aiter", "anext", "length_hint", "fspath"),
    *("setitem", "delitem", "reduce", "reduce_ex", "copy", "deepcopy", "sizeof", "dir"),
    *(side + name for side in ("", "r") for name in ("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod")),
    *(side + name for side in ("", "r") for name in ("pow", "lshift", "rshift", "and", "or", "xor", "divmod")),
)


def refuse(recorder: Recorder, kind: Kind, what: str) -> NoReturn:
    """End the trace because of something done to a value of the kind."""
    name = {Kind.OTHER: "a value that is neither number nor text", Kind.STR: "text"}
    recorder.refuse(f"does {what} with {name.get(kind, kind.value)}")


class Proxy:
    """Base of all stand-ins: refuses everything."""

    __slots__ = ("_expression", "_recorder")

    def __init__(self, recorder: Recorder, expression: Expression) -> None:
        object.__setattr__(self, "_recorder", recorder)
        object.__setattr__(self, "_expression", expression)

    def __getattr__(self, name: str) -> NoReturn:
        refuse(self._recorder, self._expression.kind, f".{name}")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        refuse(self._recorder, self._expression.kind, f".{name} =")

    def __delattr__(self, name: str) -> NoReturn:
        refuse(self._recorder, self._expression.kind, f"del .{name}")

    def _used(self) -> Proxy:
        """Itself, for what gives a value as it is, but would raise or give something else for None."""
        self._recorder.graph.touch(self._expression)
        return self


def _refusing(name: str) -> Any:
    def refusing(self: Proxy, *_: object, **__: object) -> NoReturn:
        refuse(self._recorder, self._expression.kind, name)

    refusing.__name__ = name
    return refusing


for _name in _REFUSED:
    setattr(Proxy, f"__{_name}__", _refusing(f"__{_name}__"))


def proxy_of(recorder: Recorder, expression: Expression) -> Proxy:
    """The stand-in for an expression's value."""
    if expression.kind is Kind.STR and recorder.may_format:
        return TextProxy(recorder, expression)
    return _PROXIES[expression.kind](recorder, expression)


def operand_of(value: Any) -> Operand | None:
    """The expression or constant that a value in a traced function is; None for anything else."""
    if isinstance(value, Proxy):
        return value._expression
    if is_constant(value):
        constant: Operand = value
        return constant
    return None


class _Comparable(Proxy):
    __slots__ = ()

    def _compare(self, operation: str, other: Any) -> Proxy:
        raise NotImplementedError

    def __eq__(self, other: object) -> Any:
        return self._compare("equal", other)

    def __ne__(self, other: object) -> Any:
        return self._compare("not_equal", other)

    def __lt__(self, other: Any) -> Any:
        return self._compare("less", other)

    def __le__(self, other: Any) -> Any:
        return self._compare("less_equal", other)

    def __gt__(self, other: Any) -> Any:
        return self._compare("greater", other)

    def __ge__(self, other: Any) -> Any:
        return self._compare("greater_equal", other)

    __hash__ = Proxy.__hash__


class NumberProxy(_Comparable):
    """Stands for an int, a float or a bool."""

    __slots__ = ()

    def _compare(self, operation: str, other: Any) -> Proxy:
        left, right = self._numbers(operation, self, other)
        kinds = kind_of(left), kind_of(right)
        if kinds == (Kind.BOOL, Kind.BOOL) or Kind.FLOAT not in kinds:
            left, right = self._int(left), self._int(right)
        else:
            left, right = self._exact_float(left), self._exact_float(right)
        return self._made(operation, Kind.BOOL, left, right)

    def _numbers(self, operation: str, left: Any, right: Any) -> tuple[Operand, Operand]:
        operands = operand_of(left), operand_of(right)
        for operand in operands:
            if operand is None or kind_of(operand) not in (Kind.INT, Kind.FLOAT, Kind.BOOL):
                refuse(self._recorder, self._expression.kind, f"{operation} with something that is no number")
        return operands  # type: ignore[return-value]

    def _made(self, operation: str, kind: Kind, *operands: Operand) -> Proxy:
        return proxy_of(self._recorder, self._recorder.apply(operation, kind, *operands))

    def _int(self, operand: Operand) -> Operand:
        if kind_of(operand) is not Kind.BOOL:
            return operand
        if isinstance(operand, Expression):
            return self._recorder.apply("int_of_bool", Kind.INT, operand)
        return int(operand)

    def _float(self, operand: Operand) -> Operand:
        if kind_of(operand) is Kind.FLOAT:
            return operand
        operand = self._int(operand)
        if isinstance(operand, Expression):
            return self._recorder.apply("float_of_int", Kind.FLOAT, operand)
        return float(operand)

    def _exact_float(self, operand: Operand) -> Operand:
        """The operand as a float that compares as it does: Python compares int and float without rounding."""
        if kind_of(operand) is Kind.FLOAT:
            return operand
        operand = self._int(operand)
        if isinstance(operand, Expression):
            return self._recorder.apply("exact_float_of_int", Kind.FLOAT, operand)
        if int(float(operand)) != operand:
            refuse(self._recorder, Kind.FLOAT, f"a comparison with {operand}, which is no float,")
        return float(operand)

    def _arithmetic(self, ints: str, floats: str, left: Any, right: Any) -> Proxy:
        first, second = self._numbers(ints, left, right)
        if Kind.FLOAT in (kind_of(first), kind_of(second)):
            return self._made(floats, Kind.FLOAT, self._float(first), self._float(second))
        kind = Kind.FLOAT if ints == "true_divide" else Kind.INT
        return self._made(ints, kind, self._int(first), self._int(second))

    def _of_bits(self, of_ints: str, of_bools: str | None, left: Any, right: Any) -> Proxy:
        first, second = self._numbers(of_ints, left, right)
        kinds = kind_of(first), kind_of(second)
        if Kind.FLOAT in kinds:
            refuse(self._recorder, Kind.FLOAT, of_ints)
        if of_bools is not None and kinds == (Kind.BOOL, Kind.BOOL):
            return self._made(of_bools, Kind.BOOL, first, second)
        return self._made(of_ints, Kind.INT, self._int(first), self._int(second))

    def __add__(self, other: Any) -> Any:
        return self._arithmetic("add", "float_add", self, other)

    def __radd__(self, other: Any) -> Any:
        return self._arithmetic("add", "float_add", other, self)

    def __sub__(self, other: Any) -> Any:
        return self._arithmetic("subtract", "float_subtract", self, other)

    def __rsub__(self, other: Any) -> Any:
        return self._arithmetic("subtract", "float_subtract", other, self)

    def __mul__(self, other: Any) -> Any:
        return self._arithmetic("multiply", "float_multiply", self, other)

    def __rmul__(self, other: Any) -> Any:
        return self._arithmetic("multiply", "float_multiply", other, self)

    def __truediv__(self, other: Any) -> Any:
        return self._arithmetic("true_divide", "float_divide", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return self._arithmetic("true_divide", "float_divide", other, self)

    def __floordiv__(self, other: Any) -> Any:
        return self._arithmetic("floor_divide", "float_floor_divide", self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._arithmetic("floor_divide", "float_floor_divide", other, self)

    def __mod__(self, other: Any) -> Any:
        return self._arithmetic("modulo", "float_modulo", self, other)

    def __rmod__(self, other: Any) -> Any:
        return self._arithmetic("modulo", "float_modulo", other, self)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __pow__(self, other: Any, modulus: Any = None) -> Any:
        is_power = modulus is None and type(other) is int and 1 <= other <= 16
        if not is_power or self._expression.kind is Kind.FLOAT:
            refuse(self._recorder, self._expression.kind, "** other than of an int to a power from 1 to 16")
        self._used()
        power = self._int(self._expression)
        result = power
        for _ in range(other - 1):
            result = self._recorder.apply("multiply", Kind.INT, result, power)
        # A new object, as Python makes one.
        return proxy_of(self._recorder, result)

    def __lshift__(self, other: Any) -> Any:
        return self._of_bits("shift_left", None, self, other)

    def __rlshift__(self, other: Any) -> Any:
        return self._of_bits("shift_left", None, other, self)

    def __rshift__(self, other: Any) -> Any:
        return self._of_bits("shift_right", None, self, other)

    def __rrshift__(self, other: Any) -> Any:
        return self._of_bits("shift_right", None, other, self)

    def __and__(self, other: Any) -> Any:
        return self._of_bits("bit_and", "and", self, other)

    def __rand__(self, other: Any) -> Any:
        return self._of_bits("bit_and", "and", other, self)

    def __or__(self, other: Any) -> Any:
        return self._of_bits("bit_or", "or", self, other)

    def __ror__(self, other: Any) -> Any:
        return self._of_bits("bit_or", "or", other, self)

    def __xor__(self, other: Any) -> Any:
        return self._of_bits("bit_xor", "xor", self, other)

    def __rxor__(self, other: Any) -> Any:
        return self._of_bits("bit_xor", "xor", other, self)

    def __neg__(self) -> Any:
        if self._expression.kind is Kind.FLOAT:
            return self._made("float_negative", Kind.FLOAT, self._expression)
        return self._made("negative", Kind.INT, self._int(self._expression))

    def __pos__(self) -> Any:
        return self._used() if self._expression.kind is not Kind.BOOL else proxy_of(self._recorder, self._whole())

    def __abs__(self) -> Any:
        if self._expression.kind is Kind.FLOAT:
            return self._made("float_absolute", Kind.FLOAT, self._expression)
        return self._made("absolute", Kind.INT, self._int(self._expression))

    def __invert__(self) -> Any:
        if self._expression.kind is not Kind.INT:  # of a bool it is deprecated, and warns
            refuse(self._recorder, self._expression.kind, "~")
        return self._made("invert", Kind.INT, self._expression)

    def __bool__(self) -> bool:
        return self._recorder.ask(self._truth()._expression)

    def __trunc__(self) -> Any:
        return self._as_int()

    def __floor__(self) -> Any:
        return self._rounded("floor")

    def __ceil__(self) -> Any:
        return self._rounded("ceil")

    def __round__(self, digits: Any = None) -> Any:
        if digits is not None:
            refuse(self._recorder, self._expression.kind, "round to digits")
        return self._rounded("round_float")

    def _rounded(self, operation: str) -> Proxy:
        if self._expression.kind is Kind.FLOAT:
            return self._made(operation, Kind.INT, self._expression)
        return self._as_int()

    def _truth(self) -> Proxy:
        """Do what ``bool`` does."""
        match self._expression.kind:
            case Kind.BOOL:
                return self._used()
            case Kind.INT:
                return self._made("not_equal", Kind.BOOL, self._expression, 0)
            case _:
                return self._made("not_equal", Kind.BOOL, self._expression, 0.0)

    def _as_int(self) -> Proxy:
        """Do what ``int`` does."""
        if self._expression.kind is Kind.FLOAT:
            return self._made("int_of_float", Kind.INT, self._expression)
        return self._used() if self._expression.kind is Kind.INT else proxy_of(self._recorder, self._whole())

    def _as_float(self) -> Proxy:
        """Do what ``float`` does."""
        if self._expression.kind is Kind.FLOAT:
            return self._used()
        return self._made("float_of_int", Kind.FLOAT, self._whole())

    def _as_text(self) -> Proxy:
        """Do what ``str`` does to an int."""
        return self._made("text_of_int", Kind.STR, self._expression)

    def _square_root(self) -> Proxy:
        """Do what ``math.sqrt`` does."""
        return self._made("square_root", Kind.FLOAT, self._float(self._expression))

    def _whole(self) -> Expression:
        whole = self._int(self._expression)
        assert isinstance(whole, Expression)
        return whole


class TextProxy(_Comparable):
    """Stands for a str."""

    __slots__ = ()

    def _text(self, what: str, other: Any) -> Operand:
        operand = operand_of(other)
        if operand is None or kind_of(operand) is not Kind.STR:
            refuse(self._recorder, Kind.STR, f"{what} of something that is no text")
        return operand

    def _constant(self, what: str, other: Any) -> str:
        if type(other) is not str or not other or not is_constant(other):
            refuse(self._recorder, Kind.STR, f"{what} of what is no plain text")
        return other

    def _compare(self, operation: str, other: Any) -> Proxy:
        return self._made(f"text_{operation}", Kind.BOOL, self._expression, self._text(operation, other))

    def _made(self, operation: str, kind: Kind, *operands: Operand) -> Proxy:
        return proxy_of(self._recorder, self._recorder.apply(operation, kind, *operands))

    def __add__(self, other: Any) -> Any:
        return self._made("text_join", Kind.STR, self._expression, self._text("+", other))

    def __radd__(self, other: Any) -> Any:
        return self._made("text_join", Kind.STR, self._text("+", other), self._expression)

    def __contains__(self, other: Any) -> bool:
        return bool(self._made("contains", Kind.BOOL, self._expression, self._constant("in", other)))

    def __bool__(self) -> bool:
        return self._recorder.ask(self._truth()._expression)

    def _truth(self) -> Proxy:
        """Do what ``bool`` does."""
        return self._made("text_not_equal", Kind.BOOL, self._expression, "")

    def _as_int(self) -> Proxy:
        """Do what ``int`` does."""
        return self._made("int_of_text", Kind.INT, self._expression)

    def _as_float(self) -> Proxy:
        """Do what ``float`` does."""
        return self._made("float_of_text", Kind.FLOAT, self._expression)

    def _length(self) -> Proxy:
        """Do what ``len`` does."""
        return self._made("text_length", Kind.INT, self._expression)

    def startswith(self, prefix: Any, *bounds: Any) -> Any:
        if bounds:
            refuse(self._recorder, Kind.STR, "startswith from a position")
        return self._made("starts_with", Kind.BOOL, self._expression, self._constant("startswith", prefix))

    def endswith(self, suffix: Any, *bounds: Any) -> Any:
        if bounds:
            refuse(self._recorder, Kind.STR, "endswith from a position")
        return self._made("ends_with", Kind.BOOL, self._expression, self._constant("endswith", suffix))

    def upper(self) -> Any:
        return self._made("upper", Kind.STR, self._expression)

    def lower(self) -> Any:
        return self._made("lower", Kind.STR, self._expression)

    def strip(self) -> Any:
        return self._made("strip", Kind.STR, self._expression)

    def split(self, separator: Any = None) -> TextParts:
        parts: Expression = self._recorder.apply(
            "text_split", Kind.OTHER, self._expression, self._constant("split", separator)
        )
        return TextParts(self._recorder, parts)

    def replace(self, old: Any, new: Any) -> Any:
        if new != "":
            self._constant("replace", new)
        return self._made("replace", Kind.STR, self._expression, self._constant("replace", old), new)


class IndexedTextProxy(TextProxy):
    """Stands for a str of which letters can be asked for.

    ``"text" % x`` takes what has items for a mapping, and does not fail as it does for a str: where code has a ``%``,
    text has no items.
    """

    __slots__ = ()

    def __getitem__(self, item: Any) -> Any:
        if type(item) is int and 0 <= item < 2**31 - 1:
            return self._made("text_item", Kind.STR, self._expression, item)
        if isinstance(item, slice) and item.step in (None, 1):
            start, stop = item.start or 0, item.stop
            if all(type(end) is int and 0 <= end < 2**31 for end in (start, 0 if stop is None else stop)):
                return self._made("text_slice", Kind.STR, self._expression, start, -1 if stop is None else stop)
        return refuse(self._recorder, Kind.STR, "an index or a slice that is not a number from the start")


class TextParts(Proxy):
    """Stands for the parts of a text that is split: one that is so far from the start can be asked for."""

    __slots__ = ()

    def __getitem__(self, item: Any) -> Any:
        if type(item) is not int or not 0 <= item < 2**31:
            refuse(self._recorder, Kind.STR, "an index of split parts that is not a number from the start")
        return proxy_of(self._recorder, self._recorder.apply("text_part", Kind.STR, self._expression, item))


class OtherProxy(Proxy):
    """Stands for a value that can only be passed on."""

    __slots__ = ()


_PROXIES: dict[Kind, type[Proxy]] = {
    Kind.INT: NumberProxy,
    Kind.FLOAT: NumberProxy,
    Kind.BOOL: NumberProxy,
    Kind.STR: IndexedTextProxy,
    Kind.OTHER: OtherProxy,
}
