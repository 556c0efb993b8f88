"""Exponential backoff: what has failed is tried again, ever less often."""

from __future__ import annotations


class ExponentialBackoff:
    """Says when to try: after so many failures in a row twice as many chances are passed over as after one less.

    Args:
        most: After this many failures no more are passed over than then.

    Example:
        >>> backoff = ExponentialBackoff(8)
        >>> backoff.note(success=False)
        >>> backoff.is_due(), backoff.is_due()
        (False, True)
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._failed = 0
        self._passed_over = 0

    def is_due(self) -> bool:
        """Tell whether to try at this chance; one that is passed over is counted."""
        if self._passed_over:
            self._passed_over -= 1
            return False
        return True

    def note(self, *, success: bool) -> None:
        """Say how the try has ended."""
        self._failed = 0 if success else min(self._failed + 1, self._most)
        self._passed_over = (1 << self._failed) - 1
