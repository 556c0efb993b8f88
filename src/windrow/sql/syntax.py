"""The nodes that Flink's statements are made of where sqlglot has none."""

from __future__ import annotations

from sqlglot import exp


class WindowTable(exp.Expression):
    """``TABLE t`` among the arguments of a window table function."""

    arg_types = {"this": True, "partition": False}


class Descriptor(exp.Expression):
    """``DESCRIPTOR(c, ...)``."""

    arg_types = {"expressions": True}


class Named(exp.Expression):
    """``NAME => value``."""

    arg_types = {"this": True, "expression": True}


class SpanInterval(exp.Expression):
    """``INTERVAL '1-2' YEAR TO MONTH``: text, first unit, last unit."""

    arg_types = {"this": True, "unit": True, "last": False}


class ColumnDef(exp.Expression):
    """A physical column, or with ``computed`` or ``metadata`` another one."""

    arg_types = {
        "this": True,
        "kind": False,
        "not_null": False,
        "computed": False,
        "metadata": False,
        "key": False,
        "virtual": False,
        "primary": False,
        "not_enforced": False,
        "comment": False,
    }


class WatermarkDef(exp.Expression):
    """``WATERMARK FOR this AS expression``."""

    arg_types = {"this": True, "expression": True}


class PrimaryKeyDef(exp.Expression):
    """``CONSTRAINT this PRIMARY KEY (...) NOT ENFORCED``."""

    arg_types = {"this": False, "expressions": True, "not_enforced": False}


class CreateTable(exp.Expression):
    """``CREATE TABLE``."""

    arg_types = {
        "this": True,
        "expressions": False,
        "options": False,
        "exists": False,
        "partitioned": False,
        "like": False,
        "query": False,
        "temporary": False,
        "comment": False,
        "replace": False,
    }


class AlterTable(exp.Expression):
    """``ALTER TABLE``: what is done (``action``) with which parts; RENAME has a column, or none, and the new name."""

    arg_types = {
        "this": True,
        "action": True,
        "expressions": False,
        "renamed": False,
        "name": False,
        "exists": False,
    }


class AlterView(exp.Expression):
    """``ALTER VIEW v RENAME TO name``, or ``AS`` another query."""

    arg_types = {"this": True, "name": False, "expression": False, "source": False}


class PlacedDefinition(exp.Expression):
    """A column ``AFTER`` another one, or, without that, ``FIRST``."""

    arg_types = {"this": True, "after": False}


class LikeTable(exp.Expression):
    """``LIKE t (INCLUDING ALL ...)``."""

    arg_types = {"this": True, "options": False}


class LikeOption(exp.Expression):
    """``INCLUDING``, ``EXCLUDING`` or ``OVERWRITING`` (``rule``), and a part of a table (``what``)."""

    arg_types = {"rule": True, "what": True}


class CreateView(exp.Expression):
    """``CREATE VIEW``, with the query and its text."""

    arg_types = {
        "this": True,
        "columns": False,
        "expression": True,
        "source": True,
        "exists": False,
        "replace": False,
        "temporary": False,
        "comment": False,
    }


class CreateFunction(exp.Expression):
    """``CREATE TEMPORARY [SYSTEM] FUNCTION name AS 'module.attribute' LANGUAGE PYTHON``."""

    arg_types = {"this": True, "target": True, "language": False, "exists": False, "system": False, "temporary": False}


class DropFunction(exp.Expression):
    """``DROP TEMPORARY [SYSTEM] FUNCTION name``."""

    arg_types = {"this": True, "exists": False, "system": False, "temporary": False}


class DropStatement(exp.Expression):
    """``DROP [TEMPORARY] TABLE`` and ``DROP [TEMPORARY] VIEW``."""

    arg_types = {"this": True, "kind": True, "exists": False, "temporary": False}


class ShowStatement(exp.Expression):
    """``SHOW TABLES [FROM this] [NOT] LIKE 'pattern'`` and such."""

    arg_types = {"kind": True, "this": False, "pattern": False, "negated": False, "any_case": False}


class DescribeStatement(exp.Expression):
    """``DESCRIBE t``."""

    arg_types = {"this": True}


class ExplainStatement(exp.Expression):
    """``EXPLAIN [PLAN FOR] statement``."""

    arg_types = {"this": True}


class SetStatement(exp.Expression):
    """``SET 'key' = 'value'``."""

    arg_types = {"key": False, "value": False}


class ResetStatement(exp.Expression):
    """``RESET 'key'``."""

    arg_types = {"key": False}


class UseStatement(exp.Expression):
    """``USE [CATALOG] name``."""

    arg_types = {"this": True, "catalog": False}


class InsertStatement(exp.Expression):
    """``INSERT INTO t [PARTITION (column = value, ...)] [(columns)] query``."""

    arg_types = {"this": True, "columns": False, "expression": True, "overwrite": False, "partition": False}


class OwnCall(exp.Expression):
    """The call of a function of the program's own that has no name in the catalogue."""

    arg_types = {"function": True, "expressions": False}


class Quantified(exp.Expression):
    """``this > ALL (query)``: a comparison (``operator``) with all values of a query, or without ``every`` with any."""

    arg_types = {"this": True, "query": True, "operator": True, "every": False}


class JsonMade(exp.Expression):
    """``JSON_OBJECT(KEY 'a' VALUE 1 NULL ON NULL)`` and ``JSON_ARRAY(1, 2 ABSENT ON NULL)``."""

    arg_types = {"this": True, "keys": False, "expressions": False, "on_null": True}


class JsonCall(exp.Expression):
    """``JSON_VALUE(text, path RETURNING INT DEFAULT 0 ON EMPTY ERROR ON ERROR)``, and its like."""

    arg_types = {
        "this": True,
        "expressions": True,
        "returning": False,
        "empty": False,
        "empty_default": False,
        "error": False,
        "error_default": False,
        "wrapper": False,
    }


class StatementSet(exp.Expression):
    """``EXECUTE STATEMENT SET BEGIN ... END``."""

    arg_types = {"expressions": True}
