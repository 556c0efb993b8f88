"""Tables of topics, with a broker: what SQL reads and writes."""

import datetime as dt
import json
import threading
from contextlib import contextmanager

import pytest

from tests.connectors.kafka.building import QUICK
from windrow.errors import WindrowError
from windrow.table import StreamTableEnvironment

pytest.importorskip("confluent_kafka", reason="no Kafka client: pip install confluent-kafka")

SECOND = 1000
CHANGES = {"connector": "upsert-kafka", "key.format": "json", "value.format": "json", "format": None}


def create(tables, broker, name, topic, columns, **changed):
    """A table of a topic, read to the end that it has then; double underscores stand for dots, single for hyphens."""
    options = {
        "connector": "kafka",
        "topic": topic,
        "properties.bootstrap.servers": broker.servers,
        **{f"properties.{key}": value for key, value in QUICK.items()},
        "format": "json",
        "scan.startup.mode": "earliest-offset",
        "scan.bounded.mode": "latest-offset",
    }
    options |= {key.replace("__", ".").replace("_", "-"): value for key, value in changed.items()}
    if options["connector"] == "upsert-kafka":
        options["scan.startup.mode"] = None
    listed = ", ".join(f"'{key}' = '{value}'" for key, value in options.items() if value is not None)
    tables.execute_sql(f"CREATE TABLE {name} ({columns}) WITH ({listed})")


def rows(tables, query):
    """What a query gives, sorted."""
    with tables.execute_sql(query).collect() as found:
        return sorted([tuple(row) for row in found], key=str)


@contextmanager
def results(tables, query, seconds=120):
    """The results of a query without end, which is ended when a test waits for one that does not come."""
    with tables.execute_sql(query).collect() as found:
        timer = threading.Timer(seconds, found.close)
        timer.start()
        try:
            yield found
        finally:
            timer.cancel()


def objects(*values):
    return [json.dumps(value).encode() for value in values]


def test_what_is_written_is_read_again(env, broker):
    """Columns in keys and values, and metadata that can be written; the others are read beside it."""
    tables = StreamTableEnvironment.create(env)
    topic = broker.topic()
    columns = (
        "k_id INT, ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp', name STRING, price DECIMAL(10, 2), "
        "headers MAP<STRING, BYTES> METADATA, o BIGINT METADATA FROM 'offset' VIRTUAL, topic STRING METADATA VIRTUAL"
    )
    key = {"key__format": "csv", "key__fields": "k_id", "key__fields_prefix": "k_"}
    create(tables, broker, "t", topic, columns, **key, value__fields_include="EXCEPT_KEY")
    tables.execute_sql("""
        INSERT INTO t VALUES
          (7, TO_TIMESTAMP_LTZ(5000, 3), 'a', 1.5, MAP['h', CAST('x' AS BYTES)]),
          (8, TO_TIMESTAMP_LTZ(6001, 3), CAST(NULL AS STRING), 2.25, MAP['h', CAST('y' AS BYTES)])
    """).wait()
    first, second = broker.read(topic, 1, 2)
    assert (first.key(), first.value()) == (b"7", b'{"name":"a","price":1.50}')
    assert (first.timestamp()[1], first.headers()) == (5000, [("h", b"x")])
    assert (second.key(), second.value()) == (b"8", b'{"name":null,"price":2.25}')
    found = rows(tables, "SELECT k_id, name, price, CAST(headers['h'] AS STRING), o, topic FROM t")
    assert [(*row[:2], str(row[2]), *row[3:]) for row in found] == [
        (7, "a", "1.50", "x", 0, topic),
        (8, None, "2.25", "y", 1, topic),
    ]
    times = rows(tables, "SELECT CAST(ts AS STRING) FROM t")
    assert times == [("1970-01-01 00:00:05.000",), ("1970-01-01 00:00:06.001",)]


def test_each_partition_has_a_watermark_of_its_own(env, broker):
    """One that is far behind makes nothing late, by a time that is computed of the value."""
    tables = StreamTableEnvironment.create(env)
    topic = broker.topic(partitions=3)
    expected = {}
    for partition, count in enumerate((5000, 500, 5)):
        times = [place * 10 * SECOND // count for place in range(count)]
        broker.produce(topic, partition, objects(*[{"ms": time} for time in times]))
        for time in times:
            expected[time // SECOND] = expected.get(time // SECOND, 0) + 1
    columns = "ms BIGINT, ts AS TO_TIMESTAMP_LTZ(ms, 3), WATERMARK FOR ts AS ts"
    create(tables, broker, "t", topic, columns)
    found = rows(
        tables,
        "SELECT MIN(ms) / 1000, COUNT(*) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' SECOND)) "
        "GROUP BY window_start, window_end",
    )
    assert dict(found) == expected
    assert len(found) == len(expected)


def test_a_partition_without_rows_holds_nothing_back_after_the_idle_timeout(env, broker):
    """``table.exec.source.idle-timeout``; without it the result would not come, for the topic has no end here."""
    tables = StreamTableEnvironment.create(env.set_parallelism(1))
    tables.get_config().set("table.exec.source.idle-timeout", "300 ms")
    topic = broker.topic(partitions=2)
    columns = "a STRING, ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL, WATERMARK FOR ts AS ts"
    create(tables, broker, "t", topic, columns, scan__bounded__mode=None)
    broker.produce(topic, 0, objects({"a": "x"}, {"a": "x"}, {"a": "y"}), [1000, 1500, 2500])
    query = (
        "SELECT a, COUNT(*) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' SECOND)) "
        "GROUP BY window_start, window_end, a"
    )
    with results(tables, query) as found, talking(broker, topic):
        assert tuple(next(found)) == ("x", 2)


@contextmanager
def talking(broker, topic):
    """Partition 0 gets a record from time to time: with both partitions idle there would be no watermark at all."""
    over = threading.Event()

    def talk():
        while not over.wait(0.1):
            broker.produce(topic, 0, objects({"a": "y"}), [2600])

    talker = threading.Thread(target=talk)
    talker.start()
    try:
        yield
    finally:
        over.set()
        talker.join()


@pytest.fixture
def local():
    """Tables of an environment in this process."""
    from tests.table.connectors.kafka.building import local_tables

    return local_tables()


def test_where_reading_begins_and_ends(local, broker):
    """Offsets, times, and where the group is."""
    topic = broker.topic(partitions=2)
    for partition in (0, 1):
        values = objects(*[{"n": 10 * partition + place} for place in range(5)])
        broker.produce(topic, partition, values, [SECOND * place for place in range(1, 6)])
    group = f"group-{topic}"
    broker.commit(group, topic, 0, 4)
    broker.commit(group, topic, 1, 5)
    starts = {
        "offsets": {
            "scan__startup__mode": "specific-offsets",
            "scan__startup__specific_offsets": "partition:0,offset:3;partition:1,offset:4",
        },
        "times": {"scan__startup__mode": "timestamp", "scan__startup__timestamp_millis": "4500"},
        "committed": {"scan__startup__mode": None, "properties__group__id": group},
        "ends": {
            "scan__bounded__mode": "specific-offsets",
            "scan__bounded__specific_offsets": "partition:0,offset:1;partition:1,offset:2",
        },
        "early": {"scan__bounded__mode": "timestamp", "scan__bounded__timestamp_millis": "2000"},
    }
    found = {}
    for name, options in starts.items():
        create(local, broker, name, topic, "n INT", **options)
        found[name] = [n for (n,) in rows(local, f"SELECT n FROM {name}")]
    assert sorted(found["offsets"]) == [3, 4, 14]
    assert sorted(found["times"]) == [4, 14]
    assert found["committed"] == [4]
    assert sorted(found["ends"]) == [0, 10, 11]
    assert sorted(found["early"]) == [0, 10]


def test_topics_by_their_names(local, broker):
    """A list, and a pattern."""
    first = broker.topic()
    topics = [broker.topic(name=f"named-{first}-{letter}") for letter in "ab"]
    for topic in topics:
        broker.produce(topic, 0, objects({"n": 1}))
    create(local, broker, "listed", ";".join(topics), "n INT, topic STRING METADATA VIRTUAL")
    create(local, broker, "found", None, "n INT", topic_pattern=topics[0][:-1] + ".")
    assert rows(local, "SELECT n, topic FROM listed") == [(1, topic) for topic in topics]
    assert rows(local, "SELECT n FROM found") == [(1,), (1,)]


def test_a_record_that_cannot_be_read_fails_the_job_unless_the_table_ignores_it(local, broker):
    """The error says where it is, and which option to set."""
    topic = broker.topic()
    broker.produce(topic, 0, [b'{"n": 1}', b'{"n": ', b'{"n": "x"}', b'{"n": 4}'])
    create(local, broker, "strict", topic, "n INT")
    with pytest.raises(WindrowError) as raised:
        rows(local, "SELECT n FROM strict")
    said = str(raised.value)
    assert f"the record at offset 1 of {topic}-0" in said
    assert "ignore-parse-errors" in said
    create(local, broker, "lenient", topic, "n INT", json__ignore_parse_errors="true")
    assert rows(local, "SELECT n FROM lenient") == [(1,), (4,), (None,)]


def test_every_row_is_written_once(env, broker):
    """``sink.delivery-guarantee`` is ``exactly-once``: in transactions."""
    tables = StreamTableEnvironment.create(env)
    topic = broker.topic(partitions=2)
    once = {"sink__delivery_guarantee": "exactly-once", "sink__transactional_id_prefix": topic}
    create(tables, broker, "t", topic, "n BIGINT", **once, properties__transaction__timeout__ms="60000")
    numbers = "'connector' = 'datagen', 'number-of-rows' = '500', 'fields.n.kind' = 'sequence', 'fields.n.start' = '0'"
    tables.execute_sql(f"CREATE TABLE numbers (n BIGINT) WITH ({numbers})")
    tables.execute_sql("INSERT INTO t SELECT n FROM numbers").wait()
    found = broker.read(topic, 2, 500, **{"isolation.level": "read_committed"})
    assert sorted(json.loads(message.value())["n"] for message in found) == list(range(500))
    create(tables, broker, "committed", topic, "n BIGINT", properties__isolation__level="read_committed")
    assert len(rows(tables, "SELECT n FROM committed")) == 500


def test_a_changing_result_is_written_as_upserts_and_read_as_changes(env, broker):
    """The key is that of the row; what reads it gets changes that say what was there before."""
    tables = StreamTableEnvironment.create(env.set_parallelism(1))
    topic = broker.topic(partitions=2)
    columns = "word STRING, n BIGINT, PRIMARY KEY (word) NOT ENFORCED"
    create(tables, broker, "counts", topic, columns, **CHANGES)
    tables.create_temporary_view("words", tables.from_elements([("a",), ("b",), ("a",), ("a",)], ["word"]))
    tables.execute_sql("INSERT INTO counts SELECT word, COUNT(*) FROM words GROUP BY word").wait()
    found = broker.read(topic, 2, 4)
    assert sorted((message.key(), message.value()) for message in found) == [
        (b'{"word":"a"}', b'{"word":"a","n":1}'),
        (b'{"word":"a"}', b'{"word":"a","n":2}'),
        (b'{"word":"a"}', b'{"word":"a","n":3}'),
        (b'{"word":"b"}', b'{"word":"b","n":1}'),
    ]
    with tables.execute_sql("SELECT word, n FROM counts").collect() as changes:
        of_a = [(str(row.get_row_kind()), row[1]) for row in changes if row[0] == "a"]
    assert of_a == [("+I", 1), ("-U", 1), ("+U", 2), ("-U", 2), ("+U", 3)]
    assert tables.sql_query("SELECT SUM(n) AS s FROM counts").to_pandas()["s"].tolist() == [4]


def test_a_tombstone_deletes_the_row_of_its_key(local, broker):
    """One of a key that was never there changes nothing; the time of a change may be that of its record."""
    topic = broker.topic()
    producer = broker.producer()
    for key, value in ((1, "x"), (2, "y"), (1, None), (3, None), (2, "y"), (2, "z")):
        content = None if value is None else json.dumps({"b": value}).encode()
        producer.produce(topic, content, json.dumps({"id": key}).encode(), timestamp=5000)
    assert producer.flush(60) == 0
    columns = (
        "id INT PRIMARY KEY NOT ENFORCED, b STRING, ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL, "
        "WATERMARK FOR ts AS ts"
    )
    create(local, broker, "t", topic, columns, **CHANGES, value__fields_include="EXCEPT_KEY")
    with local.execute_sql("SELECT id, b FROM t").collect() as changes:
        found = [(str(row.get_row_kind()), *row) for row in changes]
    assert found == [("+I", 1, "x"), ("+I", 2, "y"), ("-D", 1, "x"), ("-U", 2, "y"), ("+U", 2, "z")]


def test_a_row_that_is_deleted_becomes_a_tombstone(local, broker):
    """What was there before an update is not written."""
    topics = [broker.topic(), broker.topic()]
    for name, topic in zip(("given", "made"), topics, strict=True):
        create(local, broker, name, topic, "id INT PRIMARY KEY NOT ENFORCED, b STRING", **CHANGES)
    producer = broker.producer()
    for value in (b'{"id": 1, "b": "x"}', b'{"id": 1, "b": "y"}', None):
        producer.produce(topics[0], value, b'{"id": 1}')
    assert producer.flush(60) == 0
    local.execute_sql("INSERT INTO made SELECT id, b FROM given").wait()
    values = [message.value() for message in broker.read(topics[1], 1, 3)]
    assert values == [b'{"id":1,"b":"x"}', b'{"id":1,"b":"y"}', None]


def test_times_are_read_as_they_are_written(local, broker):
    """As SQL writes them, or as ISO 8601 does."""
    topic = broker.topic()
    broker.produce(topic, 0, objects({"t": "2024-03-10T02:30:00.5", "d": "2024-03-10"}))
    create(local, broker, "t", topic, "t TIMESTAMP(3), d DATE", json__timestamp_format__standard="ISO-8601")
    assert rows(local, "SELECT t, d FROM t") == [(dt.datetime(2024, 3, 10, 2, 30, 0, 500_000), dt.date(2024, 3, 10))]


def test_a_topic_of_upserts_has_versions(local, broker):
    """Rows are joined with the one that was valid at their time: Flink's example of a versioned table."""
    topics = [broker.topic(), broker.topic()]
    for currency, rate, time in (("EUR", 1.1, 1000), ("USD", 1.0, 1500), ("EUR", 1.2, 3000)):
        key, value = objects({"currency": currency}, {"currency": currency, "rate": rate})
        broker.produce(topics[0], 0, [value], [time], key=key)
    broker.produce(topics[1], 0, objects(*[{"id": n, "currency": "EUR"} for n in range(3)]), [500, 2000, 4000])
    time = "ts TIMESTAMP(3) METADATA FROM 'timestamp' VIRTUAL, WATERMARK FOR ts AS ts"
    rates = f"currency STRING, rate DOUBLE, {time}, PRIMARY KEY (currency) NOT ENFORCED"
    create(local, broker, "rates", topics[0], rates, **CHANGES)
    create(local, broker, "orders", topics[1], f"id INT, currency STRING, {time}")
    found = rows(
        local,
        "SELECT id, rate FROM orders LEFT JOIN rates FOR SYSTEM_TIME AS OF orders.ts "
        "ON orders.currency = rates.currency",
    )
    assert found == [(0, None), (1, 1.1), (2, 1.2)]
