"""Fixtures for tests that run whole jobs: the same test on every runtime."""

import gc
import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import settings

from scripts.maven_artifacts import UnavailableError
from tests.fast_java import use_fast_java
from tests.hadoop.hdfs_cluster import Hdfs, hdfs_cluster
from tests.hadoop.object_store import BUCKET, ObjectStore, object_store
from tests.hadoop.yarn_cluster import Yarn, yarn_cluster
from tests.required import cannot_be_had
from tests.standalone_cluster import Cluster, standalone_cluster
from windrow.common import Configuration
from windrow.datastream import StreamExecutionEnvironment

TESTS = Path(__file__).parent
#: Where tests that ask for ``runtime`` or ``env`` run; Spark is ``pytest.param("spark", marks=pytest.mark.spark)``.
RUNTIMES = ["local", pytest.param("spark", marks=pytest.mark.spark)]
#: Seconds that a test of such a mark may take where it names no time of its own: many times what it takes on a quiet
#: machine, since this is for what hangs. All others have ``timeout`` of pyproject.toml.
LIMITS = {"slow": 1800, "spark": 600, "kafka": 300, "postgres": 300, "hadoop": 600, "browser": 300}

#: Tests of these marks and folders run the same lines very often, or in other processes: their lines are not measured.
UNMEASURED_MARKS = ("slow", "spark", "kafka", "postgres", "hadoop", "browser", "property")
UNMEASURED_FOLDERS = ("differential", "golden", "simulator", "trials")


def pytest_configure() -> None:
    """Before the first Java is started, and before the first property test is read."""
    use_fast_java()
    os.environ["WINDROW_UI"] = "false"  # tests that somebody runs at a terminal open no pages of their own accord
    settings.register_profile("tests", deadline=None, print_blob=True)
    settings.load_profile("tests")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark property tests, before those of some marks are chosen."""
    if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
        item.add_marker(pytest.mark.property)


@pytest.hookimpl(trylast=True)  # behind those that give out marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give tests that start servers the time for it, and mark those that are not measured."""
    for item in items:
        limits = [seconds for mark, seconds in LIMITS.items() if item.get_closest_marker(mark)]
        if limits and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(max(limits)))
        often = item.path.is_relative_to(TESTS) and item.path.relative_to(TESTS).parts[0] in UNMEASURED_FOLDERS
        if often or any(map(item.get_closest_marker, UNMEASURED_MARKS)):
            item.add_marker(pytest.mark.no_cover)


def pytest_collection_finish() -> None:
    """Modules and thousands of tests stay until the end: the collector need not look at them again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(params=RUNTIMES)
def runtime(request: pytest.FixtureRequest) -> str:
    """The name of the runtime."""
    name: str = request.param
    return name


@pytest.fixture(scope="session")
def spark_session() -> Iterator[Any]:
    """One Spark session for all tests."""
    from windrow.runtime.spark.session import session

    spark = session({"spark.master": "local[2]"})
    yield spark
    spark.stop()


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster of Spark's own with two workers; tests that run on it start programs of their own."""
    with standalone_cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running


Had = TypeVar("Had")


def had(get: Callable[[], Had]) -> Had:
    """What ``get`` gives; where it cannot be had the test is skipped, or fails if ``WINDROW_REQUIRE_HADOOP`` is set."""
    try:
        return get()
    except UnavailableError as error:
        cannot_be_had("HADOOP", f"no server: {error}")


@pytest.fixture(scope="session")
def hdfs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hdfs]:
    """An HDFS that the tests start."""
    with ExitStack() as stack:
        yield had(lambda: stack.enter_context(hdfs_cluster(tmp_path_factory.mktemp("hdfs"))))


@pytest.fixture(scope="session")
def yarn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Yarn]:
    """A YARN that the tests start, with an HDFS that is its default file system."""
    with ExitStack() as stack:
        yield had(lambda: stack.enter_context(yarn_cluster(tmp_path_factory.mktemp("yarn"))))


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ObjectStore]:
    """A server that speaks S3, which this process and those it starts find by their environment."""
    with object_store(tmp_path_factory.mktemp("s3")) as server, pytest.MonkeyPatch.context() as patched:
        for name, value in server.environment.items():
            patched.setenv(name, value)
        yield server


@pytest.fixture(params=["disk", "memory", *(pytest.param(kind, marks=pytest.mark.hadoop) for kind in ("s3", "hdfs"))])
def any_folder(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A folder that is not there yet, on each kind of file system that sources and sinks use."""
    name = uuid.uuid4().hex
    if request.param == "disk":
        return str(tmp_path / name)
    if request.param == "memory":
        return f"memory://{name}/below"
    if request.param == "s3":
        request.getfixturevalue("store")
        return f"s3://{BUCKET}/{name}"
    return f"{request.getfixturevalue('hdfs').web_uri}/{name}"


@pytest.fixture
def env(runtime: str, request: pytest.FixtureRequest) -> StreamExecutionEnvironment:
    """A new environment with parallelism 2 on the runtime."""
    spark = request.getfixturevalue("spark_session") if runtime == "spark" else None
    configuration = Configuration().set_string("windrow.runtime", runtime)
    return StreamExecutionEnvironment.get_execution_environment(configuration, spark).set_parallelism(2)
