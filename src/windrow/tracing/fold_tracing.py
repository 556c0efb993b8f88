"""Tracing functions that fold: a reduce function, and an ``AggregateFunction`` method by method."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from windrow.common.types import Row
from windrow.elements.shape import DataclassShape, RowShape, Shape, TupleShape
from windrow.tracing.expressions import ARROW_TYPES, Expression, Graph, Kind, Operand, kind_of, nodes_of
from windrow.tracing.folds import Choice, Fold, FoldKind
from windrow.tracing.outcome import NotTraceable, Refused
from windrow.tracing.paths import form_of
from windrow.tracing.surroundings import Surroundings
from windrow.tracing.tracer import Traced, arguments_for, explored, kind_of_type, shape_of_form, trace
from windrow.tracing.tree import Branch, Leaf, Tree, check_same_form, joined, leaves

_GREATER = frozenset({"greater", "greater_equal", "text_greater", "text_greater_equal"})
_LESS = frozenset({"less", "less_equal", "text_less", "text_less_equal"})
_OR_EQUAL = frozenset({"greater_equal", "less_equal", "text_greater_equal", "text_less_equal"})


def trace_reduce(function: Any, shape: Shape) -> Fold | NotTraceable:
    """Trace a reduce function: of two elements it makes one of the same kind.

    Args:
        function: Called with what is so far, and an element.
        shape: What an element is made of.

    Example:
        >>> from windrow.elements.shape import ScalarShape
        >>> fold = trace_reduce(lambda a, b: (a[0], a[1] + b[1]), TupleShape((pa.string(), pa.int64())))
        >>> [kind.value for kind in fold.kinds]
        ['first', 'sum']
        >>> trace_reduce(lambda a, b: a * b, ScalarShape.of(pa.int64()))
        NotTraceable(reason='makes of field 0 no first, last, sum, least or greatest value, and no count')
    """
    graph, surroundings = Graph(), Surroundings()
    try:
        run = surroundings.runnable(function)
        step = _Step.of(graph, surroundings, shape, shape, lambda element, so_far: run(so_far, element))
        if step.form != _form_of_shape(shape) or step.fields != len(shape.types):
            msg = "gives something else than it takes"
            raise Refused(msg)
        choice = step.choice()
        if choice is not None:
            return choice
        for number, kind in enumerate(shape.types):
            expected = graph.input(number, kind_of_type(kind))
            for leaf in leaves(step.tree):
                if kind_of(leaf.fields[number]) is not expected.kind:
                    msg = f"gives another type for field {number} than it takes"
                    raise Refused(msg)
        return step.fold(first=lambda number: graph.input(number, kind_of_type(shape.types[number])), itself=True)
    except Refused as refused:
        return NotTraceable(refused.reason)


def trace_aggregate(function: Any, shape: Shape) -> Fold | NotTraceable:
    """Trace an ``AggregateFunction``.

    Args:
        function: It.
        shape: What an element is made of.
    """
    graph, surroundings = Graph(), Surroundings()
    try:
        form, values = form_of(surroundings.runnable(function.create_accumulator)())
        if any(isinstance(value, Expression) for value in values):
            msg = "begins with something else than constants"
            raise Refused(msg)
        add = surroundings.runnable(function.add)
        initial, accumulator, step = list(values), _accumulator(form, values), None
        for _ in range(2):
            step = _Step.of(graph, surroundings, shape, accumulator, add)
            if step.form != form or step.fields != len(values):
                msg = "adds up to something else than it begins with"
                raise Refused(msg)
            kinds = [kind_of(operand) for operand in leaves(step.tree)[0].fields]
            if kinds == [kind_of(value) for value in initial]:
                break
            # 0 and then floats: what it begins with is 0.0 as well.
            initial = [_widened(value, kind) for value, kind in zip(initial, kinds, strict=True)]
            accumulator = _accumulator(form, initial)
            graph = Graph()
        else:
            msg = "gives an accumulator of changing types"
            raise Refused(msg)
        fold = replace(step.fold(first=lambda number: initial[number], itself=False), initial=tuple(initial))
        result = trace(function.get_result, fold.shape)
        if isinstance(result, NotTraceable):
            return NotTraceable(f"get_result {result.reason}")
        return replace(fold, result=result, merges=_merges(function.merge, fold))
    except Refused as refused:
        return NotTraceable(refused.reason)


@dataclass(frozen=True)
class _Step:
    """The effect of an element on the accumulator: inputs below ``width`` are the element's, the others its own."""

    graph: Graph
    surroundings: Surroundings
    tree: Tree
    unjoined: Tree
    element: Shape

    @staticmethod
    def of(
        graph: Graph, surroundings: Surroundings, element: Shape, accumulator: Shape, call: Callable[[Any, Any], Any]
    ) -> _Step:
        """Explore the calls with an element and an accumulator."""
        tree = explored(graph, surroundings, lambda recorder: call(*arguments_for(recorder, [element, accumulator])))
        check_same_form(leaves(tree))
        if surroundings.asks_for_none:
            msg = "asks if something is None"
            raise Refused(msg)
        return _Step(graph, surroundings, joined(tree, graph), tree, element)

    @property
    def form(self) -> tuple[Any, ...]:
        return leaves(self.tree)[0].form

    @property
    def fields(self) -> int:
        return len(leaves(self.tree)[0].fields)

    @property
    def width(self) -> int:
        return len(self.element.types)

    def choice(self) -> Fold | None:
        """The fold of a function that gives one of its two arguments, whichever has the greater or the lesser key."""
        tree = self.unjoined
        if not isinstance(tree, Branch) or tree.checks or self.width == 1:
            return None
        kinds = [kind_of_type(kind) for kind in self.element.types]
        new = tuple([self.graph.input(number, kind) for number, kind in enumerate(kinds)])
        old = tuple([self.graph.input(number + self.width, kind) for number, kind in enumerate(kinds)])
        sides = [side.fields if isinstance(side, Leaf) and not side.checks else None for side in _sides(tree)]
        operation, arguments = tree.condition.operation, tree.condition.arguments
        if sides not in ([new, old], [old, new]) or operation not in _GREATER | _LESS:
            return None
        is_mirrored = _is_of(arguments[0], range(self.width))
        key, other = arguments if is_mirrored else arguments[::-1]
        if not isinstance(key, Expression) or self._moved(key) is not other or not _is_of(key, range(self.width)):
            return None
        # What is computed of floats may be a NaN; of a field itself whoever chooses sees it.
        if key.operation != "input" and any(kind_of(node) is Kind.FLOAT for node in nodes_of(key)):
            return None
        keeps_left = sides[0] == (new if is_mirrored else old)
        greatest = (operation in _GREATER) is keeps_left
        left_wins_ties = (operation in _OR_EQUAL) is keeps_left
        traced = self._traced(Leaf((), (key,), ()))
        return Fold(
            self.element,
            self._traced(Leaf((), new, self.form)),
            (FoldKind.FIRST,) * self.width,
            choice=Choice(traced, greatest, left_wins_ties is not is_mirrored),
            commutative=False,
        )

    def fold(self, first: Callable[[int], Operand], *, itself: bool) -> Fold:
        """The fold, field by field.

        Args:
            first: What stays in a field that never changes: the first element's field, or what the accumulator
                begins with.
            itself: Whether one element's accumulator is the element itself, so that it is added as it is.
        """
        found = leaves(self.tree)
        width = len(found[0].fields)
        columns = [self._field(number, [leaf.fields[number] for leaf in found], first) for number in range(width)]
        kinds = tuple([kind for kind, _ in columns])
        for number, (kind, inputs) in enumerate(columns):
            if itself and any(operand is not first(number) for operand in inputs):
                msg = f"adds something else to field {number} than that field of the element"
                raise Refused(msg)
            if kind is FoldKind.SUM and set(map(_constant, inputs)) == {1}:
                kinds = (*kinds[:number], FoldKind.COUNT, *kinds[number + 1 :])
        remaining = iter(zip(*[inputs for _, inputs in columns], strict=True))
        tree = self._with_fields(self.tree, remaining)
        summed = [kind_of(inputs[0]) for kind, inputs in columns if kind is FoldKind.SUM]
        extremes = [kind_of(inputs[0]) for kind, inputs in columns if kind in (FoldKind.MIN, FoldKind.MAX)]
        computed = [kind not in (FoldKind.FIRST, FoldKind.LAST) for kind, _ in columns]
        inputs = self._traced(tree, computed)
        return Fold(
            inputs.shape,
            inputs,
            kinds,
            associative=Kind.FLOAT not in summed,
            commutative=Kind.FLOAT not in (*summed, *extremes) and {FoldKind.FIRST, FoldKind.LAST}.isdisjoint(kinds),
        )

    def _field(self, number: int, operands: Sequence[Operand], first: Callable[[int], Operand]) -> Any:
        """Find the kind of fold that makes a field, the same on all paths, and what is folded into it on each path."""
        found = [self._change(number, operand, first) for operand in operands]
        kinds = {kind for kind, _ in found}
        if kinds == {FoldKind.SUM, FoldKind.FIRST} and kind_of(operands[0]) is Kind.INT:
            # On some paths nothing is added.
            found = [(FoldKind.SUM, each if kind is FoldKind.SUM else 0) for kind, each in found]
        elif len(kinds) > 1:
            msg = f"does different things to field {number}"
            raise Refused(msg)
        return found[0][0], [each for _, each in found]

    def _change(self, number: int, operand: Operand, first: Callable[[int], Operand]) -> tuple[FoldKind, Operand]:
        element = range(self.width)
        if _is_of(operand, element):
            return FoldKind.LAST, operand
        assert isinstance(operand, Expression)
        own = self.width + number
        if operand.operation == "input" and operand.arguments[0] == own:
            return FoldKind.FIRST, first(number)
        if operand.operation in ("add", "float_add"):
            left, right = operand.arguments
            for so_far, added in ((left, right), (right, left)):
                if _is_of(added, element) and _is_input(so_far, own):
                    return FoldKind.SUM, added
        if operand.operation in ("select", "text_select"):
            condition, positive, negative = operand.arguments
            for so_far, new in ((positive, negative), (negative, positive)):
                if _is_of(new, element) and _is_input(so_far, own):
                    greatest = _is_greatest(condition, positive, negative)
                    if greatest is not None:
                        return FoldKind.MAX if greatest else FoldKind.MIN, new
        msg = f"makes of field {number} no first, last, sum, least or greatest value, and no count"
        raise Refused(msg)

    def _with_fields(self, tree: Tree, fields: Any) -> Tree:
        """The tree with other fields at its ends, taken one after the other."""
        if isinstance(tree, Leaf):
            return Leaf(self._checked(tree.checks), next(fields), tree.form)
        if isinstance(tree, Branch):
            self._checked([tree.condition])
            checks = self._checked(tree.checks)
            positive = self._with_fields(tree.positive, fields)
            return Branch(checks, tree.condition, positive, self._with_fields(tree.negative, fields))
        return tree

    def _checked(self, expressions: Sequence[Expression]) -> tuple[Expression, ...]:
        if not all(_is_of(each, range(self.width)) for each in expressions):
            msg = "asks for more of what is so far than to add to it"
            raise Refused(msg)
        return tuple(expressions)

    def _traced(self, tree: Tree, computed: Sequence[bool] = ()) -> Traced:
        return Traced(tree, [self.element], self.graph, self.surroundings, computed)

    def _moved(self, expression: Operand) -> Operand:
        """The expression of the element's fields, of the accumulator's fields."""
        if not isinstance(expression, Expression):
            return expression
        if expression.operation == "input":
            return self.graph.input(expression.arguments[0] + self.width, expression.kind)
        moved = [self._moved(argument) for argument in expression.arguments]
        return self.graph.apply(expression.operation, expression.kind, *moved)


def _sides(tree: Branch) -> tuple[Tree, Tree]:
    return tree.positive, tree.negative


def _constant(operand: Operand) -> Any:
    return None if isinstance(operand, Expression) or type(operand) is not int else operand


def _is_input(operand: Operand, number: int) -> bool:
    return isinstance(operand, Expression) and operand.operation == "input" and operand.arguments[0] == number


def _is_of(operand: Operand, numbers: range) -> bool:
    """Tell whether an expression has no other inputs than those of these numbers."""
    return all(node.arguments[0] in numbers for node in nodes_of(operand) if node.operation == "input")


def _is_greatest(condition: Any, positive: Operand, negative: Operand) -> bool | None:
    """Tell whether a selection gives the greater of its two sides; False: the lesser; None: something else."""
    if not isinstance(condition, Expression) or condition.operation not in _GREATER | _LESS:
        return None
    is_greater = condition.operation in _GREATER
    compared = condition.arguments
    if all(one is other for one, other in zip(compared, (positive, negative), strict=True)):
        return is_greater
    if all(one is other for one, other in zip(compared, (negative, positive), strict=True)):
        return not is_greater
    return None


def _form_of_shape(shape: Shape) -> tuple[Any, ...]:
    match shape:
        case TupleShape():
            return (tuple,)
        case RowShape():
            return (Row, None if shape.field_names is None else tuple(shape.field_names))
        case DataclassShape():
            return (shape.kind,)
    return ()


def _accumulator(form: tuple[Any, ...], values: Sequence[Any]) -> Shape:
    types: tuple[pa.DataType, ...] = tuple([ARROW_TYPES[kind_of(value)] for value in values])
    return shape_of_form(form, types)


def _widened(value: Any, kind: Kind) -> Any:
    if kind is kind_of(value):
        return value
    if kind is Kind.FLOAT and type(value) is int and int(float(value)) == value:
        return float(value)
    if kind is Kind.INT and type(value) is bool:
        return int(value)
    msg = "gives an accumulator of other types than it begins with"
    raise Refused(msg)


def _merges(merge: Any, fold: Fold) -> bool:
    """Tell whether ``merge`` gives the same accumulator as folding the elements of both into one."""
    merged = trace_reduce(merge, fold.shape)
    if isinstance(merged, NotTraceable) or merged.choice is not None:
        return False
    initial = fold.initial or ()
    for kind, other, value in zip(fold.kinds, merged.kinds, initial, strict=True):
        added = FoldKind.SUM if kind is FoldKind.COUNT else kind
        if other is not added or (added is FoldKind.SUM and value != 0):
            return False
    return True
