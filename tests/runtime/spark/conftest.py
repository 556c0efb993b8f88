"""Environments on the tests' Spark session, and the file systems that tests start."""

from collections.abc import Callable
from contextlib import ExitStack

import pytest

from scripts.maven_artifacts import UnavailableError
from tests.hadoop.hdfs_cluster import hdfs
from tests.hadoop.object_store import object_store
from tests.required import cannot_be_had
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
def hdfs_uri(tmp_path_factory):
    """The URI of an HDFS that the tests start."""
    with ExitStack() as stack:
        yield had(lambda: stack.enter_context(hdfs(tmp_path_factory.mktemp("hdfs"))))


@pytest.fixture(scope="session")
def s3(tmp_path_factory):
    """A server that speaks S3, with the settings for Spark; its bucket is for all tests."""
    with ExitStack() as stack:
        store = stack.enter_context(object_store(tmp_path_factory.mktemp("s3")))
        had(lambda: store.settings)
        yield store


def had(get):
    """What ``get`` gives; where it cannot be had the test is skipped, or fails if ``WINDROW_REQUIRE_HADOOP`` is set."""
    try:
        return get()
    except UnavailableError as error:
        cannot_be_had("HADOOP", f"no server: {error}")
