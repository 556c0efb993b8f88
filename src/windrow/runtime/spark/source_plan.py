"""The plan of the source behind a streaming query: splits of planned sources, reads of readers, ticks, the end."""

from __future__ import annotations

from dataclasses import dataclass, field

#: How far the source has given what it gives, by what is counted.
Offset = dict[str, int]
#: What the names of counts of decisions begin with in an offset; then comes the name of their log.
DECIDED = "decided"
#: In the first offset of a job that begins with another one's state: that is dealt out in a batch without rows, for
#: PySpark gives a function what a key begins with and its rows in portions.
DEALT = "dealt"


def log_name(first_channel: int) -> str:
    """Name a source's log of decisions, for files and offsets; not by its tag, which may hold any character.

    Args:
        first_channel: The number of the source's first channel.
    """
    return f"source-{first_channel}"


@dataclass(frozen=True)
class ChannelPlan:
    """A channel, the grouping key that brings it to its partition, and what it gives: pickled splits, in order."""

    channel: int
    place: int
    splits: list[bytes]
    #: Whether the channel ends with its last split; if not, it ends when the job's input does.
    ends: bool


@dataclass(frozen=True)
class ReaderPlan:
    """The readers of a source."""

    #: That of the log of what its enumerator decides.
    name: str
    #: The channel and the grouping key of each reader.
    readers: list[tuple[int, int]]


@dataclass(frozen=True)
class SourcePlan:
    """All that the source gives, as the checkpoint keeps it."""

    channels: list[ChannelPlan]
    #: Grouping key, subtask and level of those that a tick goes to; empty where nobody needs ticks.
    ticked: list[tuple[int, int, int]]
    #: How many splits of each channel go into one batch; 0: few, and more while batches are short.
    splits_per_batch: int
    #: Milliseconds between ticks.
    tick_interval: int
    #: Whether the input ends when all splits are read.
    bounded: bool
    #: Sources with readers; they read as long as the query runs, or until they end by themselves.
    readers: list[ReaderPlan] = field(default_factory=list)
    #: Where the source begins that goes on where another one has ended; what is not in it begins at 0.
    start: Offset = field(default_factory=dict)

    @property
    def length(self) -> int:
        return max((len(planned.splits) for planned in self.channels), default=0)

    def unread(self, offset: Offset) -> dict[int, int]:
        """Count the splits that each channel, by its number, still gives behind an offset.

        Example:
            >>> channels = [ChannelPlan(0, 0, [b"a", b"b", b"c"], True), ChannelPlan(1, 0, [b"d"], True)]
            >>> SourcePlan(channels, [], 1, 200, True).unread({"split": 2})
            {0: 1, 1: 0}
        """
        given = offset.get("split", 0)
        return {planned.channel: max(0, len(planned.splits) - given) for planned in self.channels}
