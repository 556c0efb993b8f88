"""The life of state: :class:`StateTtlConfig`."""

from __future__ import annotations

import datetime
from abc import ABC
from collections.abc import Mapping
from enum import Enum
from typing import ClassVar, TypeVar

from windrow.common.limits import LONG_MAX
from windrow.common.time import Duration, Time, to_millis
from windrow.errors import ConfigurationError, ConfigurationTypeError

E = TypeVar("E", bound=Enum)


class StateTtlConfig:
    """Says how long a value of keyed state lives after its last access (Flink's ``StateTtlConfig``).

    Make one with :meth:`new_builder`, and give it to ``enable_time_to_live`` of a state's descriptor.

    A value has expired when its last access plus the time to live is not after the current processing time. Lists
    expire element by element, maps entry by entry; value, reducing and aggregating state as a whole. Processing time
    stands still during a batch, so a batch that is run again after a failure finds the same values expired.

    Expired values leave the store when they are read, and in the background at the end of a batch in which the
    subtask had something to do:

    - all expired values of the keys that share a page of state (some 16 to 32) with a key that was used in the batch;
    - all values of pages whose last value has expired meanwhile; at most 256 such pages a batch, so that no batch
      waits long.

    So what nobody reads is gone one time to live after it has expired at the latest, as long as batches go on and
    fewer than 256 pages a batch come due. Flink's three cleanup strategies need no counterpart: they are accepted and
    kept, and make no difference. Only ``disable_cleanup_in_background()`` without any of them does: then expired
    values leave the store when they are read, and not before. A bounded job without a checkpoint directory is one
    batch, in which nothing expires.

    Time to live may be switched on and off, and changed, between two runs on one checkpoint, as in Flink since 2.2:
    values written without it count as accessed when they are first read or written with it; without it, values
    written with it stay for good.

    Example:
        >>> config = StateTtlConfig.new_builder(Time.seconds(1)).update_ttl_on_read_and_write().build()
        >>> config.get_update_type().name, config.get_state_visibility().name
        ('OnReadAndWrite', 'NeverReturnExpired')
    """

    class UpdateType(Enum):
        """The accesses that prolong a value's life."""

        #: None: the value does not expire.
        Disabled = 0
        #: Those that write it.
        OnCreateAndWrite = 1
        #: Those that write it, and those that read it.
        OnReadAndWrite = 2

    class StateVisibility(Enum):
        """Says if a value that has expired can still be read."""

        #: Until it has left the store, which reading it makes it do: value, reducing and aggregating state and map
        #: entries show an expired value once; lists show expired elements until none of the list is alive.
        ReturnExpiredIfNotCleanedUp = 0
        #: Never.
        NeverReturnExpired = 1

    class TtlTimeCharacteristic(Enum):
        """The notion of time by which values expire; Flink has no other one either."""

        ProcessingTime = 0

    class CleanupStrategies:
        """The cleanup that was asked for; see :class:`StateTtlConfig` for what is done."""

        class Strategies(Enum):
            """The kinds of cleanup."""

            FULL_STATE_SCAN_SNAPSHOT = 0
            INCREMENTAL_CLEANUP = 1
            ROCKSDB_COMPACTION_FILTER = 2

        class CleanupStrategy(ABC):  # noqa: B024 - as in Flink it only marks the others
            """One kind of cleanup with its settings."""

        class EmptyCleanupStrategy(CleanupStrategy):
            """A kind of cleanup without settings."""

        class IncrementalCleanupStrategy(CleanupStrategy):
            """Settings of cleanup a few keys at a time."""

            def __init__(self, cleanup_size: int, run_cleanup_for_every_record: bool) -> None:
                self._cleanup_size = cleanup_size
                self._run_cleanup_for_every_record = run_cleanup_for_every_record

            def get_cleanup_size(self) -> int:
                """Give the number of keys at a time."""
                return self._cleanup_size

            def run_cleanup_for_every_record(self) -> bool:
                """Tell whether it runs with every element, not only with every access to the state."""
                return self._run_cleanup_for_every_record

        class RocksdbCompactFilterCleanupStrategy(CleanupStrategy):
            """Settings of cleanup by RocksDB's compaction."""

            def __init__(
                self, query_time_after_num_entries: int, periodic_compaction_time: Duration | None = None
            ) -> None:
                self._query_time_after_num_entries = query_time_after_num_entries
                default = Duration.of_days(30)
                self._periodic_compaction_time = (
                    default if periodic_compaction_time is None else periodic_compaction_time
                )

            def get_query_time_after_num_entries(self) -> int:
                """After how many entries the time is looked at anew."""
                return self._query_time_after_num_entries

            def get_periodic_compaction_time(self) -> Duration:
                """After what time a file is compacted anyway."""
                return self._periodic_compaction_time

        EMPTY_STRATEGY: ClassVar[CleanupStrategy] = EmptyCleanupStrategy()

        def __init__(self, strategies: Mapping[Strategies, CleanupStrategy], is_cleanup_in_background: bool) -> None:
            self._strategies = dict(strategies)
            self._is_cleanup_in_background = is_cleanup_in_background

        def is_cleanup_in_background(self) -> bool:
            """False after ``disable_cleanup_in_background``."""
            return self._is_cleanup_in_background

        def in_full_snapshot(self) -> bool:
            """True after ``cleanup_full_snapshot``."""
            return self.Strategies.FULL_STATE_SCAN_SNAPSHOT in self._strategies

        def get_incremental_cleanup_strategy(self) -> IncrementalCleanupStrategy | None:
            """Give what was set; else Flink's default, or None if cleanup in the background is disabled."""
            chosen = self._strategies.get(self.Strategies.INCREMENTAL_CLEANUP)
            if isinstance(chosen, self.IncrementalCleanupStrategy):
                return chosen
            return self.IncrementalCleanupStrategy(5, False) if self._is_cleanup_in_background else None

        def get_rocksdb_compact_filter_cleanup_strategy(self) -> RocksdbCompactFilterCleanupStrategy | None:
            """Give what was set; else Flink's default, or None if cleanup in the background is disabled."""
            chosen = self._strategies.get(self.Strategies.ROCKSDB_COMPACTION_FILTER)
            if isinstance(chosen, self.RocksdbCompactFilterCleanupStrategy):
                return chosen
            return self.RocksdbCompactFilterCleanupStrategy(1000) if self._is_cleanup_in_background else None

        def has_any(self) -> bool:
            """Tell whether anything removes what nobody reads."""
            return self._is_cleanup_in_background or bool(self._strategies)

    class Builder:
        """Makes a :class:`StateTtlConfig`; without further calls OnCreateAndWrite and NeverReturnExpired."""

        def __init__(self, ttl: Time | Duration | datetime.timedelta | int) -> None:
            self.set_ttl(ttl)
            self._update_type = StateTtlConfig.UpdateType.OnCreateAndWrite
            self._state_visibility = StateTtlConfig.StateVisibility.NeverReturnExpired
            self._ttl_time_characteristic = StateTtlConfig.TtlTimeCharacteristic.ProcessingTime
            self._is_cleanup_in_background = True
            self._strategies: dict[
                StateTtlConfig.CleanupStrategies.Strategies, StateTtlConfig.CleanupStrategies.CleanupStrategy
            ] = {}

        def set_update_type(self, update_type: StateTtlConfig.UpdateType) -> StateTtlConfig.Builder:
            """Set the accesses that prolong a value's life."""
            self._update_type = _member(update_type, StateTtlConfig.UpdateType, "set_update_type")
            return self

        def update_ttl_on_create_and_write(self) -> StateTtlConfig.Builder:
            """Writing a value prolongs its life; reading it does not."""
            return self.set_update_type(StateTtlConfig.UpdateType.OnCreateAndWrite)

        def update_ttl_on_read_and_write(self) -> StateTtlConfig.Builder:
            """Reading a value prolongs its life too."""
            return self.set_update_type(StateTtlConfig.UpdateType.OnReadAndWrite)

        def set_state_visibility(self, state_visibility: StateTtlConfig.StateVisibility) -> StateTtlConfig.Builder:
            """Let a value that has expired be read, or not."""
            self._state_visibility = _member(state_visibility, StateTtlConfig.StateVisibility, "set_state_visibility")
            return self

        def return_expired_if_not_cleaned_up(self) -> StateTtlConfig.Builder:
            """A value that has expired can be read as long as it is in the store."""
            return self.set_state_visibility(StateTtlConfig.StateVisibility.ReturnExpiredIfNotCleanedUp)

        def never_return_expired(self) -> StateTtlConfig.Builder:
            """A value that has expired is not there."""
            return self.set_state_visibility(StateTtlConfig.StateVisibility.NeverReturnExpired)

        def set_ttl_time_characteristic(
            self, ttl_time_characteristic: StateTtlConfig.TtlTimeCharacteristic
        ) -> StateTtlConfig.Builder:
            """Set the time that counts; there is only processing time."""
            kind = StateTtlConfig.TtlTimeCharacteristic
            self._ttl_time_characteristic = _member(ttl_time_characteristic, kind, "set_ttl_time_characteristic")
            return self

        def use_processing_time(self) -> StateTtlConfig.Builder:
            """Let values expire by processing time, as they do anyway."""
            return self.set_ttl_time_characteristic(StateTtlConfig.TtlTimeCharacteristic.ProcessingTime)

        def cleanup_full_snapshot(self) -> StateTtlConfig.Builder:
            """Accepted: see :class:`StateTtlConfig` on what is done in the background."""
            kinds = StateTtlConfig.CleanupStrategies
            self._strategies[kinds.Strategies.FULL_STATE_SCAN_SNAPSHOT] = kinds.EMPTY_STRATEGY
            return self

        def cleanup_incrementally(
            self, cleanup_size: int, run_cleanup_for_every_record: bool
        ) -> StateTtlConfig.Builder:
            """Accepted: see :class:`StateTtlConfig` on what is done in the background.

            Raises:
                ConfigurationError: ``cleanup_size`` is not at least 1.
            """
            _positive(cleanup_size, "cleanup_size of cleanup_incrementally")
            kinds = StateTtlConfig.CleanupStrategies
            strategy = kinds.IncrementalCleanupStrategy(cleanup_size, run_cleanup_for_every_record)
            self._strategies[kinds.Strategies.INCREMENTAL_CLEANUP] = strategy
            return self

        def cleanup_in_rocksdb_compact_filter(
            self, query_time_after_num_entries: int, periodic_compaction_time: Duration | None = None
        ) -> StateTtlConfig.Builder:
            """Accepted: see :class:`StateTtlConfig` on what is done in the background."""
            kinds = StateTtlConfig.CleanupStrategies
            strategy = kinds.RocksdbCompactFilterCleanupStrategy(query_time_after_num_entries, periodic_compaction_time)
            self._strategies[kinds.Strategies.ROCKSDB_COMPACTION_FILTER] = strategy
            return self

        def disable_cleanup_in_background(self) -> StateTtlConfig.Builder:
            """Expired values leave the store when they are read, unless a kind of cleanup is chosen."""
            self._is_cleanup_in_background = False
            return self

        def set_ttl(self, ttl: Time | Duration | datetime.timedelta | int) -> StateTtlConfig.Builder:
            """Set the time that a value lives after its last access; a number is in milliseconds.

            Raises:
                ConfigurationTypeError: it is no span of time.
                ConfigurationError: it is not positive, or does not fit 64 bits.
            """
            millis = to_millis(ttl, "the time to live")
            _positive(millis, "the time to live, in milliseconds,")
            self._ttl = Time(millis)
            return self

        def build(self) -> StateTtlConfig:
            """The configuration; later calls on this builder do not change it."""
            return StateTtlConfig(
                self._update_type,
                self._state_visibility,
                self._ttl_time_characteristic,
                self._ttl,
                StateTtlConfig.CleanupStrategies(self._strategies, self._is_cleanup_in_background),
            )

    #: What a descriptor has unless a time to live is set: nothing expires.
    DISABLED: ClassVar[StateTtlConfig]

    def __init__(
        self,
        update_type: UpdateType,
        state_visibility: StateVisibility,
        ttl_time_characteristic: TtlTimeCharacteristic,
        ttl: Time,
        cleanup_strategies: CleanupStrategies,
    ) -> None:
        self._update_type = update_type
        self._state_visibility = state_visibility
        self._ttl_time_characteristic = ttl_time_characteristic
        self._ttl = ttl
        self._cleanup_strategies = cleanup_strategies

    @staticmethod
    def new_builder(ttl: Time | Duration | datetime.timedelta | int) -> StateTtlConfig.Builder:
        """A builder.

        Args:
            ttl: How long a value lives after its last access; a number is in milliseconds.

        Raises:
            ConfigurationTypeError: it is no span of time.
            ConfigurationError: it is not positive, or does not fit 64 bits.
        """
        return StateTtlConfig.Builder(ttl)

    def get_update_type(self) -> UpdateType:
        """Give the accesses that prolong a value's life."""
        return self._update_type

    def get_state_visibility(self) -> StateVisibility:
        """Tell whether a value that has expired can still be read."""
        return self._state_visibility

    def get_ttl(self) -> Time:
        """Give the time that a value lives after its last access."""
        return self._ttl

    def get_ttl_time_characteristic(self) -> TtlTimeCharacteristic:
        """Give the time that counts."""
        return self._ttl_time_characteristic

    def is_enabled(self) -> bool:
        """Tell whether values expire at all."""
        return self._update_type is not StateTtlConfig.UpdateType.Disabled

    def get_cleanup_strategies(self) -> CleanupStrategies:
        """Give the cleanup that was asked for."""
        return self._cleanup_strategies

    def __repr__(self) -> str:
        kinds = f"{self._update_type.name}, {self._state_visibility.name}, {self._ttl_time_characteristic.name}"
        return f"StateTtlConfig({self._ttl!r}, {kinds})"


def _positive(value: int, parameter: str) -> None:
    if value <= 0:
        msg = f"{parameter} must be at least 1; got {value}"
        raise ConfigurationError(msg)


def _member(value: E, kind: type[E], call: str) -> E:
    if isinstance(value, kind):
        return value
    names = ", ".join(member.name for member in kind)
    msg = f"{call} takes a member of {kind.__qualname__} ({names}); got {value!r}"
    raise ConfigurationTypeError(msg)


StateTtlConfig.DISABLED = (
    StateTtlConfig.new_builder(LONG_MAX).set_update_type(StateTtlConfig.UpdateType.Disabled).build()
)
