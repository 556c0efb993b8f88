"""Refuses clauses that nobody reads, where they would be ignored: knows what each part of a statement may have.

The parser reads many dialects, and keeps what it has read among the arguments of its nodes. Binders read those that are
listed here, so that all others have to be errors.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from windrow.sql import syntax as s
from windrow.sql.errors import sql_error

_USUAL = frozenset({"this", "expression", "expressions"})

#: The arguments that are read, by kind of node, beside the usual ones.
_READ: dict[type, frozenset[str]] = {
    exp.Select: frozenset(
        {
            "with_",
            "from_",
            "joins",
            "where",
            "group",
            "having",
            "qualify",
            "distinct",
            "order",
            "limit",
            "offset",
            "windows",
        }
    ),
    exp.Union: frozenset({"with_", "distinct", "order", "limit", "offset"}),
    exp.Except: frozenset({"with_", "distinct", "order", "limit", "offset"}),
    exp.Intersect: frozenset({"with_", "distinct", "order", "limit", "offset"}),
    exp.Subquery: frozenset({"alias", "joins", "with_", "sample", "pivots"}),
    exp.Values: frozenset({"alias", "order", "limit", "offset", "sample", "pivots"}),
    exp.Table: frozenset({"alias", "db", "catalog", "hints", "joins", "version", "sample", "pivots"}),
    exp.TableSample: frozenset({"percent", "size"}),
    exp.Pivot: frozenset({"fields", "unpivot"}),
    exp.Version: frozenset({"kind"}),
    exp.TableAlias: frozenset({"columns"}),
    exp.CTE: frozenset({"alias"}),
    exp.Lateral: frozenset({"alias"}),
    exp.Unnest: frozenset({"alias", "offset"}),
    exp.Alias: frozenset({"alias"}),
    exp.Anonymous: frozenset({"not_null"}),
    exp.Column: frozenset({"table", "db", "catalog"}),
    exp.Join: frozenset({"on", "side", "kind", "using", "method"}),
    exp.Fetch: frozenset({"direction", "count", "limit_options"}),
    exp.LimitOptions: frozenset({"rows"}),
    exp.Ordered: frozenset({"desc", "nulls_first"}),
    exp.Window: frozenset({"partition_by", "order", "over", "spec", "alias"}),
    exp.WindowSpec: frozenset({"kind", "start", "start_side", "end", "end_side"}),
    exp.Between: frozenset({"low", "high", "symmetric"}),
    exp.In: frozenset({"query"}),
    exp.Like: frozenset({"negate"}),
    exp.Case: frozenset({"ifs", "default"}),
    exp.If: frozenset({"true", "false"}),
    exp.Cast: frozenset({"to"}),
    exp.TryCast: frozenset({"to"}),
    exp.DataType: frozenset({"nested"}),
    exp.DPipe: frozenset({"safe"}),
    exp.Literal: frozenset({"is_string"}),
    exp.Identifier: frozenset({"quoted"}),
    exp.Distinct: frozenset({"on"}),
}

#: The usual arguments that nothing reads.
_UNREAD: dict[type, frozenset[str]] = {exp.Limit: frozenset({"expressions"}), exp.Offset: frozenset({"expressions"})}

#: What to say of a clause, where its name alone does not say it.
_ADVICE = {
    "laterals": "LATERAL VIEW is not supported: write CROSS JOIN LATERAL TABLE(f(a)) AS t(b)",
    "except_": "* EXCEPT is not supported: write the columns",
    "replace": "* REPLACE is not supported: write the columns",
    "rename": "* RENAME is not supported: write the columns, with AS",
    "ilike": "* ILIKE is not supported: write the columns",
    "into": "SELECT INTO is not supported: write INSERT INTO a table, and then the query",
    "locks": "FOR UPDATE and FOR SHARE are not supported: leave them out",
    "rollup": "WITH ROLLUP is not supported: write GROUP BY ROLLUP (...)",
    "cube": "WITH CUBE is not supported: write GROUP BY CUBE (...)",
    "totals": "WITH TOTALS is not supported: write GROUP BY ROLLUP (...)",
    "all": "GROUP BY takes neither ALL nor DISTINCT here: write the columns",
    "recursive": "WITH RECURSIVE is not supported: compute it in a process function",
    "with_ties": "FETCH FIRST ... WITH TIES is not supported: write ROWS ONLY",
    "percent": "FETCH FIRST ... PERCENT is not supported: write a number of rows",
    "ordinality": "WITH ORDINALITY is not supported: number the rows with ROW_NUMBER()",
    "system_time": "FOR SYSTEM_TIME AS OF stands behind a table in JOIN",
    "by_name": "UNION ALL BY NAME is not supported: write the columns in one order on both sides",
    "sort": "SORT BY is not supported: sort what collect() gives",
    "cluster": "CLUSTER BY is not supported: leave it out",
    "distribute": "DISTRIBUTE BY is not supported: leave it out",
}


def refuse_unread(statement: Any, text: str) -> None:
    """Look through a statement for clauses that nothing reads.

    Raises:
        SqlError: there is one, with its name and what to write instead.
    """
    for node in statement.walk():
        if type(node).__module__ == s.__name__:
            continue
        read = (_USUAL | _READ.get(type(node), frozenset())) - _UNREAD.get(type(node), frozenset())
        for key, value in node.args.items():
            if key in read or not _is_there(node, key, value):
                continue
            name = "by" if key == "expressions" else key  # LIMIT 1 BY a
            word = f"{name.strip('_').replace('_', ' ').upper()} in {type(node).__name__.upper()}"
            message = _ADVICE.get(key, f"{word} is not supported here: leave it out")
            raise sql_error(text, node, message)


def _is_there(node: Any, key: str, value: Any) -> bool:
    if isinstance(node, exp.Group) and key == "all":  # False stands for DISTINCT
        return value is not None
    return value not in (None, False, "") and value != []
