"""Settings of pipelines, execution and Python workers that are kept and change nothing."""

from __future__ import annotations

from typing import Final

from windrow.common.settings.kinds import (
    ANYTHING,
    BOOLEAN,
    DURATION,
    TEXT,
    Kind,
    one_of,
)
from windrow.common.settings.setting import Effect, Setting

_PICKLED = "elements and state are pickled, never written by Java's serializers"
_CHAINING = "operators without an exchange between them share a subtask; that changes no result"
STORE = "state is in Spark's RocksDB state store, which spark.sql.streaming.stateStore.rocksdb.* tunes"
_WORKERS = "there is no Java process between Spark's Python workers and the functions"
_BATCH = "Spark plans exchanges and tasks of batch jobs"
_CANCEL = "a job that is cancelled is stopped by Spark at once"
_PLAN = "get_execution_plan() shows operators one by one"
_DEPLOYED = "spark-submit, or the session, says how a program is deployed"


def row(
    key: str,
    kind: Kind,
    example: str,
    words: str,
    same: tuple[str, ...] = (),
    older: tuple[str, ...] = (),
    setter: str | None = None,
    getter: str | None = None,
) -> Setting:
    """A setting that is kept and changes nothing."""
    return Setting(key, kind, Effect.WARNED, words, example, same, setter, getter, older)


_OF_PIPELINES = [
    row(
        "pipeline.operator-chaining.enabled",
        BOOLEAN,
        "false",
        _CHAINING,
        same=("true",),
        older=("pipeline.operator-chaining",),
        setter="env.|disable_operator_chaining",
        getter="env.is_chaining_enabled",
    ),
    row(
        "pipeline.operator-chaining.chain-operators-with-different-max-parallelism",
        BOOLEAN,
        "false",
        _CHAINING,
        same=("true",),
    ),
    row(
        "execution.buffer-timeout.interval",
        DURATION,
        "1 min",
        "on Spark a batch is what is buffered; windrow.trigger.interval says how often batches start",
        same=("100 ms",),
        older=("execution.buffer-timeout",),
        setter="env.set_buffer_timeout",
        getter="env.get_buffer_timeout",
    ),
    row("execution.buffer-timeout.enabled", BOOLEAN, "false", "on Spark a batch is what is buffered", same=("true",)),
    row(
        "pipeline.closure-cleaner-level",
        one_of("NONE", "TOP_LEVEL", "RECURSIVE"),
        "NONE",
        "functions are sent with what they refer to; nothing is cleaned",
        same=("RECURSIVE", "TOP_LEVEL"),
        setter="config.enable_closure_cleaner|disable_closure_cleaner",
        getter="config.is_closure_cleaner_enabled",
    ),
    row(
        "pipeline.force-avro",
        BOOLEAN,
        "true",
        _PICKLED,
        same=("false",),
        setter="config.enable_force_avro|disable_force_avro",
        getter="config.is_force_avro_enabled",
    ),
    row(
        "pipeline.force-kryo",
        BOOLEAN,
        "true",
        _PICKLED,
        same=("false",),
        setter="config.enable_force_kryo|disable_force_kryo",
        getter="config.is_force_kryo_enabled",
    ),
    row(
        "pipeline.generic-types",
        BOOLEAN,
        "false",
        f"{_PICKLED}, so every type is a generic one",
        same=("true",),
        setter="config.enable_generic_types|disable_generic_types",
    ),
    row("pipeline.serialization-config", ANYTHING, "[]", _PICKLED),
    row("pipeline.default-kryo-serializers", ANYTHING, "class:a.B,serializer:a.C", _PICKLED),
    row("pipeline.registered-kryo-types", ANYTHING, "a.B", _PICKLED),
    row("pipeline.registered-pojo-types", ANYTHING, "a.B", _PICKLED),
    row("pipeline.force-kryo-avro", BOOLEAN, "true", _PICKLED, same=("false",)),
    row("pipeline.vertex-description-mode", one_of("TREE", "CASCADING"), "CASCADING", _PLAN, same=("TREE",)),
    row(
        "pipeline.sources.pause-until-first-checkpoint",
        BOOLEAN,
        "true",
        "sources begin with the first batch, which ends with the first checkpoint",
        same=("false",),
    ),
    row("pipeline.watermark-alignment.buffer-size", ANYTHING, "3", "alignment is checked behind every poll"),
    row("pipeline.vertex-name-include-index-prefix", BOOLEAN, "true", _PLAN, same=("false",)),
    row(
        "metrics.latency.interval",
        DURATION,
        "5 s",
        "no latency markers are sent; JobClient.get_metrics() has watermarks and their lag",
        same=("0",),
        setter="config.set_latency_tracking_interval",
        getter="config.get_latency_tracking_interval",
    ),
    row(
        "task.cancellation.interval",
        DURATION,
        "5 s",
        _CANCEL,
        same=("30 s",),
        older=("task.cancellation-interval",),
        setter="config.set_task_cancellation_interval",
        getter="config.get_task_cancellation_interval",
    ),
    row(
        "task.cancellation.timeout",
        DURATION,
        "5 s",
        _CANCEL,
        same=("180 s",),
        setter="config.set_task_cancellation_timeout",
        getter="config.get_task_cancellation_timeout",
    ),
    row("task.cancellation.timers.timeout", DURATION, "5 s", _CANCEL),
]

_OF_EXECUTION = [
    row("execution.batch-shuffle-mode", ANYTHING, "ALL_EXCHANGES_PIPELINED", _BATCH),
    *(
        row(prefix, ANYTHING, "1", _BATCH)
        for prefix in (
            "execution.batch.*",
            "execution.hybrid-shuffle.*",
            "execution.batch-state-backend.*",
            "execution.sort.*",
            "execution.sort-keyed-partition.*",
            "execution.sort-partition.*",
            "execution.sorted-inputs.*",
        )
    ),
    *(
        row(key, ANYTHING, "1", _DEPLOYED)
        for key in (
            "execution.attached",
            "execution.target",
            "execution.shutdown-on-attached-exit",
            "execution.shutdown-on-application-finish",
            "execution.submit-failed-job-on-application-error",
            "execution.terminate-application-on-any-job-exception",
            "execution.terminate-application-on-any-job-terminated-exceptionally",
            "execution.allow-client-job-configurations",
            "execution.program-config.*",
            "execution.embedded-rpc-job-status-interval",
        )
    ),
    row("execution.async-state.*", ANYTHING, "100", "state is in the subtask's memory while a batch runs"),
]

_OF_PYTHON = [
    row("python.client.executable", TEXT, "python3", "the program runs in the Python that it was started with"),
    *(
        row(prefix, ANYTHING, "1", _WORKERS)
        for prefix in (
            "python.execution-mode",
            "python.fn-execution.*",
            "python.internal.*",
            "python.job-options",
            "python.logging.*",
            "python.loopback-server.address",
            "python.map-state.*",
            "python.metric.enabled",
            "python.operator-chaining.enabled",
            "python.profile.enabled",
            "python.state.cache-size",
            "python.systemenv.enabled",
        )
    ),
]

WITHOUT_EFFECT: Final = [*_OF_PIPELINES, *_OF_EXECUTION, *_OF_PYTHON]
