"""Settings of Flink's clusters and of its Table API, methods that have no name in a configuration, what is refused."""

from __future__ import annotations

from typing import Final

from windrow.common.settings.kinds import ANYTHING
from windrow.common.settings.setting import Effect, Setting

_CLUSTER = "it is of Flink's processes; spark.* settings say what Spark's may use"
_TABLES = "it changes no result of SQL; those that would are an error where tables are made"
_RESOURCES = "Spark shares its executors among all operators"
_KRYO = "elements and state are pickled, never written by Java's serializers"
_CHAINS = "operators without an exchange between them share a subtask; that changes no result"

_PREFIXES = (
    "akka.*",
    "application-result-store.*",
    "arrow.allocation.manager.type",
    "blob.*",
    "classloader.*",
    "cleanup-strategy.*",
    "cluster.*",
    "compiler.delimited-informat.*",
    "completed-application-store.*",
    "env.hadoop.*",
    "env.hbase.*",
    "env.java.*",
    "env.log.*",
    "env.pid.*",
    "env.ssh.*",
    "env.stdout-err.*",
    "env.yarn.*",
    "events.reporters",
    "fs.*",
    "heartbeat.*",
    "high-availability",
    "high-availability.*",
    "historyserver.*",
    "io.tmp.dirs",
    "jmx.server.*",
    "job-event.*",
    "job-manager.*",
    "job-result-store.*",
    "jobmanager.*",
    "jobstore.*",
    "kubernetes.*",
    "library-cache-manager.*",
    "local.number-taskmanager",
    "metrics.*",
    "minicluster.*",
    "pekko.*",
    "plugin.classloader.*",
    "process.*",
    "query.client.*",
    "query.proxy.*",
    "query.server.*",
    "queryable-state.*",
    "recovery.*",
    "resourcemanager.*",
    "rest.*",
    "scheduler.*",
    "security.*",
    "shuffle-service-factory.*",
    "sink.committer.retries",
    "slot.*",
    "slotmanager.*",
    "slow-task-detector.*",
    "taskmanager.*",
    "traces.*",
    "web.*",
    "yarn.*",
    "zookeeper.*",
)

OF_CLUSTERS: Final = [
    *(Setting(prefix, ANYTHING, Effect.WARNED, _CLUSTER, "1") for prefix in _PREFIXES),
    *(Setting(key, ANYTHING, Effect.WARNED, _TABLES, "1") for key in ("sql-client.*", "sql-gateway.*", "table.*")),
]


def _method(call: str, words: str) -> Setting:
    return Setting(call, ANYTHING, Effect.WARNED, words, "")


#: What has no name in a configuration, under the name of its method.
METHODS: Final = [
    _method("StreamExecutionEnvironment.add_default_kryo_serializer", _KRYO),
    _method("StreamExecutionEnvironment.register_slot_sharing_group", _RESOURCES),
    _method("StreamExecutionEnvironment.register_type", _KRYO),
    _method("StreamExecutionEnvironment.register_type_with_kryo_serializer", _KRYO),
    _method("DataStream.disable_chaining", _CHAINS),
    _method("DataStream.set_buffer_timeout", "on Spark a batch is what is buffered"),
    _method("DataStream.slot_sharing_group", _RESOURCES),
    _method("DataStream.start_new_chain", _CHAINS),
]

_JAVA = "it names a class in Java, which cannot run here"

REFUSED: Final = [
    Setting(
        "pipeline.cached-files",
        ANYTHING,
        Effect.REFUSED,
        "there is no distributed cache; python.archives brings files to functions",
        "name:file1,path:file:///tmp/file1",
    ),
    Setting(
        "pipeline.jobvertex-parallelism-overrides",
        ANYTHING,
        Effect.REFUSED,
        "jobs have no vertices with Flink's ids; set_parallelism on an operator sets its own",
        "ab12:3",
        same=("",),
    ),
    Setting("execution.job-listeners", ANYTHING, Effect.REFUSED, _JAVA, "com.example.Listener"),
    Setting("execution.job-status-changed-listeners", ANYTHING, Effect.REFUSED, _JAVA, "com.example.Listener"),
]
