"""Tells user functions the time, and sets timers for them."""

from abc import ABC, abstractmethod


class TimerService(ABC):
    """Time and timers for a user function. All times are milliseconds.

    A timer belongs to the current key; setting the same timer twice is setting it once.
    """

    @abstractmethod
    def current_processing_time(self) -> int:
        """The current processing time; in a Spark job this is the time of the batch."""

    @abstractmethod
    def current_watermark(self) -> int:
        """The current event-time watermark; -2^63 before the first one."""

    @abstractmethod
    def register_processing_time_timer(self, timestamp: int) -> None:
        """Call ``on_timer`` when processing time reaches ``timestamp``."""

    @abstractmethod
    def register_event_time_timer(self, timestamp: int) -> None:
        """Call ``on_timer`` when the watermark reaches ``timestamp``."""

    @abstractmethod
    def delete_processing_time_timer(self, timestamp: int) -> None:
        """Take a processing-time timer back; nothing happens if there is none."""

    @abstractmethod
    def delete_event_time_timer(self, timestamp: int) -> None:
        """Take an event-time timer back; nothing happens if there is none."""
