"""The paths through a traced function as a tree: at each question two sides, at each end the fields of a result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from windrow.tracing.expressions import TOTAL, Expression, Graph, Kind, Operand, kind_of, nodes_of
from windrow.tracing.outcome import Refused


@dataclass(frozen=True)
class Leaf:
    """A result.

    Args:
        checks: Operations that may raise and are not behind a question of their own.
        fields: The expressions and constants that the result is made of.
        form: What the result is: ``(tuple,)``, ``(Row, names)``, ``(a dataclass,)``; empty for a single value.
    """

    checks: tuple[Expression, ...]
    fields: tuple[Operand, ...]
    form: tuple[Any, ...]


@dataclass(frozen=True)
class InPython:
    """A path that only Python can take: it raises, most likely.

    Args:
        reason: What was met.
    """

    reason: str


@dataclass(frozen=True)
class Branch:
    """A question and its two sides."""

    checks: tuple[Expression, ...]
    condition: Expression
    positive: Tree
    negative: Tree


Tree: TypeAlias = Leaf | InPython | Branch


def leaves(tree: Tree) -> list[Leaf]:
    """The results that a tree ends in."""
    if isinstance(tree, Branch):
        return [*leaves(tree.positive), *leaves(tree.negative)]
    return [tree] if isinstance(tree, Leaf) else []


def joined(tree: Tree, graph: Graph, seen: frozenset[Expression] = frozenset()) -> Tree:
    """The tree with branches made into selections where evaluating both sides costs nothing and cannot fail.

    Args:
        tree: The tree.
        graph: Makes the selections.
        seen: What is computed anyway before the tree.
    """
    if not isinstance(tree, Branch):
        return tree
    seen |= nodes_of(tree.condition).union(*map(nodes_of, tree.checks))
    positive, negative = joined(tree.positive, graph, seen), joined(tree.negative, graph, seen)
    if isinstance(positive, Leaf) and isinstance(negative, Leaf) and not positive.checks and not negative.checks:
        pairs = list(zip(positive.fields, negative.fields, strict=True))
        if all(a is b or _can_be_selected(graph, seen, a, b) for a, b in pairs):
            fields = tuple([_selection(graph, tree.condition, a, b) for a, b in pairs])
            return Leaf(tree.checks, fields, positive.form)
    return Branch(tree.checks, tree.condition, positive, negative)


def check_same_form(found: Sequence[Leaf]) -> None:
    """Check that all results are made alike.

    Raises:
        Refused: they are not.
    """
    first = found[0]
    for leaf in found[1:]:
        if leaf.form != first.form or len(leaf.fields) != len(first.fields):
            msg = "gives results of several forms"
            raise Refused(msg)
        for one, other in zip(first.fields, leaf.fields, strict=True):
            if kind_of(one) is not kind_of(other):
                msg = f"gives {kind_of(one).value} or {kind_of(other).value} for one field"
                raise Refused(msg)


def _can_be_selected(graph: Graph, seen: frozenset[Expression], *sides: Operand) -> bool:
    inputs = [side.arguments[0] for side in sides if isinstance(side, Expression) and side.operation == "input"]
    if len(inputs) == len(sides) and not graph.touched.issuperset(inputs):
        return False  # fields that are only passed on may hold nulls
    return all(_costs_nothing(side, seen) for side in sides)


def _costs_nothing(operand: Operand, seen: frozenset[Expression]) -> bool:
    waiting, met = [operand], set[Expression]()
    while waiting:
        each = waiting.pop()
        if not isinstance(each, Expression) or each in seen or each.operation == "input":
            if kind_of(each) is Kind.OTHER:
                return False
        elif each not in met:
            if each.operation not in TOTAL:
                return False
            met.add(each)
            waiting.extend(each.arguments)
    return True


def _selection(graph: Graph, condition: Expression, positive: Operand, negative: Operand) -> Operand:
    if positive is negative or (type(positive) is type(negative) is bool and positive == negative):
        return positive
    match positive, negative:
        case True, False:
            return condition
        case False, True:
            return graph.apply("not", Kind.BOOL, condition)
        case Expression(kind=Kind.BOOL), False:
            return graph.apply("and", Kind.BOOL, condition, positive)
        case True, Expression(kind=Kind.BOOL):
            return graph.apply("or", Kind.BOOL, condition, negative)
        case Expression(kind=Kind.BOOL), True:
            return graph.apply("or", Kind.BOOL, graph.apply("not", Kind.BOOL, condition), positive)
        case False, Expression(kind=Kind.BOOL):
            return graph.apply("and", Kind.BOOL, graph.apply("not", Kind.BOOL, condition), negative)
    kind = kind_of(positive)
    return graph.apply("text_select" if kind is Kind.STR else "select", kind, condition, positive, negative)
