"""Settings that do what they say."""

from __future__ import annotations

from typing import Final

from windrow.common.settings.kinds import (
    BOOLEAN,
    DIRECTORY,
    DURATION,
    MAP,
    NUMBER,
    TEXT,
    Kind,
    items,
    one_of,
    whole_number,
)
from windrow.common.settings.setting import Effect, Setting

_STRATEGIES = ("none", "off", "disable", "fixed-delay", "fixeddelay", "failure-rate", "failurerate")
_EXPONENTIAL = ("exponential-delay", "exponentialdelay")


def _row(
    key: str,
    kind: Kind,
    example: str,
    words: str,
    older: tuple[str, ...] = (),
    setter: str | None = None,
    getter: str | None = None,
) -> Setting:
    return Setting(key, kind, Effect.HONOURED, words, example, older=older, setter=setter, getter=getter)


def _attempts(value: object) -> int | None:
    """Read a number of attempts; None for ever."""
    if value == "infinite":
        return None
    number = int(str(value))
    if number < 1:
        raise ValueError(value)
    return number


_OF_JOBS = [
    _row(
        "parallelism.default",
        whole_number(1, besides=-1),
        "3",
        "subtasks of operators that do not say themselves",
        setter="env.set_parallelism",
        getter="env.get_parallelism",
    ),
    _row(
        "pipeline.max-parallelism",
        whole_number(1, besides=-1),
        "64",
        "key groups of jobs, at most 32768",
        setter="env.set_max_parallelism",
        getter="env.get_max_parallelism",
    ),
    _row("pipeline.name", TEXT, "trips", "the name of jobs that `execute` is given none for"),
    _row(
        "execution.runtime-mode",
        one_of("STREAMING", "BATCH", "AUTOMATIC"),
        "BATCH",
        "whether jobs run as streams or as batches",
        setter="env.set_runtime_mode",
    ),
    _row(
        "pipeline.auto-watermark-interval",
        DURATION,
        "2 s",
        "how often generators are asked for a watermark where no elements come; 0 for never",
        setter="config.set_auto_watermark_interval",
        getter="config.get_auto_watermark_interval",
    ),
    _row(
        "pipeline.time-characteristic",
        one_of("EventTime", "IngestionTime", "ProcessingTime"),
        "IngestionTime",
        "which time `time_window` means (of Flink 1.x)",
        setter="env.set_stream_time_characteristic",
        getter="env.get_stream_time_characteristic",
    ),
    _row(
        "pipeline.object-reuse",
        BOOLEAN,
        "true",
        "elements are handed from operator to operator without copies",
        setter="config.enable_object_reuse|disable_object_reuse",
        getter="config.is_object_reuse_enabled",
    ),
    _row(
        "pipeline.auto-generate-uids",
        BOOLEAN,
        "false",
        "where it is false, an operator without a `uid` is an error",
        setter="config.enable_auto_generated_uids|disable_auto_generated_uids",
        getter="config.has_auto_generated_uids_enabled",
    ),
    _row(
        "pipeline.global-job-parameters",
        MAP,
        "{region: north}",
        "what `RuntimeContext.get_job_parameter` gives to functions",
        setter="config.set_global_job_parameters",
        getter="config.get_global_job_parameters",
    ),
    _row(
        "pipeline.watermark-alignment.allow-unaligned-source-splits",
        BOOLEAN,
        "true",
        "readers that cannot pause a split are not aligned, instead of being an error",
    ),
]

_OF_CHECKPOINTS = [
    _row(
        "execution.checkpointing.interval",
        DURATION,
        "5 min",
        "turns checkpoints on. On Spark every batch ends with one, so they come at least as often as batches do",
        setter="checkpoints.set_checkpoint_interval",
        getter="checkpoints.get_checkpoint_interval",
    ),
    _row(
        "execution.checkpointing.dir",
        DIRECTORY,
        "/tmp/checkpoints",
        "the directory of a job's checkpoint; a job of the local runtime has none",
        older=("state.checkpoints.dir",),
    ),
    _row(
        "execution.checkpointing.savepoint-dir",
        DIRECTORY,
        "/tmp/savepoints",
        "where savepoints are made if nothing else is said",
        older=("state.savepoints.dir",),
        setter="env.set_default_savepoint_directory",
        getter="env.get_default_savepoint_directory",
    ),
    _row(
        "execution.state-recovery.path",
        DIRECTORY,
        "/tmp/savepoints/savepoint-1",
        "the savepoint that a job starts from",
        older=("execution.savepoint.path",),
    ),
    _row(
        "execution.state-recovery.ignore-unclaimed-state",
        BOOLEAN,
        "true",
        "whether a job starts from a savepoint with state of operators that it does not have, which is lost then; "
        "false, unless it is set",
        older=("execution.savepoint.ignore-unclaimed-state",),
    ),
]

_DELAY = "how long after a failure a job starts again"
_OF_RESTARTS = [
    _row(
        "restart-strategy.type",
        one_of(*_STRATEGIES, *_EXPONENTIAL),
        "fixed-delay",
        "how a job that has failed is started again; none, unless it is set",
        older=("restart-strategy",),
        getter="env.get_restart_strategy",
    ),
    _row("restart-strategy.fixed-delay.attempts", whole_number(0), "3", "how often; 1, unless it is set"),
    _row("restart-strategy.fixed-delay.delay", DURATION, "10 s", f"{_DELAY}; 1 s, unless it is set"),
    _row(
        "restart-strategy.failure-rate.max-failures-per-interval",
        whole_number(1),
        "2",
        "how many failures within the interval are borne; 1, unless it is set",
    ),
    _row("restart-strategy.failure-rate.failure-rate-interval", DURATION, "5 min", "the interval; 1 min"),
    _row("restart-strategy.failure-rate.delay", DURATION, "10 s", f"{_DELAY}; 1 s, unless it is set"),
    _row("restart-strategy.exponential-delay.initial-backoff", DURATION, "2 s", "the first delay; 1 s"),
    _row("restart-strategy.exponential-delay.max-backoff", DURATION, "5 min", "the longest delay; 1 min"),
    _row(
        "restart-strategy.exponential-delay.backoff-multiplier",
        NUMBER,
        "2.0",
        "by what a delay is longer than the one before it; 1.5",
    ),
    _row(
        "restart-strategy.exponential-delay.reset-backoff-threshold",
        DURATION,
        "30 min",
        "after how long without a failure the first delay is used again; 1 h",
    ),
    _row(
        "restart-strategy.exponential-delay.jitter-factor",
        NUMBER,
        "0.2",
        "up to which part of itself a delay is longer or shorter, by chance; 0.1",
    ),
    _row(
        "restart-strategy.exponential-delay.attempts-before-reset-backoff",
        Kind("a whole number from 1, or infinite", _attempts),
        "5",
        "how often, until the first delay is used again; infinite",
    ),
]

_OF_DEPENDENCIES = [
    _row("python.files", items(","), "/tmp/helpers.py", "what functions import: files, folders, zip, egg, whl"),
    _row("python.pythonpath", TEXT, "/opt/libraries", "folders of the workers' machines that functions import from"),
    _row(
        "python.archives",
        items(","),
        "/tmp/data.zip#data",
        "archives that functions find extracted in their working directory",
    ),
    _row(
        "python.requirements",
        TEXT,
        "/tmp/requirements.txt#/tmp/packages",
        "packages that functions import, and the folder that pip takes them from",
    ),
    _row(
        "python.executable", TEXT, "/usr/bin/python3", "the Python of Spark's workers, in a session that Windrow starts"
    ),
    _row("pipeline.jars", items(";"), "/tmp/udf.jar", "jars of a Spark session that Windrow starts"),
    _row("pipeline.classpaths", items(";"), "file:///tmp/classes", "class paths of such a session"),
]

_OF_TABLES = [
    _row(
        "table.local-time-zone",
        TEXT,
        "Europe/Berlin",
        "in which SQL shows points in time, and in which windows by them begin and end; UTC, unless it is set",
    ),
    _row(
        "table.display.max-column-width",
        whole_number(1),
        "50",
        "how wide columns of text are that `print` shows; 30, unless it is set",
    ),
    _row(
        "table.exec.source.idle-timeout",
        DURATION,
        "5 s",
        "after how long without rows a source, or a split of it, holds no watermark of SQL back; never, unless set",
    ),
    _row(
        "table.exec.state.ttl",
        DURATION,
        "1 h",
        "for how long rows of a join of SQL wait for each other that has no bound in time; without it there is none",
    ),
    _row(
        "table.dml-sync",
        BOOLEAN,
        "true",
        "whether an `INSERT INTO` of a program has ended when its call returns; not, unless it is set",
    ),
    _row(
        "table.exec.emit.early-fire.enabled",
        BOOLEAN,
        "true",
        "whether windows of `GROUP BY TUMBLE(...)` and `HOP(...)` give results before their end; not, unless it is set",
    ),
    _row(
        "table.exec.emit.early-fire.delay",
        DURATION,
        "5 s",
        "how often they do; `0 s`: with each row",
    ),
    _row(
        "table.exec.emit.late-fire.enabled",
        BOOLEAN,
        "true",
        "whether they give results anew for rows that come behind their end; not, unless it is set",
    ),
    _row(
        "table.exec.emit.late-fire.delay",
        DURATION,
        "0 s",
        "how long behind a late row; `0 s`: with each of them",
    ),
    _row(
        "table.exec.emit.allow-lateness",
        DURATION,
        "1 h",
        "for how long behind their end rows still count, with late-fire",
    ),
    _row(
        "sql-client.execution.result-mode",
        one_of("table", "changelog", "tableau"),
        "tableau",
        "how `windrow sql` shows results without end at a terminal; as a table that changes, unless it is set",
    ),
]

_OF_WINDROW = [
    _row("windrow.runtime", one_of("spark", "local"), "local", "where jobs run; Spark, unless it is set"),
    _row(
        "windrow.default-parallelism",
        whole_number(1),
        "2",
        "the parallelism where nothing else says one; one subtask for each processor, unless it is set",
        setter="env.set_default_local_parallelism",
        getter="env.get_default_local_parallelism",
    ),
    _row(
        "windrow.ui.enabled",
        BOOLEAN,
        "true",
        "jobs have a page (`docs/job_page.md`); if it is not set, where standard error is a terminal",
    ),
    _row("windrow.ui.host", TEXT, "0.0.0.0", "where the page listens; 127.0.0.1, unless it is set"),
    _row("windrow.ui.port", whole_number(0), "8081", "the page's port; 0: a free one"),
    _row("windrow.ui.history", whole_number(0), "500", "the last batches that a job's history file keeps; 0: no file"),
    _row("windrow.ui.progress", BOOLEAN, "false", "a terminal shows how a job goes on while the program waits for it"),
    _row("windrow.columns.enabled", BOOLEAN, "false", "functions are computed on columns where they can be"),
    _row(
        "windrow.columns.float-sums-in-any-order",
        BOOLEAN,
        "true",
        "windows may add floats up in another order than that of arrival: sliding windows are faster, and floats are "
        "combined before they cross an exchange; the last digits of sums may be others",
    ),
    _row(
        "windrow.columns.local-aggregation",
        BOOLEAN,
        "false",
        "elements of windows are combined before they cross an exchange, where that changes no result",
    ),
    _row("windrow.trigger.interval", whole_number(0), "500", "milliseconds between batches; 0: as they come"),
    _row("windrow.trigger.available-now", BOOLEAN, "true", "jobs end when what is there when they start is read"),
    _row("windrow.driver.port", whole_number(0), "7070", "the program's port for workers of its jobs; 0: a free one"),
    _row(
        "windrow.source.splits-per-batch",
        whole_number(1),
        "2",
        "planned splits of a channel in a batch; 4 to 32, by how long batches take, unless it is set",
    ),
    _row("windrow.source.elements-per-split", whole_number(0), "100", "elements of the parts that splits are cut into"),
    _row("windrow.source.records-per-batch", whole_number(1), "1000", "elements that a reader gives in a batch"),
    _row("windrow.source.bytes-per-batch", whole_number(1), "100000", "bytes that it gives, about"),
    _row("windrow.source.wait", whole_number(0), "10", "milliseconds that a reader with nothing is waited for"),
    _row("windrow.source.duration", whole_number(0), "100", "milliseconds that a reader reads for a batch"),
]


HONOURED: Final = [*_OF_JOBS, *_OF_CHECKPOINTS, *_OF_RESTARTS, *_OF_DEPENDENCIES, *_OF_TABLES, *_OF_WINDROW]
