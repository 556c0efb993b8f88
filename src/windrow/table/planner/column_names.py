"""The names of columns that a verb makes, by the rules of Flink's Table API."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from windrow.errors import ConfigurationError
from windrow.expressions.logical_types import name_of
from windrow.sql.errors import nearest
from windrow.sql.plan import Relation
from windrow.table.expression import Expression
from windrow.table.expressions import col
from windrow.table.planner.expression_nodes import is_aggregate


def chosen_columns(relation: Relation, fields: Sequence[Any]) -> list[Any]:
    """Expressions with columns in place of ``with_columns`` and ``without_columns``.

    Raises:
        ConfigurationError: there is no such column.
    """
    names = [column.name for column in relation.columns]
    made: list[Any] = []
    for field in fields:
        if not isinstance(field, Expression) or field._kind != "columns":
            made.append(field)
            continue
        wanted, *parts = field._parts
        places = [place for part in parts for place in _places(part, names)]
        if not wanted:
            places = [place for place in range(len(names)) if place not in places]
        made += [col(names[place]) for place in places]
    return made


def _places(part: Any, names: Sequence[str]) -> Sequence[int]:
    if isinstance(part, Expression) and part._kind == "range":
        first, last = (_places(each, names)[0] for each in part._parts)
        return range(first, last + 1)
    name = part._parts[0] if isinstance(part, Expression) and part._kind == "col" else part
    if isinstance(name, int) and 1 <= name <= len(names):
        return [name - 1]
    if name not in names:
        msg = f"with_columns and without_columns: there is no column {name!r}: {nearest(str(name), names)}"
        raise ConfigurationError(msg)
    return [names.index(name)]


def own_name(field: Expression) -> str | None:
    """The name that an expression says; None: it has none of its own."""
    if field._kind == "alias":
        return str(field._parts[1])
    return str(field._parts[0]) if field._kind == "col" else None


def column_names(fields: Sequence[Expression], every: Sequence[str], verb: str, own: Collection[str] = ()) -> list[str]:
    """The name of each expression; that of ``*`` stays.

    Args:
        fields: The expressions.
        every: What ``*`` stands for.
        verb: Who asks, for errors.
        own: The names of aggregates of the program's own, in upper case.

    Raises:
        ConfigurationError: two are of one name.

    Example:
        >>> from windrow.table.expressions import col
        >>> column_names([col("a"), col("a") + 1, col("b").sum.alias("s"), col("b").max], ["a", "b"], "select")
        ['a', '_c1', 's', 'EXPR$1']
    """
    # Aggregates and properties of windows are numbered together, wherever they stand, each once.
    numbered: dict[Any, str] = {}
    for field in fields:
        _number(field, numbered, own)
    names: list[str] = []
    shown: list[str] = []
    for field in fields:
        if field._kind == "col" and field._parts[0] == "*":
            names.append("*")
            shown += every
            continue
        name = own_name(field)
        if name is None and _same(field) in numbered:
            name = numbered[_same(field)]
        if name is None:
            name = _derived(field, numbered) or f"_c{len(shown)}"
        names.append(name)
        shown.append(name)
    twice = next((name for place, name in enumerate(shown) if name in shown[:place]), None)
    if twice is not None:
        msg = f"{verb}: two columns are called {twice!r}: give one of them another name with alias"
        raise ConfigurationError(msg)
    return names


def _number(given: Any, numbered: dict[Any, str], own: Collection[str]) -> None:
    if not isinstance(given, Expression) or given._kind == "over":
        return
    if is_aggregate(given, own) or given._kind == "property":
        numbered.setdefault(_same(given), f"EXPR${len(numbered)}")
        return
    for part in given._parts:
        _number(part, numbered, own)


def _derived(field: Expression, numbered: dict[Any, str]) -> str | None:
    """The name of a CAST, or of a field of a row, of something that has a name."""
    if field._kind not in ("CAST", "FIELD"):
        return None
    inner, last = field._parts
    found = own_name(inner) if isinstance(inner, Expression) else None
    if found is None and isinstance(inner, Expression):
        found = numbered.get(_same(inner)) or (_derived(inner, numbered) if inner._kind == "FIELD" else None)
    if found is None:
        return None
    if field._kind == "CAST":
        return f"{found}-{name_of(last)}"
    return f"{found}$_{last}" if isinstance(last, int) else f"{found}${last}"


def _same(given: Any) -> Any:
    """A value that is equal for expressions that are written alike: their own ``==`` makes another expression."""
    if isinstance(given, Expression):
        return (given._kind, *[_same(part) for part in given._parts])
    return type(given), repr(given)
