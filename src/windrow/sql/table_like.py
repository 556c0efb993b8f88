"""``CREATE TABLE ... LIKE``: what a table takes over from another one (Flink's ``MergeTableLikeUtil``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from windrow.sql import syntax as s
from windrow.sql.errors import nearest, sql_error

INCLUDING, EXCLUDING, OVERWRITING = "INCLUDING", "EXCLUDING", "OVERWRITING"
#: What becomes of each part where the statement says nothing.
_DEFAULTS = {
    "CONSTRAINTS": INCLUDING,
    "GENERATED": INCLUDING,
    "METADATA": INCLUDING,
    "OPTIONS": OVERWRITING,
    "PARTITIONS": INCLUDING,
    "WATERMARKS": INCLUDING,
}
#: What there is one of, or none: it cannot be written over.
_WHOLE = ("CONSTRAINTS", "PARTITIONS")


def merged(node: Any, base: Any, text: str) -> Any:
    """The statement of a table that is like another one, with all that it takes over written in it.

    Args:
        node: ``CREATE TABLE ... LIKE``.
        base: The statement of the other table, merged itself.
        text: The text of the first, for errors.

    Raises:
        SqlError: both have something of which there can be one.
    """
    rules = _rules(node.args["like"], text)
    of_base = list(base.args.get("expressions") or [])
    own = list(node.args.get("expressions") or [])
    definitions = [*_columns(of_base, own, rules, text)]
    definitions += _watermark(of_base, own, rules, text)
    definitions += _key(of_base, own, rules, text)
    made = node.copy()
    made.set("like", None)
    made.set("expressions", definitions)
    made.set("options", _options(base, node, rules, text))
    partitioned, given = base.args.get("partitioned"), node.args.get("partitioned")
    if rules["PARTITIONS"] == INCLUDING and partitioned:
        if given:
            raise sql_error(text, node.this, _twice("PARTITIONED BY", "PARTITIONS"))
        made.set("partitioned", list(partitioned))
    return made


def _rules(like: Any, text: str) -> dict[str, str]:
    rules = dict(_DEFAULTS)
    chosen: dict[str, str] = {}
    for option in like.args.get("options") or ():
        what, rule = option.args["what"], option.args["rule"]
        if what != "ALL" and what not in rules:
            raise sql_error(text, like, f"LIKE: there is no {what}: {nearest(what, ['ALL', *rules])}")
        if what in chosen:
            raise sql_error(text, like, f"LIKE: {what} is written twice")
        if rule == OVERWRITING and (what == "ALL" or what in _WHOLE):
            raise sql_error(text, like, f"LIKE: {what} is INCLUDING or EXCLUDING; it cannot be OVERWRITING")
        chosen[what] = rule
    if "ALL" in chosen:
        rules = dict.fromkeys(rules, chosen.pop("ALL"))
    return {**rules, **chosen}


def _columns(base: Sequence[Any], own: Sequence[Any], rules: dict[str, str], text: str) -> list[Any]:
    """Those of the other table, then its own; what is computed, or is metadata, may take the place of such a one."""
    made: dict[str, Any] = {}
    for column in base:
        if isinstance(column, s.ColumnDef):
            part = _part(column)
            if part is None or rules[part] != EXCLUDING:
                made[column.name] = column
    for column in own:
        if not isinstance(column, s.ColumnDef):
            continue
        there = made.get(column.name)
        if there is not None:
            part = _part(there)
            if part is None or part != _part(column):
                message = f"column {column.name!r} is one of the table that this one is LIKE"
                raise sql_error(text, column, f"{message}: leave it out, or give it another name")
            if rules[part] != OVERWRITING:
                raise sql_error(text, column, _twice(f"column {column.name!r}", part, overwriting=True))
        made[column.name] = column
    if rules["CONSTRAINTS"] == EXCLUDING:
        made = {name: _without_key(column) if column in base else column for name, column in made.items()}
    return list(made.values())


def _part(column: Any) -> str | None:
    if column.args.get("computed") is not None:
        return "GENERATED"
    return "METADATA" if column.args.get("metadata") is not None else None


def _without_key(column: Any) -> Any:
    if not column.args.get("primary"):
        return column
    changed = column.copy()
    changed.set("primary", False)
    changed.set("not_enforced", False)
    return changed


def _watermark(base: Sequence[Any], own: Sequence[Any], rules: dict[str, str], text: str) -> list[Any]:
    mine = [each for each in own if isinstance(each, s.WatermarkDef)]
    theirs = [] if rules["WATERMARKS"] == EXCLUDING else [each for each in base if isinstance(each, s.WatermarkDef)]
    if mine and theirs and rules["WATERMARKS"] == INCLUDING:
        raise sql_error(text, mine[0], _twice("WATERMARK", "WATERMARKS", overwriting=True))
    return mine or theirs


def _key(base: Sequence[Any], own: Sequence[Any], rules: dict[str, str], text: str) -> list[Any]:
    mine = [each for each in own if isinstance(each, s.PrimaryKeyDef)]
    theirs = [each for each in base if isinstance(each, s.PrimaryKeyDef)] if rules["CONSTRAINTS"] == INCLUDING else []
    among = [each for each in base if isinstance(each, s.ColumnDef) and each.args.get("primary")]
    has_one = theirs or (rules["CONSTRAINTS"] == INCLUDING and among)
    of_own = [*mine, *[each for each in own if isinstance(each, s.ColumnDef) and each.args.get("primary")]]
    if has_one and of_own:
        raise sql_error(text, of_own[0], _twice("PRIMARY KEY", "CONSTRAINTS"))
    return [*mine, *theirs]


def _options(base: Any, node: Any, rules: dict[str, str], text: str) -> list[Any]:
    theirs = [] if rules["OPTIONS"] == EXCLUDING else list(base.args.get("options") or [])
    mine = list(node.args.get("options") or [])
    names = {pair.expressions[0].name for pair in mine}
    for pair in theirs:
        key = pair.expressions[0].name
        if key in names and rules["OPTIONS"] == INCLUDING:
            raise sql_error(text, node.this, _twice(f"option {key!r}", "OPTIONS", overwriting=True))
    return [*[pair for pair in theirs if pair.expressions[0].name not in names], *mine]


def _twice(what: str, part: str, *, overwriting: bool = False) -> str:
    way = f" or OVERWRITING {part}" if overwriting else ""
    return f"the table that this one is LIKE has a {what} as well: leave it out, or write EXCLUDING {part}{way}"
