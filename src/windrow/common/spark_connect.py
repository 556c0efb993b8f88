"""Sessions of Spark Connect, on which no job can run."""

from __future__ import annotations

from typing import Any, NoReturn

from windrow.errors import ConfigurationError


def refuse_spark_connect(given: Any, what: str) -> None:
    """Refuse what comes from Spark Connect's client.

    Args:
        given: A session or a DataFrame.
        what: How the user calls it.

    Raises:
        ConfigurationError: it is of Spark Connect; says what is missing there.

    Example:
        >>> refuse_spark_connect(object(), "the session")
    """
    if type(given).__module__.startswith("pyspark.sql.connect."):
        spark_connect_cannot(f"{what} is of Spark Connect")


def spark_connect_cannot(said: str) -> NoReturn:
    """Say what is missing in Spark Connect.

    Args:
        said: What it is that is of Spark Connect.

    Raises:
        ConfigurationError: always.
    """
    msg = (
        f"{said}, and jobs need a session in the program's own Spark driver. A client of Connect has no SparkContext, "
        "so it cannot give workers what a job needs; its server calls foreachBatch in a process of its own, so this "
        "program receives no batch (what is printed, collected and committed); and checkpoints cannot be looked into. "
        "Unset SPARK_REMOTE, spark.remote, SPARK_API_MODE and spark.api.mode, and make the session with "
        "SparkSession.builder.master(...), or run the program with spark-submit"
    )
    raise ConfigurationError(msg)
