"""The event time that an operator waits for: asked once per batch, for who looks at the job."""

from __future__ import annotations

from typing import NamedTuple


class Waiting(NamedTuple):
    """The next event time at which an operator has something to do, in milliseconds."""

    #: As soon as the watermark reaches it.
    watermark: int
    #: Bounds of the window that fires then; None: it is no window, or it is not known without reading state.
    start: int | None = None
    end: int | None = None

    @staticmethod
    def at(time: int | None) -> Waiting | None:
        """For a timer; None: there is none.

        Example:
            >>> Waiting.at(5), Waiting.at(None)
            (Waiting(watermark=5, start=None, end=None), None)
        """
        return None if time is None else Waiting(time)
