"""How long the simulator runs, and its seed.

A seed is drawn for each run and printed at its end. ``WINDROW_SIMULATOR_SEED=n`` runs with that one again. How many
examples there are says ``tests/property_examples.py``.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

import hypothesis
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tests.property_examples import examples
from tests.simulator.program import Choose

SEED = int(os.environ.get("WINDROW_SIMULATOR_SEED") or random.SystemRandom().randrange(2**32))
#: Of tests that plant a mistake: whether, and how soon, their streams find it is no matter of luck.
FIXED_SEED = 7


def simulated(named: int) -> Callable[[Any], Any]:
    """Run a test on so many random examples, or a share of them, made from the seed."""

    def decorate(test: Any) -> Any:
        configured = settings(
            max_examples=examples(named),
            deadline=None,
            derandomize=False,
            database=None,
            print_blob=True,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
        )
        return hypothesis.seed(SEED)(configured(test))

    return decorate


def chooser(draw: Any) -> Choose:
    """Choices that hypothesis makes, and makes smaller when they fail."""
    return lambda low, high: draw(st.integers(low, high))


def random_chooser(name: object, seed: int = SEED) -> Choose:
    """Choices of a random generator, where nothing has to be made smaller."""
    return random.Random(f"{seed}/{name}").randint
