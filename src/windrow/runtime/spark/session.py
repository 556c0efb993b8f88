"""The Spark session a job runs on, and what Windrow sets on it for the time of a query."""

from __future__ import annotations

import logging
import os
import re
import sys
import tempfile
from collections.abc import Mapping
from contextlib import nullcontext
from threading import Lock
from typing import Any

from windrow.common.spark_connect import refuse_spark_connect, spark_connect_cannot
from windrow.errors import JobExecutionError
from windrow.runtime.spark.failures import plainly
from windrow.runtime.spark.forked_pythons import asks_for_forks, offer_forks, start_forks
from windrow.runtime.spark.java import find_java
from windrow.runtime.spark.local_disk import start_no_chmod
from windrow.runtime.spark.spark_home import check_spark_home, installed_pyspark
from windrow.runtime.spark.spark_log import into_log_file, keep_log, last_words
from windrow.runtime.spark.worker_python import check_worker_python

_STATE = "spark.sql.streaming.stateStore"

#: Of a session that Windrow starts itself.
_OWN_SESSION = {
    # Spark's page would be open to whoever reaches the machine.
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.session.timeZone": "UTC",
    # A worker that crashes in native code says in which line of Python.
    "spark.python.worker.faulthandler.enabled": "true",
}
#: Of one whose executors are all on this machine. Others have to find the driver, and may have no Windrow installed: a
#: daemon starts before there is what Spark brings to workers.
_ON_THIS_MACHINE = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.python.daemon.module": "windrow.runtime.spark.daemon",
    # What is shuffled stays on this machine: compressing it costs more than it saves.
    "spark.shuffle.compress": "false",
}
#: On a machine this small the threads of Java's parallel collectors only take time from the workers.
_FEW_CORES = 2
#: Java plans batches and hands bytes on, in which no loop is hot: what its second compiler makes is no faster here, and
#: making it takes as much of the processors as all else that Java does, over the first hundred batches more.
_COMPILED_QUICKLY = "-XX:TieredStopAtLevel=1"
#: Workers are processes on this machine, started by the Java that is started from here.
_LOCAL = re.compile(r"local(\[.*\])?")
#: Held while another session is the active one for a moment.
_ACTIVE_SESSION = Lock()


def session(options: Mapping[str, str] | None = None) -> Any:
    """The active Spark session, or a new one: spark-submit's, else a local one on all cores.

    Args:
        options: Spark settings (``spark.*``) for a session that has to be started.

    Raises:
        ConfigurationError: the active session is of Spark Connect, or one would be.
        JobExecutionError: Java or the workers' Python is missing or too old, or Spark does not start.
    """
    # A worker started with another Python would not have this program's packages.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    from pyspark.sql import SparkSession

    py4j = logging.getLogger("py4j")
    if py4j.level == logging.NOTSET:
        py4j.setLevel(logging.WARNING)  # a program that logs at INFO does not mean Py4J's connections
    with _ACTIVE_SESSION:
        # What is active is a matter of threads: one that another thread of the program has started runs all the same.
        active = SparkSession.getActiveSession() or SparkSession._instantiatedSession
    refuse_spark_connect(active, "the active Spark session")
    if active is not None and active._sc._jsc is not None:
        return active
    _refuse_to_start_connect(options or {})
    builder = SparkSession.builder.appName("windrow")
    # Where nothing is said PySpark may be one whose sessions are of Connect (SPARK_CONNECT_MODE).
    settings = {"spark.api.mode": "classic", **(options or {})}
    if "spark.pyspark.python" in settings:
        os.environ["PYSPARK_PYTHON"] = settings["spark.pyspark.python"]  # PySpark looks nowhere else
    submitted = "PYSPARK_GATEWAY_PORT" in os.environ
    if not submitted:
        settings = _own_settings(settings.get("spark.master", "local[*]")) | settings
    for name, value in settings.items():
        builder = builder.config(name, value)
    if submitted:
        return builder.getOrCreate()
    if settings["spark.master"].startswith("local"):
        check_worker_python()
    check_spark_home()
    find_java()
    spark = _started(builder, settings["spark.master"])
    spark.sparkContext.setLogLevel("ERROR")
    if _LOCAL.fullmatch(settings["spark.master"]):
        offer_forks(spark)
    return spark


def _refuse_to_start_connect(options: Mapping[str, str]) -> None:
    """Refuse what has PySpark make a session of Spark Connect.

    Raises:
        ConfigurationError: it is set; addresses, which may have a token in them, are not shown.
    """
    if os.environ.get("SPARK_REMOTE") or "spark.remote" in options:
        spark_connect_cannot("SPARK_REMOTE or spark.remote is set, so the session would be of Spark Connect")
    if "SPARK_CONNECT_MODE_ENABLED" in os.environ:  # whatever its mode is
        spark_connect_cannot("SPARK_CONNECT_MODE_ENABLED is set, so the session would be of Spark Connect")
    if options.get("spark.api.mode", os.environ.get("SPARK_API_MODE", "")).lower() == "connect":
        spark_connect_cannot("spark.api.mode or SPARK_API_MODE is connect, so the session would be of Spark Connect")


def _own_settings(master: str) -> dict[str, str]:
    """Give the settings of a session that Windrow starts; those that the program makes itself override them."""
    folder = tempfile.gettempdir()  # Java does not look at TMPDIR
    is_here = master.startswith("local")
    java = [f"-Djava.io.tmpdir={folder}"]
    if is_here:
        java.append(_COMPILED_QUICKLY)
    if (os.cpu_count() or 1) <= _FEW_CORES:
        java.append("-XX:+UseSerialGC")
    settings = {"spark.master": master, **_OWN_SESSION, "spark.driver.extraJavaOptions": " ".join(java)}
    if is_here:
        settings |= {**_ON_THIS_MACHINE, "spark.local.dir": folder}
    return settings


def _started(builder: Any, master: str) -> Any:
    """A session of a Java that is started now, unless there is one.

    Raises:
        JobExecutionError: it does not start; says why, in Java's own words.
    """
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        # On a cluster what is sent to it comes from Spark's home.
        home = installed_pyspark() if _LOCAL.fullmatch(master) else nullcontext()
        with into_log_file(), home:
            return builder.getOrCreate()
    except (Py4JJavaError, PySparkException) as error:
        where = keep_log()
        words = plainly(last_words()) if "JAVA_GATEWAY_EXITED" in str(error) else plainly(str(error))
        msg = f"Spark does not start: {words or error}\n({where or 'its log is on stderr'})"
        raise JobExecutionError(msg) from None


def _query_settings(partitions: int) -> dict[str, str]:
    return {
        "spark.sql.shuffle.partitions": str(partitions),
        "spark.sql.execution.arrow.maxBytesPerBatch": str(64 << 20),
        # A task that is run again may read its splits in another order: who had read what it gave first begins anew.
        "spark.sql.shuffle.orderIndependentChecksum.enabled": "true",
        "spark.sql.shuffle.orderIndependentChecksum.enableFullRetryOnMismatch": "true",
        f"{_STATE}.providerClass": "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
        f"{_STATE}.rocksdb.changelogCheckpointing.enabled": "true",
        f"{_STATE}.rocksdb.trackTotalNumberOfRows": "false",
    }


#: Unless the user says otherwise. What Spark takes by itself starts a process (``readlink``) for each rename and each
#: look at a file of a local disk, some thirty in a batch. This one renames a file as atomically there.
_LOCAL_FILES = {
    "spark.sql.streaming.checkpointFileManagerClass": (
        "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager"
    )
}


def _use_this_python(spark: Any) -> None:
    """Let the workers of a local session that somebody else started be of the program's own environment.

    Unless ``PYSPARK_PYTHON`` says otherwise PySpark starts the first ``python3`` on the path, which has not what is
    installed in a virtual environment that was not activated.
    """
    context = spark.sparkContext
    asked_for = os.environ.get("PYSPARK_PYTHON", sys.executable) != sys.executable
    if context.pythonExec == "python3" and not asked_for and context.master.startswith("local"):
        context.pythonExec = sys.executable
    is_other = context.pythonExec != sys.executable and not asks_for_forks(context.pythonExec)
    if is_other and context.master.startswith("local"):
        check_worker_python({**os.environ, "PYSPARK_PYTHON": context.pythonExec})


def use_for_query(spark: Any, partitions: int) -> None:
    """Set what a query of ours needs on the user's session: for queries that the user starts."""
    _use_this_python(spark)
    for name, value in _query_settings(partitions).items():
        spark.conf.set(name, value)


#: Where Spark has rows of ours alone, unless the user says otherwise: they are few, and large. To work on them takes
#: less time than to make a class of each stage, and to compile in each batch the one that has the batch's time in it;
#: each task would write the classes of its projections anew, to find them compiled already.
_FEW_ROWS = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}

#: The format of Spark's state files in checkpoints that begin now; those that say nothing have 1. In 2 each commit has
#: names of its own for its files, so that those of two attempts at a batch cannot be mixed up.
STATE_FORMAT = 2
#: Of state files of that format, unless the user says otherwise: Hadoop has checksums beside its files on a disk.
_CHECKSUMS = {"spark.sql.streaming.checkpoint.fileChecksum.enabled": "false"}


def query_session(
    spark: Any,
    partitions: int,
    state_format: int | None = None,
    *,
    local_files: bool = True,
    few_rows: bool = False,
) -> Any:
    """A session for one query of ours: the user's settings, changed to what the query needs.

    Two queries that run at the same time have nothing to mix up, and the user's session stays as it is. Spark, its
    executors and its cached tables are shared; whoever listens to the queries of the user's session hears of this one.

    Args:
        spark: The user's session.
        partitions: How many partitions the query has.
        state_format: That of the state files in its checkpoint; None: it has none.
        local_files: Whether its checkpoint is on a disk of this machine, or on one that is mounted here.
        few_rows: Whether Spark itself has few rows to work on: none of a DataFrame, and no pages of state.
    """
    _use_this_python(spark)
    if state_format is not None:
        start_forks(spark)
    if local_files and state_format is not None and _is_ours(spark):
        start_no_chmod(spark)
    own = spark.newSession()
    wanted = {
        **(_LOCAL_FILES if local_files else {}),
        **(_CHECKSUMS if local_files and state_format == STATE_FORMAT else {}),
        **(_FEW_ROWS if few_rows else {}),
        **spark.conf.getAll,
        **_query_settings(partitions),
        **({} if state_format is None else {f"{_STATE}.checkpointFormatVersion": str(state_format)}),
        "spark.sql.adaptive.enabled": "false",
    }
    present = own.conf.getAll
    for name, value in wanted.items():
        if present.get(name) != value:
            own.conf.set(name, value)
    listeners = spark._jsparkSession.streams().listListeners()
    for listener in listeners:
        own._jsparkSession.streams().addListener(listener)
    return own


def _is_ours(spark: Any) -> bool:
    """Tell whether a session is one that Windrow has started, with its executors on this machine."""
    module = "spark.python.daemon.module"
    ours: bool = spark.sparkContext.getConf().get(module) == _ON_THIS_MACHINE[module]
    return ours


def create_frame(spark: Any, table: Any, schema: Any) -> Any:
    """A DataFrame of an Arrow table; the user's session stays the active one of the program.

    PySpark makes the session of ``createDataFrame`` the active one.
    """
    from pyspark.sql import SparkSession

    with _ACTIVE_SESSION:
        known, active = SparkSession._activeSession, SparkSession.getActiveSession()
        try:
            return spark.createDataFrame(table, schema)
        finally:
            SparkSession._activeSession = known
            if active is not None:
                SparkSession._get_j_spark_session_class(active._jvm).setActiveSession(active._jsparkSession)
