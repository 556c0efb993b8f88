"""Tables and SQL in PyFlink's module layout: a query becomes a stream, and runs where streams do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windrow.absent.explained import module_getattr
from windrow.absent.modules import reason_for_module
from windrow.common.types import Row, RowKind
from windrow.table.types import DataTypes

if TYPE_CHECKING:
    from windrow.table.changelog_mode import ChangelogMode
    from windrow.table.data_view import DataView, ListView, MapView
    from windrow.table.environment_settings import EnvironmentSettings
    from windrow.table.explain_detail import ExplainDetail
    from windrow.table.expression import Expression
    from windrow.table.result_kind import ResultKind
    from windrow.table.schema import Schema
    from windrow.table.statement_set import StatementSet
    from windrow.table.table import GroupedTable, GroupWindowedTable, OverWindowedTable, Table, WindowGroupedTable
    from windrow.table.table_config import TableConfig
    from windrow.table.table_descriptor import FormatDescriptor, TableDescriptor
    from windrow.table.table_environment import StreamTableEnvironment, TableEnvironment
    from windrow.table.table_result import TableResult
    from windrow.table.table_schema import TableSchema
    from windrow.table.udf import (
        AggregateFunction,
        AsyncScalarFunction,
        FunctionContext,
        ScalarFunction,
        TableAggregateFunction,
        TableFunction,
        UserDefinedFunction,
    )
    from windrow.table.window import GroupWindow, Over, OverWindow, Session, Slide, Tumble

__all__ = [
    "AggregateFunction",
    "AsyncScalarFunction",
    "ChangelogMode",
    "DataTypes",
    "DataView",
    "EnvironmentSettings",
    "ExplainDetail",
    "Expression",
    "FormatDescriptor",
    "FunctionContext",
    "GroupWindow",
    "GroupWindowedTable",
    "GroupedTable",
    "ListView",
    "MapView",
    "Over",
    "OverWindow",
    "OverWindowedTable",
    "ResultKind",
    "Row",
    "RowKind",
    "ScalarFunction",
    "Schema",
    "Session",
    "Slide",
    "StatementSet",
    "StreamTableEnvironment",
    "Table",
    "TableAggregateFunction",
    "TableConfig",
    "TableDescriptor",
    "TableEnvironment",
    "TableFunction",
    "TableResult",
    "TableSchema",
    "Tumble",
    "UserDefinedFunction",
    "WindowGroupedTable",
]

#: Names of the roof, which is loaded when one is first asked for, so that who describes files does without it.
_ROOF = {
    name: f"windrow.table.{module}"
    for name, module in {
        "ChangelogMode": "changelog_mode",
        "EnvironmentSettings": "environment_settings",
        "ExplainDetail": "explain_detail",
        "FormatDescriptor": "table_descriptor",
        "TableDescriptor": "table_descriptor",
        "ResultKind": "result_kind",
        "Schema": "schema",
        "StatementSet": "statement_set",
        "StreamTableEnvironment": "table_environment",
        "Table": "table",
        "TableConfig": "table_config",
        "TableEnvironment": "table_environment",
        "TableResult": "table_result",
        "TableSchema": "table_schema",
        "FunctionContext": "udf",
        "ScalarFunction": "udf",
        "AggregateFunction": "udf",
        "AsyncScalarFunction": "udf",
        "TableAggregateFunction": "udf",
        "TableFunction": "udf",
        "DataView": "data_view",
        "ListView": "data_view",
        "MapView": "data_view",
        "Expression": "expression",
        "GroupedTable": "table",
        "GroupWindowedTable": "table",
        "OverWindowedTable": "table",
        "WindowGroupedTable": "table",
        "GroupWindow": "window",
        "Over": "window",
        "OverWindow": "window",
        "Session": "window",
        "Slide": "window",
        "Tumble": "window",
        "UserDefinedFunction": "udf",
    }.items()
}

__getattr__ = module_getattr(__name__, _ROOF, otherwise=reason_for_module("windrow.table.functions"))
