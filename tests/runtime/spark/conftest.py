"""Environments on the tests' Spark session."""

from collections.abc import Callable

import pytest

from windrow.common import Configuration
from windrow.datastream import StreamExecutionEnvironment


@pytest.fixture
def on_spark(spark_session) -> Callable[..., StreamExecutionEnvironment]:
    """Makes an environment with parallelism 2, with settings."""

    def make(settings: dict[str, str] | None = None) -> StreamExecutionEnvironment:
        configuration = Configuration.from_dict({"windrow.runtime": "spark", **(settings or {})})
        return StreamExecutionEnvironment.get_execution_environment(configuration, spark_session).set_parallelism(2)

    return make
