"""Details that EXPLAIN is asked for."""

from __future__ import annotations

from enum import Enum


class ExplainDetail(Enum):
    """Details that PyFlink's ``explain`` may be asked for (its class of the same name): here the plan is the same.

    Example:
        >>> ExplainDetail.CHANGELOG_MODE.name
        'CHANGELOG_MODE'
    """

    ESTIMATED_COST = 0
    CHANGELOG_MODE = 1
    JSON_EXECUTION_PLAN = 2
    PLAN_ADVICE = 3
