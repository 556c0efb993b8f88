"""Tracing a function: what it does with an element of a known shape, as operations on columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from windrow.common.typeinfo import TypeInformation
from windrow.common.types import Row
from windrow.elements.columns import Columns
from windrow.elements.shape import DataclassShape, RowShape, ScalarShape, Shape, TupleShape
from windrow.tracing.evaluation import Frame
from windrow.tracing.expressions import ARROW_TYPES, Expression, Graph, Kind, kind_of, nodes_of
from windrow.tracing.outcome import NotExact, NotTraceable, Refused
from windrow.tracing.paths import Explorer
from windrow.tracing.program import Program
from windrow.tracing.proxies import NumberProxy, TextProxy, proxy_of
from windrow.tracing.recorder import Recorder
from windrow.tracing.records import ObjectRecord, RowRecord, field_names
from windrow.tracing.surroundings import Surroundings
from windrow.tracing.tree import Branch, Leaf, Tree, check_same_form, joined, leaves
from windrow.tracing.values import Column


class Traced:
    """A function as operations on columns.

    Args:
        tree: The ways through the function.
        arguments: What its arguments are made of.
        graph: What the tree is made of.
        surroundings: What the function uses besides its arguments.
        computed: For each field whether it is to be a column for numbers of its kind also where it is a field of an
            argument.
    """

    def __init__(
        self,
        tree: Tree,
        arguments: Sequence[Shape],
        graph: Graph,
        surroundings: Surroundings,
        computed: Sequence[bool] = (),
    ) -> None:
        self.tree = tree
        types = [kind for shape in arguments for kind in shape.types]
        declared = [kind for shape in arguments for kind in _conversions(shape)]
        self._surroundings = surroundings
        ends = leaves(tree)
        fields = list(zip(*[end.fields for end in ends], strict=True))
        passed = [
            _is_passed_on(each, list(zip(types, declared, strict=True))) and not is_computed
            for each, is_computed in zip(fields, computed or [False] * len(fields), strict=True)
        ]
        results = [
            types[each[0].arguments[0]] if is_passed else ARROW_TYPES[kind_of(each[0])]
            for each, is_passed in zip(fields, passed, strict=True)
        ]
        sources = [{each.arguments[0] for each in operands if _is_input(each)} for operands in fields]
        #: For each field of a result the column that it is as it came, on all paths; None: it is none.
        self.passed_on = [
            min(found) if is_passed and len(found) == 1 else None
            for found, is_passed in zip(sources, passed, strict=True)
        ]
        self._program = Program(tree, passed)
        #: What a result is made of.
        self.shape = shape_of_form(ends[0].form, tuple(results))
        kept = [
            declared[each[0].arguments[0]] if is_passed else None
            for each, is_passed in zip(fields, passed, strict=True)
        ]
        if any(kind is not None for kind in kept):
            self.shape = replace(self.shape, declared=tuple(kept))
        touched = set(range(len(types))) if surroundings.asks_for_none else graph.touched & set(range(len(types)))
        #: The columns that are computed with: a batch in which one holds a null is left to Python.
        self.touched = frozenset(touched)
        #: The columns that are looked at, or passed on.
        self.inputs = self.touched | _inputs(tree)
        widths = [len(shape.types) for shape in arguments]
        places = [(argument, field) for argument, width in enumerate(widths) for field in range(width)]
        #: Where each of them is found: the number of an argument, and of its field. There is one in any case: it says
        #: how many rows there are.
        self._places = {index: places[index] for index in self.inputs or (0,)}

    def evaluate(self, *arguments: Sequence[Column]) -> list[Column]:
        """The results for the columns of the arguments: a column for each field, NumPy's for computed numbers.

        No other columns are asked for than those that are looked at, or passed on.

        Args:
            arguments: For each argument the columns of its fields; or those of all arguments, one behind the other.

        Raises:
            NotExact: Python has to call the function for each element.
        """
        columns: Sequence[Column] | dict[int, Column] = arguments[0]
        if len(arguments) > 1:
            columns = {index: arguments[argument][field] for index, (argument, field) in self._places.items()}
        if not self._surroundings.hold():
            msg = "a variable that the function uses has changed"
            raise NotExact(msg)
        for index in self.touched:
            column = columns[index]
            if isinstance(column, pa.Array) and column.null_count:
                msg = "some values are null"
                raise NotExact(msg)
        length = len(columns[next(iter(self._places))])
        if not length:
            return [pa.array([], kind) for kind in self.shape.types]
        try:
            if not self._program.has_floats:
                return Frame(self._program, columns, length).results(self._program.start)
            with np.errstate(all="ignore"):
                return Frame(self._program, columns, length).results(self._program.start)
        except pa.ArrowException as error:
            raise NotExact(str(error)) from error

    def columns(self, *arguments: Columns) -> Columns:
        """The results as columns.

        Raises:
            NotExact: Python has to call the function for each element.
        """
        return Columns.of(self.shape, self.evaluate(*[argument.fields for argument in arguments]))


def trace(function: Any, *shapes: Shape) -> Traced | NotTraceable:
    """Trace a function of elements.

    Args:
        function: A function, lambda, bound method, ``partial``, ``itemgetter`` or ``attrgetter``.
        shapes: What each of its arguments is made of.

    Example:
        >>> doubled = trace(lambda x: (x, 2 * x), ScalarShape.of(pa.int64()))
        >>> doubled.evaluate([np.array([1, 2, 3])])[1]
        array([2, 4, 6])
        >>> trace(lambda x: print(x), ScalarShape.of(pa.int64()))
        NotTraceable(reason='uses print (builtin_function_or_method)')
    """
    return _trace(function, shapes, lambda result: result)


def trace_predicate(function: Any, *shapes: Shape) -> Traced | NotTraceable:
    """Trace a function whose result counts as true or false: the traced one gives one column of truth values."""
    return _trace(function, shapes, _truth)


def trace_timestamps(function: Any, *shapes: Shape) -> Traced | NotTraceable:
    """Trace a function that gives timestamps: the traced one gives one column of int64."""
    return _trace(function, shapes, _timestamp)


def _trace(function: Any, shapes: Sequence[Shape], finish: Callable[[Any], Any]) -> Traced | NotTraceable:
    graph, surroundings = Graph(), Surroundings()
    try:
        if not any(shape.types for shape in shapes):
            msg = "takes elements without fields"
            raise Refused(msg)
        run = surroundings.runnable(function)
        tree = explored(graph, surroundings, lambda recorder: finish(run(*arguments_for(recorder, shapes))))
        check_same_form(leaves(tree))
        return Traced(joined(tree, graph), shapes, graph, surroundings)
    except Refused as refused:
        return NotTraceable(refused.reason)


def explored(graph: Graph, surroundings: Surroundings, call: Callable[[Recorder], Any]) -> Tree:
    """The ways through a function.

    Raises:
        Refused: it does what columns cannot.
    """
    may_format = surroundings.may_format
    tree = Explorer(graph, call, may_format).explore()
    if surroundings.may_format != may_format:  # of a method that was met on the way
        tree = Explorer(graph, call, True).explore()
    return tree


def arguments_for(recorder: Recorder, shapes: Sequence[Shape]) -> list[Any]:
    """Stand-ins for elements of the shapes; their fields are numbered through."""
    made: list[Any] = []
    number = 0
    for shape in shapes:
        fields: list[Any] = []
        for kind in _kinds(shape):
            fields.append(proxy_of(recorder, recorder.graph.input(number, kind)))
            number += 1
        match shape:
            case ScalarShape():
                made.append(fields[0])
            case TupleShape():
                made.append(tuple(fields))
            case RowShape():
                made.append(RowRecord(shape.field_names, fields))
            case DataclassShape() if field_names(shape.kind) == tuple(shape.field_names):
                made.append(ObjectRecord(shape.kind, dict(zip(shape.field_names, fields, strict=True))))
            case _:
                msg = f"takes elements of {shape}"
                raise Refused(msg)
    return made


def _kinds(shape: Shape) -> list[Kind]:
    """Give the kind of each field for Python; what a declared type makes of Arrow's values is only passed on."""
    plain = [convert is None for convert in shape.converts]
    return [kind_of_type(each) if as_it_is else Kind.OTHER for each, as_it_is in zip(shape.types, plain, strict=True)]


def _conversions(shape: Shape) -> list[TypeInformation | None]:
    """The declared types of the fields whose values are more than Arrow gives."""
    declared = shape.declared or [None] * len(shape.types)
    return [None if convert is None else kind for kind, convert in zip(declared, shape.converts, strict=True)]


def kind_of_type(kind: pa.DataType) -> Kind:
    """Give the kind of value that Python sees in a column of an Arrow type."""
    if pa.types.is_integer(kind):
        return Kind.INT
    if pa.types.is_floating(kind):
        return Kind.FLOAT
    if pa.types.is_boolean(kind):
        return Kind.BOOL
    return Kind.STR if pa.types.is_string(kind) or pa.types.is_large_string(kind) else Kind.OTHER


def _truth(result: Any) -> Any:
    return result._truth() if isinstance(result, NumberProxy | TextProxy) else bool(result)


def _timestamp(result: Any) -> Any:
    kind = result._expression.kind if isinstance(result, NumberProxy) else None
    if type(result) is not int and kind is not Kind.INT:
        msg = "gives a timestamp that is no int"
        raise Refused(msg)
    return result


def _is_passed_on(operands: Sequence[Any], types: Sequence[Any]) -> bool:
    """Tell whether a field of the result is, on all paths, a field of the element as it came, always of one type."""
    found = [types[operand.arguments[0]] for operand in operands if _is_input(operand)]
    if len(found) == len(operands) and found.count(found[0]) == len(found):
        return True
    if kind_of(operands[0]) is Kind.OTHER:
        msg = "gives values of several types for one field"
        raise Refused(msg)
    return False


def _is_input(operand: Any) -> bool:
    return isinstance(operand, Expression) and operand.operation == "input"


def _inputs(tree: Tree) -> frozenset[int]:
    found: set[Expression] = set()
    waiting: list[Tree] = [tree]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Branch):
            waiting += [each.positive, each.negative]
            found |= nodes_of(each.condition).union(*map(nodes_of, each.checks))
        elif isinstance(each, Leaf):
            found |= set[Expression]().union(*map(nodes_of, (*each.fields, *each.checks)))
    return frozenset(node.arguments[0] for node in found if node.operation == "input")


def shape_of_form(form: tuple[Any, ...], types: tuple[pa.DataType, ...]) -> Shape:
    """The shape of results of a form, as in :class:`Leaf`."""
    if not form:
        return ScalarShape(types)
    if form[0] is tuple:
        return TupleShape(types)
    if form[0] is Row:
        return RowShape(types, field_names=form[1])
    return DataclassShape(types, kind=form[0], field_names=field_names(form[0]))
