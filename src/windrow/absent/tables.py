"""Left out of PyFlink's Table API: modules, names and methods, each with the reason and what to use instead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_BITMAP = "there are no bitmaps: COUNT(DISTINCT ...) counts each value once"
_CATALOG = "there is one catalog, default_catalog; CREATE TABLE makes its tables"
_DIALECT = "there is one dialect, Flink's"
_MODEL = "a model is what a function calls: udf, with open() to load it once"
_MODULE = "all functions are there; those of the program are given by create_temporary_system_function"
_OF_JAVA = "functions are of Python: create_temporary_system_function takes what udf gives"
_PLAN = "a statement is planned where it runs; explain_sql shows its plan"
_PROCESS_TABLE = "there are no process table functions; to_data_stream gives a process function the rows"
_SCHEMA = "get_schema gives the names and types of the columns"

#: Modules below ``windrow``.
TABLE_MODULES: Final[Mapping[str, str]] = {
    "windrow.table.catalog": _CATALOG,
    "windrow.table.compiled_plan": _PLAN,
    "windrow.table.descriptors": "TableDescriptor and Schema have replaced it in Flink, too",
    "windrow.table.model_descriptor": _MODEL,
    "windrow.table.module": _MODULE,
    "windrow.table.plan_reference": _PLAN,
    "windrow.table.resolved_expression": "an expression has a type once it is a column: get_schema",
    "windrow.table.sql_dialect": _DIALECT,
    "windrow.table.table_pipeline": "execute_insert starts a job, and a statement set one for several inserts",
}

_USER_DEFINED_TYPE = "a column has a type of SQL; a function makes what is particular of it"

#: By module, names that it has in PyFlink.
TABLE_NAMES: Final[Mapping[str, Mapping[str, str]]] = {
    "windrow.table": {
        "CompiledPlan": _PLAN,
        "Module": _MODULE,
        "ModuleEntry": _MODULE,
        "PlanReference": _PLAN,
        "SqlDialect": _DIALECT,
        "TablePipeline": TABLE_MODULES["windrow.table.table_pipeline"],
        "UserDefinedType": _USER_DEFINED_TYPE,
    },
    "windrow.table.expressions": {
        "descriptor": "Tumble, Slide and Session are the windows of tables",
        "source_watermark": "it stands in a schema: Schema.watermark(column, 'SOURCE_WATERMARK()')",
    },
    "windrow.table.types": {"UserDefinedType": _USER_DEFINED_TYPE},
}

_INTERVAL = "a span of time is written lit(5).minutes; no column that is read or written has one"
#: By class and method.
TABLE_METHODS: Final[Mapping[str, Mapping[str, str]]] = {
    "DataTypes": {
        **dict.fromkeys(("DAY", "HOUR", "INTERVAL", "MINUTE", "MONTH", "SECOND", "YEAR"), _INTERVAL),
        "NULL": "null_of takes the type that NULL is of",
    },
    "EnvironmentSettings": dict.fromkeys(("get_built_in_catalog_name", "get_built_in_database_name"), _CATALOG),
    "Expression": {
        "as_argument": _PROCESS_TABLE,
        **dict.fromkeys(("bitmap_and", "bitmap_and_agg", "bitmap_and_cardinality_agg", "bitmap_andnot"), _BITMAP),
        **dict.fromkeys(("bitmap_build", "bitmap_build_agg", "bitmap_build_cardinality_agg"), _BITMAP),
        **dict.fromkeys(("bitmap_cardinality", "bitmap_from_bytes", "bitmap_or", "bitmap_or_agg"), _BITMAP),
        **dict.fromkeys(("bitmap_or_cardinality_agg", "bitmap_to_array", "bitmap_to_bytes"), _BITMAP),
        **dict.fromkeys(("bitmap_to_string", "bitmap_xor", "bitmap_xor_agg", "bitmap_xor_cardinality_agg"), _BITMAP),
        "flatten": "get gives a field of a row",
        "object_update": "structured types are those of Java; row makes a ROW",
    },
    "StatementSet": {
        "add": TABLE_MODULES["windrow.table.table_pipeline"],
        "compile_plan": _PLAN,
    },
    "Table": {
        "from_changelog": "from_changelog_stream makes a table of a stream of Rows that have kinds",
        "get_resolved_schema": _SCHEMA,
        "insert_into": "execute_insert, or a statement set with INSERT INTO",
        "to_changelog": "to_changelog_stream gives a stream of Rows that have kinds",
    },
    "TableConfig": {
        "get_default": "an environment has one: get_config()",
        **dict.fromkeys(
            ("get_max_generated_code_length", "set_max_generated_code_length"), "no code in Java is made of statements"
        ),
        **dict.fromkeys(("get_sql_dialect", "set_sql_dialect"), _DIALECT),
        **dict.fromkeys(
            ("get_python_executable", "set_python_executable"),
            "functions run in the Python of the program, or in that of Spark's executors",
        ),
        "to_map": "get_configuration().to_dict() gives the settings",
    },
    "TableEnvironment": {
        **dict.fromkeys(("compile_plan_sql", "execute_plan", "load_plan"), _PLAN),
        **dict.fromkeys(("create_catalog", "get_catalog", "register_catalog"), _CATALOG),
        "create_java_function": _OF_JAVA,
        "create_java_temporary_function": _OF_JAVA,
        "create_java_temporary_system_function": _OF_JAVA,
        **dict.fromkeys(("create_model", "create_temporary_model", "drop_model", "drop_temporary_model"), _MODEL),
        **dict.fromkeys(("list_models", "list_temporary_models"), _MODEL),
        "drop_function": "drop_temporary_function and drop_temporary_system_function forget a function",
        "list_materialized_tables": "there are none: INSERT INTO keeps a table up to date",
        **dict.fromkeys(("list_full_modules", "load_module", "unload_module", "use_modules"), _MODULE),
    },
    "TableResult": {"get_resolved_schema": "get_table_schema gives the names and types of the columns"},
}
