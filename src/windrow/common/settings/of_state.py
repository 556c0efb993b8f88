"""Settings of checkpoints and state backends that are kept and change nothing."""

from __future__ import annotations

from typing import Final

from windrow.common.settings.kinds import ANYTHING, BOOLEAN, DURATION, INTEGER, MEMORY, one_of, whole_number
from windrow.common.settings.without_effect import STORE, row

_CHECKPOINTS = "every batch ends with a checkpoint of Spark's, which has no barriers"

_OF_CHECKPOINTS = [
    row(
        "execution.checkpointing.mode",
        one_of("EXACTLY_ONCE", "AT_LEAST_ONCE"),
        "AT_LEAST_ONCE",
        "state is exactly once in any case",
        same=("EXACTLY_ONCE",),
        setter="checkpoints.set_checkpointing_mode",
    ),
    row(
        "execution.checkpointing.timeout",
        DURATION,
        "12 s",
        f"{_CHECKPOINTS}: it is part of the batch and takes as long as it takes",
        same=("10 min",),
        setter="checkpoints.set_checkpoint_timeout",
        getter="checkpoints.get_checkpoint_timeout",
    ),
    row(
        "execution.checkpointing.min-pause",
        DURATION,
        "1 s",
        f"{_CHECKPOINTS}; windrow.trigger.interval says how often batches start",
        same=("0",),
        setter="checkpoints.set_min_pause_between_checkpoints",
        getter="checkpoints.get_min_pause_between_checkpoints",
    ),
    row(
        "execution.checkpointing.max-concurrent-checkpoints",
        whole_number(1),
        "2",
        f"{_CHECKPOINTS}: one batch follows the other",
        same=("1",),
        setter="checkpoints.set_max_concurrent_checkpoints",
        getter="checkpoints.get_max_concurrent_checkpoints",
    ),
    row(
        "execution.checkpointing.tolerable-failed-checkpoints",
        whole_number(0),
        "3",
        "a checkpoint that fails fails its batch; restart-strategy.type says what becomes of the job",
        same=("0",),
        setter="checkpoints.set_tolerable_checkpoint_failure_number",
        getter="checkpoints.get_tolerable_checkpoint_failure_number",
    ),
    row(
        "execution.checkpointing.externalized-checkpoint-retention",
        one_of("DELETE_ON_CANCELLATION", "RETAIN_ON_CANCELLATION", "NO_EXTERNALIZED_CHECKPOINTS"),
        "DELETE_ON_CANCELLATION",
        "a checkpoint directory is always kept; remove it to begin anew",
        same=("RETAIN_ON_CANCELLATION",),
        setter="checkpoints.set_externalized_checkpoint_retention",
    ),
    row(
        "execution.checkpointing.unaligned.enabled",
        BOOLEAN,
        "true",
        _CHECKPOINTS,
        same=("false",),
        older=("execution.checkpointing.unaligned",),
        setter="checkpoints.enable_unaligned_checkpoints",
        getter="checkpoints.is_unaligned_checkpoints_enabled",
    ),
    row(
        "execution.checkpointing.unaligned.forced",
        BOOLEAN,
        "true",
        _CHECKPOINTS,
        same=("false",),
        setter="checkpoints.set_force_unaligned_checkpoints",
        getter="checkpoints.is_force_unaligned_checkpoints",
    ),
    row("execution.checkpointing.unaligned.*", ANYTHING, "5", _CHECKPOINTS),
    row(
        "execution.checkpointing.aligned-checkpoint-timeout",
        DURATION,
        "5 s",
        _CHECKPOINTS,
        same=("0",),
        older=("execution.checkpointing.alignment-timeout",),
        setter="checkpoints.set_aligned_checkpoint_timeout",
        getter="checkpoints.get_aligned_checkpoint_timeout",
    ),
    row(
        "execution.checkpointing.snapshot-compression",
        BOOLEAN,
        "true",
        STORE,
        same=("false",),
        setter="config.set_use_snapshot_compression",
        getter="config.is_use_snapshot_compression",
    ),
    row("execution.checkpointing.interval-during-backlog", DURATION, "1 min", _CHECKPOINTS),
    row("execution.checkpointing.checkpoints-after-tasks-finish", BOOLEAN, "false", _CHECKPOINTS, same=("true",)),
    row("execution.checkpointing.checkpoints-after-tasks-finish.*", ANYTHING, "false", _CHECKPOINTS),
    row(
        "execution.checkpointing.create-subdir",
        BOOLEAN,
        "false",
        "a job has a directory of its own",
        same=("true",),
        older=("state.checkpoints.create-subdir",),
    ),
    row("execution.checkpointing.during-recovery.*", ANYTHING, "true", _CHECKPOINTS),
    row("execution.checkpointing.recover-without-channel-state.*", ANYTHING, "5", _CHECKPOINTS),
    row("state.checkpoint.cleaner.*", ANYTHING, "true", _CHECKPOINTS),
    *(
        row(key, BOOLEAN, "true", "a job goes on from its checkpoint directory, exactly", same=("false",))
        for key in (
            "execution.checkpointing.approximate-local-recovery",
            "execution.state-recovery.approximate-local-recovery",
            "execution.state-recovery.from-local",
        )
    ),
    row(
        "execution.checkpointing.num-retained",
        whole_number(1),
        "3",
        "spark.sql.streaming.minBatchesToRetain says how many batches Spark keeps",
        same=("1",),
        older=("state.checkpoints.num-retained",),
    ),
    row(
        "execution.checkpointing.incremental",
        BOOLEAN,
        "false",
        "Spark's state store writes what has changed",
        same=("true",),
        older=("state.backend.incremental",),
    ),
    row("execution.checkpointing.cleaner.*", ANYTHING, "true", _CHECKPOINTS),
    row("execution.checkpointing.file-merging.*", ANYTHING, "true", STORE),
    row("execution.checkpointing.local-backup.*", ANYTHING, "true", STORE),
    row("execution.checkpointing.data-inline-threshold", MEMORY, "10 kb", STORE),
    row("execution.checkpointing.write-buffer-size", INTEGER, "8192", STORE),
    row(
        "execution.state-recovery.claim-mode",
        one_of("NO_CLAIM", "CLAIM", "LEGACY"),
        "CLAIM",
        "a savepoint is copied when a job starts from it, and never deleted",
        same=("NO_CLAIM", "LEGACY"),
        older=("execution.savepoint-restore-mode",),
    ),
    row("execution.state-recovery.without-channel-state.*", ANYTHING, "5", _CHECKPOINTS),
]

_OF_STATE = [
    row(
        "state.backend.type",
        one_of("hashmap", "rocksdb", "forst", "filesystem", "jobmanager"),
        "hashmap",
        STORE,
        same=("rocksdb",),
        older=("state.backend",),
        setter="env.set_state_backend",
        getter="env.get_state_backend",
    ),
    row(
        "execution.checkpointing.storage",
        one_of("filesystem", "jobmanager"),
        "jobmanager",
        "a checkpoint is in execution.checkpointing.dir, or nowhere",
        same=("filesystem",),
        older=("state.checkpoint-storage",),
    ),
    row(
        "state.changelog.enabled",
        BOOLEAN,
        "true",
        "Spark's state store keeps a change log in any case",
        older=("state.backend.changelog.enabled",),
        setter="env.enable_changelog_state_backend",
        getter="env.is_changelog_state_backend_enabled",
    ),
    *(
        row(prefix, ANYTHING, "1", STORE)
        for prefix in (
            "state.backend.changelog.*",
            "state.backend.forst.*",
            "state.backend.fs.*",
            "state.backend.heap.*",
            "state.backend.latency-track.*",
            "state.backend.local-recovery",
            "state.backend.rocksdb.*",
            "state.backend.size-track.*",
            "state.changelog.*",
            "state.latency-track.*",
            "state.size-track.*",
            "state.storage.fs.*",
            "state.ttl.*",
        )
    ),
]

OF_STATE: Final = [*_OF_CHECKPOINTS, *_OF_STATE]
