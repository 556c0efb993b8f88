"""The enumerators of all of a job's sources."""

from typing import ClassVar

import pytest

from tests.runtime.sources.running import environment
from tests.runtime.sources.test_programs import Broken
from windrow.common import WatermarkStrategy
from windrow.connectors.discarding import DiscardingSink
from windrow.errors import UserFunctionError
from windrow.runtime.sources.coordinator_log import MemoryLog
from windrow.runtime.sources.coordinators import Coordinators


class Closed(Broken):
    """Notes which enumerators were closed."""

    names: ClassVar = []

    def create_enumerator(self, enum_context):
        enumerator = super().create_enumerator(enum_context)
        close = enumerator.close
        enumerator.close = lambda: (self.names.append(self.where), close())
        return enumerator


def job_of(*where):
    env = environment()
    for each in where:
        stream = env.from_source(Closed(each), WatermarkStrategy.no_watermarks(), each)
        stream.sink_to(DiscardingSink())
    Closed.names.clear()
    return env._plan(env._program.sinks())


def test_all_are_closed_even_if_one_fails():
    """Each source has one; the error of the one that fails is raised."""
    coordinators = Coordinators()
    coordinators.start(job_of("nowhere", "close"), lambda _: MemoryLog())
    assert len(coordinators) == 2
    with pytest.raises(UserFunctionError, match="broken close"):
        coordinators.close()
    assert sorted(Closed.names) == ["close", "nowhere"]


def test_those_that_were_started_can_be_closed_when_another_cannot_be_started():
    """The one that failed has closed itself."""
    coordinators = Coordinators()
    with pytest.raises(UserFunctionError, match="broken start"):
        coordinators.start(job_of("nowhere", "start"), lambda _: MemoryLog())
    coordinators.close()
    assert sorted(Closed.names) == ["nowhere", "start"]
