"""Calls of functions that cannot stand everywhere."""

from __future__ import annotations

from windrow.errors import ConfigurationError
from windrow.expressions.nodes import USERS
from windrow.sql.plan import (
    CURRENT_WATERMARK,
    PROCTIME,
    IntervalJoin,
    Join,
    LookupJoin,
    RegularJoin,
    Relation,
    TemporalJoin,
    Values,
    functions_of,
)

#: What reads the clock.
CLOCK = frozenset({"NOW", PROCTIME})
#: What is another thing each time it is asked for, and another one elsewhere.
MOMENTARY = CLOCK | {CURRENT_WATERMARK}


def refuse_calls(relation: Relation) -> None:
    """Refuse calls where functions would not be opened, or where there is no time that they could tell.

    Raises:
        ConfigurationError: there is one, with where it stands.
    """
    if not isinstance(relation, Join | RegularJoin | IntervalJoin | TemporalJoin | LookupJoin | Values):
        return
    called = functions_of(relation)
    place = "VALUES" if isinstance(relation, Values) else "the condition of a join"
    if called & USERS and not isinstance(relation, Values):
        msg = f"functions of the program's own are not called in {place}: SELECT what they give in a query below"
        raise ConfigurationError(msg)
    if CURRENT_WATERMARK in called:
        msg = f"{CURRENT_WATERMARK} is not known in {place}: SELECT it in a query below, or ask for it in WHERE"
        raise ConfigurationError(msg)
    if called & CLOCK and not isinstance(relation, LookupJoin):
        msg = f"the current time is not known in {place}: SELECT it in a query below, or ask for it in WHERE"
        raise ConfigurationError(msg)
