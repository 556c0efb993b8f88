"""Writes docs/sql_functions.md: which of Flink's built-in functions SQL has, from the code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from windrow.expressions.function import FUNCTIONS
from windrow.expressions.kernels import KERNELS
from windrow.sql import function_calls
from windrow.sql.function_calls import AGGREGATES
from windrow.sql.over_rows import RANKS

PAGE = Path(__file__).parents[1] / "docs" / "sql_functions.md"
#: What is written otherwise than name(arguments), in Flink's order.
OPERATORS = {
    "Comparison functions": "`=` `<>` `>` `>=` `<` `<=` `IS [NOT] NULL` "
    "`IS [NOT] DISTINCT FROM` `[NOT] BETWEEN` `[NOT] LIKE` "
    "`ESCAPE` "
    "`SIMILAR TO` `[NOT] IN (values)` `[NOT] IN (query)` `[NOT] EXISTS (query)` `= ANY (query)` `= ALL (query)`",
    "Logical functions": "`OR` `AND` `NOT` `IS [NOT] TRUE` `IS [NOT] FALSE` `IS [NOT] UNKNOWN`",
    "Arithmetic functions": "`+` `-` `*` `/` `%`",
    "String functions": "`||`",
    "Conditional functions": "`CASE`",
    "Type conversion functions": "`CAST` `TRY_CAST`",
    "Collection functions": "`array[i]` `map[key]` `row.field` `ARRAY[...]` `MAP[...]` `ROW(...)`",
    "JSON functions": "`IS [NOT] JSON [VALUE | SCALAR | ARRAY | OBJECT]`",
    "Temporal functions": "`OVERLAPS`",
}
#: Names that the binder itself knows, by the section of Flink's page.
SPECIAL = {
    "Conditional functions": ("COALESCE", "IF", "IFNULL", "NULLIF"),
    "Arithmetic functions": ("CEIL", "FLOOR", "MOD"),
    "String functions": ("CONCAT", "CURRENT_DATABASE", "TRIM"),
    "Type conversion functions": ("TYPEOF",),
    "Temporal functions": (
        *("CURRENT_DATE", "CURRENT_ROW_TIMESTAMP", "CURRENT_TIMESTAMP", "DAYOFMONTH", "DAYOFWEEK", "DAYOFYEAR"),
        *("CURRENT_TIME", "CURRENT_WATERMARK"),
        *("EXTRACT", "HOUR", "LOCALTIME", "LOCALTIMESTAMP", "MINUTE", "MONTH", "NOW", "PROCTIME", "QUARTER", "SECOND"),
        *("TIMESTAMPADD", "TIMESTAMPDIFF", "WEEK", "YEAR"),
    ),
}
#: What stands before OVER alone.
OVER_ALONE = RANKS
#: What Flink 2.3 has besides.
MISSING = {
    "Variant functions": ("PARSE_JSON", "TRY_PARSE_JSON"),
    "Collection functions": ("OBJECT_OF", "OBJECT_UPDATE"),
    "Bitmap functions": (
        *("BITMAP_AND", "BITMAP_ANDNOT", "BITMAP_AND_AGG", "BITMAP_AND_CARDINALITY_AGG", "BITMAP_BUILD"),
        *("BITMAP_BUILD_AGG", "BITMAP_BUILD_CARDINALITY_AGG", "BITMAP_CARDINALITY", "BITMAP_FROM_BYTES", "BITMAP_OR"),
        *("BITMAP_OR_AGG", "BITMAP_OR_CARDINALITY_AGG", "BITMAP_TO_ARRAY", "BITMAP_TO_BYTES", "BITMAP_TO_STRING"),
        *("BITMAP_XOR", "BITMAP_XOR_AGG", "BITMAP_XOR_CARDINALITY_AGG"),
    ),
    "Table functions": ("FROM_CHANGELOG", "ML_PREDICT", "TO_CHANGELOG"),
}
SECTIONS = [
    "Comparison functions",
    "Logical functions",
    "Arithmetic functions",
    "String functions",
    "Temporal functions",
    "Conditional functions",
    "Type conversion functions",
    "Collection functions",
    "JSON functions",
    "Variant functions",
    "Bitmap functions",
    "Hash functions",
    "Aggregate functions",
    "Table functions",
]


def page() -> str:
    """The page as it should be."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# Functions of SQL"
    yield ""
    yield "Written by `make sql-functions-table` from the code, in the order of Flink's page of built-in functions."
    for section in SECTIONS:
        yield ""
        yield f"## {section}"
        yield ""
        names = {name for name, each in FUNCTIONS.items() if each.section == section} | set(SPECIAL.get(section, ()))
        if section == "Aggregate functions":
            names = (set(AGGREGATES) - {"SUM0"}) | OVER_ALONE | {"GROUPING", "GROUPING_ID"}
        there = " ".join([OPERATORS.get(section, ""), *[f"`{name}`" for name in sorted(names)]]).strip()
        yield there or "None."
        if section in MISSING:
            yield ""
            yield f"Not there: {' '.join(f'`{name}`' for name in MISSING[section])}"


def known() -> set[str]:
    """All names that statements can call."""
    return {name for name in FUNCTIONS if name in KERNELS} | set(AGGREGATES) | set(function_calls.SPECIAL)


if __name__ == "__main__":
    PAGE.write_text(page())
