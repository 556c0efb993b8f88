"""The session's settings."""

from threading import Event

import pyarrow as pa
import pytest

from windrow.common import Configuration
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import ConfigurationError
from windrow.runtime.spark.session import _own_settings, create_frame, query_session, session, use_for_query

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
def test_each_query_has_its_settings_and_the_user_keeps_his(users):
    """Two queries at the same time have what each of them needs, beside the user's other settings."""
    users.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
    before = settings(users)
    one, other = query_session(users, 5), query_session(users, 3)
    assert (settings(one)[PARTITIONS], settings(one)[ADAPTIVE]) == ("5", "false")
    assert settings(other)[PARTITIONS] == "3"
    assert settings(one)[PROVIDER].endswith("RocksDBStateStoreProvider")
    assert one.conf.get("spark.sql.session.timeZone") == "Asia/Tokyo"
    assert settings(users) == before


@pytest.mark.spark
def test_the_users_way_to_write_checkpoints_stays(users):
    """Where the user has named none, a query has one that starts no processes."""
    name = "spark.sql.streaming.checkpointFileManagerClass"
    assert query_session(users, 1).conf.get(name).endswith("FileSystemBasedCheckpointFileManager")
    users.conf.set(name, "org.example.Users")
    assert query_session(users, 1).conf.get(name) == "org.example.Users"


@pytest.mark.spark
def test_stages_of_few_rows_are_no_classes(users):
    """Where Spark has rows of ours alone, and the user has not said otherwise."""
    name, projections = "spark.sql.codegen.wholeStage", "spark.sql.codegen.factoryMode"
    few, many = (query_session(users, 1, few_rows=few).conf for few in (True, False))
    assert (few.get(name), few.get(projections)) == ("false", "NO_CODEGEN")
    assert (many.get(name), many.get(projections)) == ("true", "FALLBACK")
    users.conf.set(name, "true")
    assert query_session(users, 1, few_rows=True).conf.get(name) == "true"


@pytest.mark.spark
def test_a_query_has_the_state_format_of_its_checkpoint(users):
    """Whatever the user's session says, and none if it has no checkpoint."""
    name = "spark.sql.streaming.stateStore.checkpointFormatVersion"
    users.conf.set(name, "2")
    assert [query_session(users, 1, given).conf.get(name) for given in (1, 2, None)] == ["1", "2", "2"]


@pytest.mark.spark
def test_sparks_checksums_are_off_where_hadoop_has_its_own(users):
    """Unless the user wants them; and checkpoints of the first format keep those that they have."""
    name = "spark.sql.streaming.checkpoint.fileChecksum.enabled"
    assert [query_session(users, 1, given).conf.get(name) for given in (1, 2)] == ["true", "false"]
    users.conf.set(name, "true")
    assert query_session(users, 1, 2).conf.get(name) == "true"


@pytest.mark.spark
def test_listeners_of_the_users_session_hear_of_a_query(users):
    """A job's query is in a session of its own, and still tells those who listen in the user's."""
    from pyspark.sql.streaming import StreamingQueryListener

    class Heard(StreamingQueryListener):
        def __init__(self):
            self.ended = Event()

        def onQueryStarted(self, event): ...
        def onQueryProgress(self, event): ...
        def onQueryTerminated(self, event):
            self.ended.set()

    heard = Heard()
    users.streams.addListener(heard)
    try:
        query = query_session(users, 1).readStream.format("rate").load().writeStream.format("noop").start()
        query.stop()
        assert heard.ended.wait(60)
    finally:
        users.streams.removeListener(heard)


@pytest.mark.spark
def test_the_users_session_stays_the_active_one(users, spark_session):
    """PySpark makes a session active when it makes a DataFrame of data; a query's own session is nobody else's."""
    from pyspark.sql import SparkSession

    spark_session.createDataFrame([(1,)], "n long")
    frame = create_frame(query_session(users, 1), pa.table({"n": [1]}), "n long")
    assert frame.collect() == [(1,)]
    assert SparkSession.getActiveSession() is spark_session


@pytest.mark.spark
def test_two_jobs_at_once_do_not_mix_their_settings(users, tmp_path):
    """Jobs of other parallelisms, started together on one session, keep as many partitions of state as each has."""
    before = settings(users)
    clients = []
    for parallelism in (1, 3):
        configuration = Configuration().set_string("windrow.runtime", "spark")
        configuration.set_string("execution.checkpointing.dir", str(tmp_path / str(parallelism)))
        env = StreamExecutionEnvironment.get_execution_environment(configuration, users).set_parallelism(parallelism)
        env.from_collection([1, 2, 3]).key_by(lambda n: n).sum().sink_to(DiscardingSink())
        clients.append(env.execute_async())
    for client in clients:
        client.get_job_execution_result().result()
    kept = {name: len(list((tmp_path / name / "spark" / "state" / "0").glob("[0-9]*"))) for name in ("1", "3")}
    assert kept == {"1": 1, "3": 3}
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


@pytest.fixture
def no_session(monkeypatch):
    """As if no test had started one."""
    from pyspark.sql import SparkSession

    monkeypatch.setattr(SparkSession, "getActiveSession", lambda: None)
    monkeypatch.setattr(SparkSession, "_instantiatedSession", None)


@pytest.mark.usefixtures("no_session")
def test_no_session_of_spark_connect_is_made(monkeypatch):
    """It is refused before anything is started; the address, which may have a token in it, is not shown."""
    said = "^SPARK_REMOTE or spark.remote is set, so the session would be of Spark Connect, and jobs need"
    with pytest.raises(ConfigurationError, match=said):
        session({"spark.remote": "sc://a.net/;token=secret"})
    monkeypatch.setenv("SPARK_REMOTE", "sc://a.net/;token=secret")
    with pytest.raises(ConfigurationError, match=said) as raised:
        session()
    assert "secret" not in str(raised.value)


@pytest.mark.usefixtures("no_session")
def test_the_mode_of_connect_is_refused(monkeypatch):
    """PySpark would start a server of its own."""
    said = "^spark.api.mode or SPARK_API_MODE is connect, so the session would be of Spark Connect"
    with pytest.raises(ConfigurationError, match=said):
        session({"spark.api.mode": "Connect"})
    monkeypatch.setenv("SPARK_API_MODE", "connect")
    with pytest.raises(ConfigurationError, match=said):
        session()
    monkeypatch.setenv("SPARK_CONNECT_MODE_ENABLED", "1")
    with pytest.raises(ConfigurationError, match=r"^SPARK_CONNECT_MODE_ENABLED is set"):
        session({"spark.api.mode": "classic"})


@pytest.mark.usefixtures("no_session")
@pytest.mark.parametrize("name", ["SPARK_CONNECT_MODE", "SPARK_API_MODE"])
def test_where_nothing_is_said_a_session_is_none_of_connect(monkeypatch, name):
    """Packages may make Connect PySpark's default; a program that names the mode itself has it."""
    from pyspark.sql import SparkSession

    monkeypatch.setenv(name, "1" if name == "SPARK_CONNECT_MODE" else "connect")
    monkeypatch.setenv("PYSPARK_GATEWAY_PORT", "1")  # nothing of a Java of one's own is looked for
    monkeypatch.setattr(SparkSession.Builder, "getOrCreate", lambda builder: dict(builder._options))
    given = {} if name == "SPARK_CONNECT_MODE" else {"spark.api.mode": "classic"}
    assert session(given)["spark.api.mode"] == "classic"


def test_java_on_this_machine_compiles_quickly():
    """What its second compiler makes pays for nothing here; the driver of a cluster is as Spark has it."""
    here, there = _own_settings("local[2]"), _own_settings("spark://a.net:7077")
    assert "-XX:TieredStopAtLevel=1" in here["spark.driver.extraJavaOptions"].split()
    assert "-XX:TieredStopAtLevel=1" not in there["spark.driver.extraJavaOptions"]


def test_only_a_session_on_this_machine_is_bound_to_it():
    """Executors elsewhere have to find the driver, and may have no Windrow when Spark's daemon starts there."""
    here, there = _own_settings("local-cluster[2,1,1024]"), _own_settings("spark://a.net:7077")
    bound = {"spark.driver.host", "spark.driver.bindAddress", "spark.python.daemon.module", "spark.local.dir"}
    assert bound <= set(here)
    assert not bound & set(there)
    assert there["spark.master"] == "spark://a.net:7077"
    assert here["spark.ui.enabled"] == there["spark.ui.enabled"] == "false"
