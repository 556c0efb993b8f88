"""The session's settings."""

import pytest

from windrow.common import Configuration
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import StreamExecutionEnvironment
from windrow.runtime.spark.session import session, settings_for_query, use_for_query

PARTITIONS = "spark.sql.shuffle.partitions"
ADAPTIVE = "spark.sql.adaptive.enabled"
PROVIDER = "spark.sql.streaming.stateStore.providerClass"
OTHERS = ("spark.sql.execution.arrow.maxBytesPerBatch", "spark.sql.streaming.stateStore.rocksdb.trackTotalNumberOfRows")


@pytest.fixture
def users(spark_session):
    """A session of the same Spark whose settings are the user's own; the jobs of a test run on it."""
    users = spark_session.newSession()
    users.conf.set(PARTITIONS, "17")
    users.conf.set(ADAPTIVE, "true")
    users.conf.set(PROVIDER, "org.example.Users")
    return users


def settings(spark):
    return {name: spark.conf.get(name, None) for name in (PARTITIONS, ADAPTIVE, PROVIDER, *OTHERS)}


@pytest.mark.spark
def test_a_query_has_its_settings_and_the_user_gets_his_back(users):
    """What was set is set again, and what was not is not; also behind an error."""
    before = settings(users)
    with settings_for_query(users, 5):
        during = settings(users)
    assert (during[PARTITIONS], during[ADAPTIVE]) == ("5", "false")
    assert during[PROVIDER].endswith("RocksDBStateStoreProvider")
    assert settings(users) == before
    with pytest.raises(ZeroDivisionError), settings_for_query(users, 5):
        1 / 0  # noqa: B018
    assert settings(users) == before


@pytest.mark.spark
@pytest.mark.parametrize("outcome", ["finishes", "fails"])
@pytest.mark.parametrize("query", ["batch", "streaming"])
def test_a_job_leaves_the_settings_of_the_session(users, tmp_path, query, outcome):
    """A batch or streaming query, one that fails too: afterwards the session is as the user had it."""
    configuration = Configuration().set_string("windrow.runtime", "spark")
    if query == "streaming":
        configuration.set_string("execution.checkpointing.dir", str(tmp_path))
    env = StreamExecutionEnvironment.get_execution_environment(configuration, users).set_parallelism(2)
    last = 0 if outcome == "fails" else 3
    env.from_collection([1, 2, last]).map(lambda number: 1 / number).sink_to(DiscardingSink())
    before = settings(users)
    if outcome == "fails":
        with pytest.raises(RuntimeError, match="ZeroDivisionError"):
            env.execute()
    else:
        env.execute()
    assert settings(users) == before


@pytest.mark.spark
def test_settings_stay_for_queries_that_the_user_starts(users):
    """to_dataframe cannot know when the user's query starts; it leaves adaptive execution alone."""
    use_for_query(users, 5)
    after = settings(users)
    assert (after[PARTITIONS], after[ADAPTIVE]) == ("5", "true")
    assert after[PROVIDER].endswith("RocksDBStateStoreProvider")


@pytest.mark.spark
def test_the_active_session_is_used(spark_session):
    """A second one is not started, whatever is asked for."""
    from pyspark.sql import SparkSession

    active = session({"spark.master": "local[7]"})
    assert active is SparkSession.getActiveSession()
    assert active.sparkContext is spark_session.sparkContext
    assert active.sparkContext.master == "local[2]"


@pytest.mark.spark
def test_a_session_of_ours_keeps_spark_off_the_screen(spark_session):
    """No web page, no progress bar; and its workers start from our daemon."""
    conf = spark_session.sparkContext.getConf()
    assert conf.get("spark.ui.enabled") == "false"
    assert conf.get("spark.ui.showConsoleProgress") == "false"
    assert conf.get("spark.python.daemon.module") == "windrow.runtime.spark.daemon"
