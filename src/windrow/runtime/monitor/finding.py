"""The sentences that tell a person something about a job."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from windrow.runtime.monitor.measures import ShownWatermark

#: What has had no records, or given no results, for so many milliseconds is said to be quiet.
QUIET = 5_000
#: So many names stand in a sentence.
_NAMED = 3


@dataclass(frozen=True)
class Finding:
    """A sentence, and what it is about."""

    #: What kind of thing it is: ``held``, ``no-watermark``, ``no-splits``, ``no-time``, ``behind``, ``next``,
    #: ``all-idle``, ``idle``, ``paused``, ``late``, ``batch-query``, ``restarting``.
    kind: str
    #: What stands between two backticks is a name out of the program.
    text: str
    #: ``warning``: something has to be done. ``note``: it is good to know.
    level: str = "warning"
    #: The vertices that wait, or that it is about.
    vertices: tuple[str, ...] = ()
    #: The names of those that wait; where the sentence has them, none.
    waiting: tuple[str, ...] = ()
    #: The split or channel that it is about.
    place: str | None = None
    watermark: ShownWatermark = None

    def as_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {**asdict(self), "vertices": list(self.vertices), "waiting": list(self.waiting)}


def listed(names: list[str]) -> str:
    """The first of the names, as a sentence has them.

    Example:
        >>> listed(["a", "b"]), listed(["a", "b", "c"]), listed(list("abcde"))
        ('`a` and `b`', '`a`, `b` and `c`', '`a`, `b`, `c` and 2 more')
    """
    shown = [f"`{name}`" for name in names[:_NAMED]]
    if len(names) > _NAMED:
        shown.append(f"{len(names) - _NAMED} more")
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def plural(names: list[str], verb: str) -> str:
    """A verb in the form that so many names ask for.

    Example:
        >>> plural(["a"], "wait"), plural(["a", "b"], "wait")
        ('waits', 'wait')
    """
    return f"{verb}s" if len(names) == 1 else verb
