"""Runs SQL statements in Flink and says what it printed: started by ``sql_compare.py`` in the Python that has PyFlink.

Reads a JSON list of scripts from standard input, each ``{"setup": [statements], "queries": [statements]}``, and writes
a line of JSON for each as soon as it is done: for each query what the result's columns are and what ``print`` shows,
or the error.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from pyflink.java_gateway import get_gateway
from pyflink.table import EnvironmentSettings, TableEnvironment


def main() -> None:
    given = json.load(sys.stdin)
    jvm = get_gateway().jvm
    cluster = _cluster(jvm)
    try:
        address = cluster.getRestAddress().get()
        for script in given:
            environment = _environment(script, {"rest.address": address.getHost(), "rest.port": str(address.getPort())})
            answers = [_answer(jvm, environment, query) for query in script["queries"]]
            print(json.dumps(answers), flush=True)
    finally:
        cluster.close()


def _cluster(jvm: Any) -> Any:
    """One cluster for all queries: without it each starts one of its own, which takes longer than the query."""
    package = jvm.org.apache.flink.runtime.minicluster
    configuration = jvm.org.apache.flink.configuration.Configuration()
    configuration.setString("rest.bind-port", "0")
    builder = package.MiniClusterConfiguration.Builder().setConfiguration(configuration)
    cluster = package.MiniCluster(builder.setNumTaskManagers(1).setNumSlotsPerTaskManager(4).build())
    cluster.start()
    return cluster


def _environment(script: dict[str, Any], address: dict[str, str]) -> Any:
    batch = script.get("mode") == "batch"
    settings = EnvironmentSettings.in_batch_mode() if batch else EnvironmentSettings.in_streaming_mode()
    environment = TableEnvironment.create(settings)
    for name, value in {
        "execution.target": "remote",
        **address,
        "parallelism.default": "1",
        "table.local-time-zone": "UTC",
        "table.display.max-column-width": "100",
        **script.get("settings", {}),
    }.items():
        environment.get_config().set(name, value)
    for statement in script["setup"]:
        environment.execute_sql(statement)
    return environment


def _answer(jvm: Any, environment: Any, query: str) -> dict[str, Any]:
    written = jvm.java.io.ByteArrayOutputStream()
    before = jvm.java.lang.System.out
    try:
        result = environment._j_tenv.executeSql(query)
        columns = result.getResolvedSchema().getColumns()
        found = [[columns.get(i).getName(), columns.get(i).getDataType().toString()] for i in range(columns.size())]
        jvm.java.lang.System.setOut(jvm.java.io.PrintStream(written, True, "UTF-8"))
        result.print()
    except Exception as error:
        return {"error": _cause(error)}
    finally:
        jvm.java.lang.System.setOut(before)
    return {"columns": found, "printed": written.toString("UTF-8")}


def _cause(error: Exception) -> str:
    cause = getattr(error, "java_exception", None)
    if cause is None:
        return str(error)
    seen = []
    while cause is not None:
        if cause.getMessage():
            seen.append(cause.getMessage())
        cause = cause.getCause()
    return seen[-1] if seen else str(error)


if __name__ == "__main__":
    main()
