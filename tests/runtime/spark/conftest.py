"""Environments on the tests' Spark session, and the file systems that tests start."""

from collections.abc import Callable

import pytest

from tests.conftest import had
from windrow.common import Configuration
from windrow.datastream import StreamExecutionEnvironment


@pytest.fixture
def on_spark(spark_session) -> Callable[..., StreamExecutionEnvironment]:
    """Makes an environment with parallelism 2, with settings."""

    def make(settings: dict[str, str] | None = None) -> StreamExecutionEnvironment:
        configuration = Configuration.from_dict({"windrow.runtime": "spark", **(settings or {})})
        return StreamExecutionEnvironment.get_execution_environment(configuration, spark_session).set_parallelism(2)

    return make


@pytest.fixture(scope="session")
def hdfs_uri(hdfs):
    """The URI of an HDFS that the tests start."""
    return hdfs.uri


@pytest.fixture(scope="session")
def s3(store):
    """A server that speaks S3, with the settings for Spark; its bucket is for all tests."""
    had(lambda: store.settings)
    return store
