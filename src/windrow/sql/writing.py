"""Writes expressions of tables as SQL again, in the form in which Flink writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlglot import exp

from windrow.sql import syntax as s

_NAMES_OF_TYPES = {"INT": "INTEGER", "DEC": "DECIMAL", "NUMERIC": "DECIMAL"}
#: Between the arguments of functions that have words there.
_WORDS = {"OVERLAY": (" PLACING ", " FROM ", " FOR "), "POSITION": (" IN ",)}
_FROM_FIRST = {"EXTRACT", "YEAR", "QUARTER", "MONTH", "WEEK", "HOUR", "MINUTE", "SECOND"}
_WITHOUT_PARENTHESES = {"CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP"}


def _type(writer: Any, node: Any) -> str:
    """A type as it stands behind AS of a CAST."""
    name = _NAMES_OF_TYPES.get(str(node.this), str(node.this))
    parts, shown = node.expressions, name
    if name == "ROW":
        fields = [f"{writer.sql(each.expressions[0])} {_type(writer, each.expressions[1])}" for each in parts]
        shown = f"ROW< {', '.join(fields)} >"
    elif name in ("ARRAY", "MAP", "MULTISET"):
        shown = f"{name}< {', '.join([_type(writer, each) for each in parts])} >"
    elif parts:
        shown = f"{name}({', '.join([writer.sql(each) for each in parts])})"
    return f"{shown} NOT NULL" if node.args.get("not_null") else shown


def _cast(writer: Any, node: Any) -> str:
    kind = node.args["to"]
    if isinstance(kind, exp.DataType):  # TIMESTAMP '...'
        return f"{kind.this.value} {writer.sql(node, 'this')}"
    name = "TRY_CAST" if isinstance(node, exp.TryCast) else "CAST"
    return f"{name}({writer.sql(node, 'this')} AS {_type(writer, kind)})"


def _call(writer: Any, node: Any) -> str:
    name = str(node.this).upper()
    given = [writer.sql(each) for each in node.expressions]
    if name in _WITHOUT_PARENTHESES and not given:
        return name
    if name == "TRIM" and len(given) > 1:
        side, first, *rest = given
        return f"TRIM({side} {rest[0]} FROM {first})" if rest else f"TRIM({side} ' ' FROM {first})"
    if name in _FROM_FIRST:
        return f"EXTRACT({' FROM '.join(given if name == 'EXTRACT' else [name, *given])})"
    if name in ("FLOOR", "CEIL") and len(given) > 1:
        return f"{name}({' TO '.join(given)})"
    signs = iter(_WORDS.get(name, ()))
    shown = "".join([*given[:1], *[f"{next(signs, ', ')}{each}" for each in given[1:]]])
    return f"{name}({shown})"


def _bracket(writer: Any, node: Any) -> str:
    target = node.this
    is_made = isinstance(target, exp.Column) and target.name.upper() in ("ARRAY", "MAP") and not target.table
    return f"{target.name.upper() if is_made else writer.sql(target)}[{writer.expressions(node, flat=True)}]"


def _not(writer: Any, node: Any) -> str:
    inner = node.this
    word = {exp.Is: " IS ", exp.In: " IN ", exp.Between: " BETWEEN "}.get(type(inner))
    if word is None:
        return f"NOT {writer.sql(inner)}"
    first, rest = writer.sql(inner, "this"), writer.sql(inner)
    behind = rest[len(first) + len(word) :]
    return f"{first} IS NOT {behind}" if word == " IS " else f"{first} NOT{word}{behind}"


def _interval(writer: Any, node: Any) -> str:
    last = f" TO {node.args['last'].name}" if node.args.get("last") else ""
    return f"INTERVAL {writer.sql(node, 'this')} {node.args['unit'].name}{last}"


def _json_call(writer: Any, node: Any) -> str:
    parts = [writer.expressions(node, flat=True)]
    if node.args.get("returning"):
        parts.append(f"RETURNING {_type(writer, node.args['returning'])}")
    if node.args.get("wrapper"):
        kind = "CONDITIONAL" if node.args["wrapper"] == "CONDITIONAL" else "UNCONDITIONAL"
        parts.append(f"WITH {kind} ARRAY WRAPPER")
    for key in ("empty", "error"):
        if node.args.get(key):
            default = node.args.get(f"{key}_default")
            shown = "" if default is None else f" {writer.sql(default)}"
            parts.append(f"{node.args[key]}{shown} ON {key.upper()}")
    return f"{node.this}({' '.join(parts)})"


def _json_made(writer: Any, node: Any) -> str:
    values = [writer.sql(each) for each in node.expressions]
    if node.args.get("keys"):
        keys = [writer.sql(each) for each in node.args["keys"]]
        values = [f"KEY {key} VALUE {value}" for key, value in zip(keys, values, strict=True)]
    on_null = f"{node.args['on_null']} ON NULL"
    return f"{node.this}({' '.join([', '.join(values), on_null]).strip()})"


#: What a writer of sqlglot does with each part of which Flink's form is another one.
FORMS: Mapping[type[exp.Expression], Callable[[Any, Any], str]] = {
    exp.Anonymous: _call,
    exp.Array: lambda writer, node: f"ARRAY[{writer.expressions(node, flat=True)}]",
    exp.Between: lambda writer, node: (
        f"{writer.sql(node, 'this')} BETWEEN {'SYMMETRIC' if node.args.get('symmetric') else 'ASYMMETRIC'} "
        f"{writer.sql(node, 'low')} AND {writer.sql(node, 'high')}"
    ),
    exp.Bracket: _bracket,
    exp.Cast: _cast,
    exp.HexString: lambda _, node: f"X'{node.name.upper()}'",
    exp.Not: _not,
    exp.Neg: lambda writer, node: f"- {writer.sql(node, 'this')}",
    exp.TryCast: _cast,
    s.JsonCall: _json_call,
    s.JsonMade: _json_made,
    s.Named: lambda writer, node: f"{node.name} => {writer.sql(node, 'expression')}",
    s.SpanInterval: _interval,
}
