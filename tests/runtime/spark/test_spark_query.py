"""What Spark says of a job, as the job's client has it."""

import pytest

from tests.runtime.sources.running import Shown
from tests.runtime.sources.scripted import ScriptedSource
from tests.runtime.sources.test_programs import TIMES, split, wait_for
from windrow.common import Configuration
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import UsageError

pytestmark = pytest.mark.spark


def test_a_streaming_query_says_how_it_goes_on(on_spark, tmp_path, spark_session):
    """Its id, which it keeps when the job is started again, and its last progress."""
    ids, runs = set(), set()
    for _ in range(2):
        env = on_spark({"execution.checkpointing.dir": str(tmp_path / "checkpoint")})
        source = ScriptedSource([split("a", range(0, 100, 10), ends=False)], is_bounded=False)
        env.from_source(source, TIMES, "scripted").sink_to(Shown())
        client = env.execute_async()
        wait_for(lambda: client.get_spark_query().result().progress is not None)  # noqa: B023
        query = client.get_spark_query().result()
        assert query.progress["id"] == query.id
        assert query.progress["durationMs"]["triggerExecution"] >= 0
        assert query.web_ui == spark_session.sparkContext.uiWebUrl
        ids.add(query.id)
        runs.add(query.run_id)
        client.cancel().result()
    assert (len(ids), len(runs)) == (1, 2)


def test_a_batch_query_has_the_address_of_sparks_page(on_spark, spark_session):
    """And the tag of its Spark jobs; progress is a matter of streaming queries."""
    env = on_spark()
    env.from_collection([1]).sink_to(Shown())
    client = env.execute_async()
    query = client.get_spark_query().result()
    assert (query.id, query.run_id, query.progress) == (None, None, None)
    assert (bool(query.name), query.web_ui) == (True, spark_session.sparkContext.uiWebUrl)
    client.get_job_execution_result().result()


def test_the_local_runtime_has_no_query():
    """It says so."""
    configuration = Configuration().set_string("windrow.runtime", "local")
    env = StreamExecutionEnvironment.get_execution_environment(configuration)
    env.from_collection([1]).sink_to(Shown())
    client = env.execute_async()
    with pytest.raises(UsageError, match="in the local runtime: there is no Spark, and no query"):
        client.get_spark_query().result()
    client.get_job_execution_result().result()
