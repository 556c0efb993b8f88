"""Which of PyFlink's tests do not apply: decided by what a test's text names, never by whether it fails."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from scripts.pyflink_suite.cases import Case
from windrow.absent.names import MODULES, NAMES


@dataclass(frozen=True)
class Rule:
    """A kind of test that does not apply.

    Attributes:
        kind: what it is called in the report.
        why: what decides it, in words.
        holds: whether a test is of this kind.
    """

    kind: str
    why: str
    holds: Callable[[Case], bool]


_JAVA_NAMES = {
    "Py4JJavaError",
    "get_gateway",
    "get_java_function",
    "get_java_type_info",
    "get_field",
    "get_field_value",
    "get_log_dir",
    "invoke_method",
    "invoke_java_object_method",
    "is_instance_of",
    "jvm",
    "load_java_class",
    "to_jarray",
    "to_java_data_structure",
    "register_cached_file",
    "create_hadoop_configuration",
}
_JAVA_OBJECT = re.compile(r"_?(to_|from_)?j_\w+|_from_java_\w+|_to_java_\w+")
_TABLE = {"t_env", "StreamTableEnvironment", "EnvironmentSettings", "TableEnvironment", "exec_insert_table", "udf"}
_JARS = {"add_jars", "add_classpaths", "_find_flink_source_root"}


def _asks_java(case: Case) -> bool:
    return bool(case.names & _JAVA_NAMES) or any(_JAVA_OBJECT.fullmatch(name) for name in case.names)


def _is_left_out(case: Case) -> bool:
    """Whether it uses what src/windrow/absent says is left out, or takes a Java class by its name."""
    for target in case.imports:
        module, _, name = target.rpartition(".")
        here = module.replace("pyflink", "windrow", 1)
        if here in MODULES or name in NAMES.get(here, {}):
            return True
    return False


#: In order: a test is of the first kind that holds.
RULES = (
    Rule("skipped", "PyFlink itself passes it over: unittest.skip", lambda case: case.skipped),
    Rule(
        "completeness",
        "compares PyFlink's methods with a Java class's; docs/api_coverage.md does it for Windrow",
        lambda case: "PythonAPICompletenessTestCase" in case.bases,
    ),
    Rule(
        "machinery",
        "is of how PyFlink's workers code elements and start, its thread mode, or operators it adds to plans",
        lambda case: (
            case.file.startswith("fn_execution/")
            or case.name.endswith("_in_thread_mode")
            or "_keyed_stream_values_operator" in case.names
        ),
    ),
    Rule("jars", "puts jars on Flink's class path", lambda case: bool(case.names & _JARS)),
    Rule("Table API", "names a table environment or a table function", lambda case: bool(case.names & _TABLE)),
    Rule("left out", "uses a class or module that src/windrow/absent says is left out, with the reason", _is_left_out),
    Rule("Java", "asks the Java gateway, or looks into the Java objects behind PyFlink's", _asks_java),
)


def rule_for(case: Case) -> Rule | None:
    """The rule by which a test does not apply; None if it applies."""
    return next((rule for rule in RULES if rule.holds(case)), None)
