"""Which tables of topics there can be, and what is said of others."""

import pytest

from tests.table.connectors.kafka.building import local_tables, refusal, statement
from windrow.errors import SqlError

SAID = [
    ({"topic": None}, "needs the option 'topic'"),
    ({"topic": None, "topics": "t"}, "needs the option 'topic'; 'topics' is none"),
    ({"topic_pattern": "t.*"}, "needs one of 'topic' and 'topic-pattern', not both"),
    ({"topic": None, "topic_pattern": "("}, "'topic-pattern' is no regular expression"),
    ({"topic": "a;;b"}, "'topic' takes names between semicolons; got 'a;;b'"),
    ({"properties__bootstrap__servers": None}, "needs the option 'properties.bootstrap.servers'"),
    ({"format": None}, "needs the option 'format'"),
    ({"format": "jsn"}, "'format' = 'jsn': did you mean 'json'? There are csv, json"),
    ({"value__format": "json"}, "'format' and 'value.format' are the same"),
    ({"json__ignore_parse_error": "true"}, "did you mean 'json.ignore-parse-errors'?"),
    ({"csv__field_delimiter": ";"}, "has an option 'csv.field-delimiter' that nobody knows"),
    ({"json__ignore_parse_errors": "yes"}, "'json.ignore-parse-errors' = 'yes': There are true, false"),
    (
        {"json__ignore_parse_errors": "true", "json__fail_on_missing_field": "true"},
        "'json.fail-on-missing-field' and 'json.ignore-parse-errors' cannot both be true",
    ),
    ({"scan__start__mode": "earliest-offset"}, "did you mean 'scan.startup.mode'?"),
    ({"scan__startup__mode": "earliest"}, "did you mean 'earliest-offset'?"),
    ({"scan__topic_partition_discovery__interval": "soon"}, "takes a span of time such as '5 s'; got 'soon'"),
    ({"sink__delivery_guarantee": "exactly-once"}, "needs the option 'sink.transactional-id-prefix'"),
    ({"sink__delivery_guarantee": "twice"}, "There are at-least-once, exactly-once, none"),
    ({"sink__partitioner": "fixed"}, "'sink.partitioner' is 'default'"),
    (
        {"sink__partitioner": "round-robin", "key__fields": "a", "key__format": "csv"},
        "'sink.partitioner' = 'round-robin' is for records without a key",
    ),
    ({"columns": "a INT PRIMARY KEY NOT ENFORCED"}, "take the connector 'upsert-kafka'"),
    ({"columns": "a INT, o BIGINT METADATA FROM 'ofset' VIRTUAL"}, "did you mean 'offset'?"),
    ({"columns": "a INT, `key` BYTES METADATA VIRTUAL"}, "'kafka' has no metadata 'key'"),
    ({"columns": "a INT, ts BYTES METADATA FROM 'timestamp'"}, "is TIMESTAMP_LTZ(3) NOT NULL, which cannot be CAST"),
]


@pytest.mark.parametrize(("changed", "said"), SAID, ids=[said for _, said in SAID])
def test_a_wrong_table_is_refused_when_it_is_made(changed, said):
    """Each message names the option, and what it can be."""
    assert said in refusal(**changed)


def test_a_secret_is_not_shown():
    """Neither where its line of the statement is shown, nor by SHOW CREATE TABLE."""
    jaas = 'org.apache.kafka.common.security.plain.PlainLoginModule required username="me" password="pa55";'
    hidden = statement(properties__sasl__jaas__config=jaas)
    wrong = hidden.replace("a INT", "a FOO")
    assert "pa55" in wrong
    tables = local_tables()
    with pytest.raises(SqlError) as raised:
        tables.execute_sql(wrong)
    assert "FOO" in str(raised.value)
    assert "pa55" not in str(raised.value)
    tables.execute_sql(hidden)
    ((shown,),) = tables.execute_sql("SHOW CREATE TABLE k").collect()
    assert "'properties.sasl.jaas.config' = ******" in shown


def test_what_can_only_be_read_is_not_written():
    """A column of metadata that is not VIRTUAL is written, so it has to be one that can be."""
    tables = local_tables()
    tables.execute_sql(statement("a INT, o BIGINT METADATA FROM 'offset', p INT METADATA FROM 'partition' VIRTUAL"))
    with pytest.raises(SqlError, match="metadata 'offset' of 'kafka' can only be read: declare column 'o' as METADATA"):
        tables.execute_sql("INSERT INTO k SELECT 1, CAST(2 AS BIGINT)")


def test_virtual_and_computed_columns_are_not_among_those_that_are_written():
    """As in Flink, what INSERT INTO takes are the others, in their order."""
    tables = local_tables()
    columns = "ts TIMESTAMP(3) METADATA FROM 'timestamp', a INT, p INT METADATA FROM 'partition' VIRTUAL, c AS a + p"
    tables.execute_sql(statement(columns))
    with pytest.raises(SqlError, match=r"the query has 1 columns, and the table 2: .*; ts TIMESTAMP.*, a INT\n"):
        tables.execute_sql("INSERT INTO k SELECT 1")


def test_a_table_of_several_topics_is_not_written():
    """It is read, all the same."""
    tables = local_tables()
    tables.execute_sql(statement(topic="a;b"))
    with pytest.raises(SqlError, match="'topic' has to name one topic"):
        tables.execute_sql("INSERT INTO k SELECT 1, 'x'")


def test_describe_shows_where_metadata_comes_from():
    """With the connector's name for it, and whether it is read only."""
    tables = local_tables()
    tables.execute_sql(
        statement("`offset` BIGINT METADATA VIRTUAL, ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp', a INT")
    )
    extras = [row[4] for row in tables.execute_sql("DESCRIBE k").collect()]
    assert extras == ["METADATA VIRTUAL", "METADATA FROM 'timestamp'", ""]
