"""What else EXPLAIN shows."""

from __future__ import annotations

from enum import Enum


class ExplainDetail(Enum):
    """What PyFlink's ``explain`` may be asked for besides (its class of the same name): here the plan is the same.

    Example:
        >>> ExplainDetail.CHANGELOG_MODE.name
        'CHANGELOG_MODE'
    """

    ESTIMATED_COST = 0
    CHANGELOG_MODE = 1
    JSON_EXECUTION_PLAN = 2
    PLAN_ADVICE = 3
