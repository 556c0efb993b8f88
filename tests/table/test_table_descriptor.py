"""Tables that a program describes, in place of CREATE TABLE."""

import pytest

from windrow.common.config_options import ConfigOptions
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import ConfigurationError, SqlError
from windrow.table import DataTypes, FormatDescriptor, Schema, StreamTableEnvironment, TableDescriptor
from windrow.table.expressions import col

NUMBERS = Schema.new_builder().column("n", DataTypes.INT()).column_by_expression("m", "n + 1").build()


@pytest.fixture
def tables():
    return StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(parallelism=1))


def datagen(count):
    described = TableDescriptor.for_connector("datagen").schema(NUMBERS).option("number-of-rows", count)
    return described.option("fields.n.kind", "sequence").option("fields.n.start", 1).option("fields.n.end", 9).build()


def test_a_table_that_is_described_is_that_of_the_statement(tables):
    """Columns, computed ones, watermark, key, partitions and options are what CREATE TABLE would say."""
    schema = (
        Schema.new_builder()
        .from_fields(["id", "day"], [DataTypes.BIGINT(False), "DATE"])
        .column("ts", "TIMESTAMP(3)")
        .column_by_expression("twice", "id * 2")
        .watermark("ts", "ts - INTERVAL '1' SECOND")
        .primary_key("id")
        .build()
    )
    json = FormatDescriptor.for_format("json").option("ignore-parse-errors", True).build()
    builder = TableDescriptor.for_connector("filesystem").schema(schema).option("path", "/it's/here")
    tables.create_table("t", builder.format(json).partitioned_by("day").comment("days").build())
    (shown,) = tables.execute_sql("SHOW CREATE TABLE t").collect()
    assert shown[0].splitlines() == [
        "CREATE TABLE `default_catalog`.`default_database`.`t` (",
        "  `id` BIGINT NOT NULL,",
        "  `day` DATE,",
        "  `ts` TIMESTAMP(3),",
        "  `twice` AS `id` * 2,",
        "  WATERMARK FOR `ts` AS `ts` - INTERVAL '1' SECOND,",
        "  CONSTRAINT `PK_id` PRIMARY KEY (`id`) NOT ENFORCED",
        ")",
        "COMMENT 'days'",
        "PARTITIONED BY (`day`)",
        "WITH (",
        "  'connector' = 'filesystem',",
        "  'format' = 'json',",
        "  'json.ignore-parse-errors' = 'true',",
        "  'path' = '/it''s/here'",
        ")",
    ]


def test_a_format_option_says_which_format_it_is():
    """The options of ``value.format`` begin with ``value.``."""
    option = ConfigOptions.key("value.format").string_type().no_default_value()
    csv = FormatDescriptor.for_format("csv").option("null-literal", "-").build()
    described = TableDescriptor.for_connector("kafka").format(csv, option).format("json").build()
    assert described.get_options() == {
        "connector": "kafka",
        "value.format": "csv",
        "value.csv.null-literal": "-",
        "format": "json",
    }


def test_tables_are_read_and_written_by_what_they_are(tables, capsys):
    """from_descriptor and execute_insert take one, which gets no name that programs list."""
    sink = TableDescriptor.for_connector("print").schema(Schema.new_builder().column("x", "INT").build()).build()
    tables.from_descriptor(datagen(2)).select(col("m")).execute_insert(sink).wait()
    statements = tables.create_statement_set()
    statements.add_insert(sink, tables.from_descriptor(datagen(1)).select(col("n")))
    statements.execute().wait()
    assert capsys.readouterr().out.splitlines() == ["+I[2]", "+I[3]", "+I[1]"]
    assert tables.list_tables() == []


def test_a_path_may_name_the_catalog(tables):
    """Of which there is one; a table of one name is refused, unless it is to be ignored."""
    tables.create_temporary_table("default_catalog.default_database.t", datagen(1))
    tables.create_table("t", datagen(2), ignoreIfExists=True)
    assert list(tables.from_path("default_database.t").to_pandas()["m"]) == [2]
    with pytest.raises(SqlError, match="there is a table or view 't' already"):
        tables.create_temporary_table("`t`", datagen(1))


def test_a_table_without_columns_is_refused(tables):
    """With what is missing."""
    with pytest.raises(ConfigurationError, match="the descriptor of table 't' has no columns"):
        tables.create_temporary_table("t", TableDescriptor.for_connector("print").build())


def test_from_fields_takes_as_many_names_as_types():
    """Else it is an error."""
    with pytest.raises(ConfigurationError, match="got 2 and 1"):
        Schema.new_builder().from_fields(["a", "b"], ["INT"])


def test_a_table_in_a_text_is_its_name(tables):
    """As in PyFlink: ``"SELECT * FROM %s" % table``; it is the same one each time."""
    table = tables.from_elements([(1, "a"), (2, "b")], ["id", "s"])
    assert list(tables.sql_query(f"SELECT s FROM {table} WHERE id > 1").to_pandas()["s"]) == ["b"]
    assert str(table) == str(table) == "UnnamedTable$0"


def test_a_set_of_inserts_may_run_with_the_streams(tables, capsys):
    """attach_as_datastream leaves them to the environment of the streams."""
    tables.execute_sql("CREATE TABLE p (n BIGINT) WITH ('connector' = 'print')")
    statements = tables.create_statement_set()
    statements.add_insert("p", tables.from_elements([(7,)], ["n"]))
    statements.print_explain()
    assert capsys.readouterr().out == f"{statements.explain()}\n"
    assert "TableSourceScan" in statements.explain()
    statements.attach_as_datastream()
    tables._environment.execute()
    assert capsys.readouterr().out == "+I[7]\n"
