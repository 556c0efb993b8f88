"""How many examples the dear property tests draw: a quarter of those they name, and other ones in each run.

``WINDROW_EXAMPLES=1`` has them draw all that they name (``make property``), 10 ten times as many. Tests that cost less
than a second with all of their examples name a number by itself, or none, and draw so many in any case.
"""

import os

SHARE = float(os.environ.get("WINDROW_EXAMPLES") or "0.25")
#: So many are drawn of more, however small the share is.
FEWEST = 25


def examples(named: int, fewest: int = FEWEST) -> int:
    """How many are drawn where a test names so many; ``fewest``: where it is run with a hundred parameters, say."""
    return max(min(named, fewest), round(named * SHARE))
