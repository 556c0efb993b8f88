"""Tables and views of an environment by their names."""

import pytest

from windrow.common import Configuration
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import SqlError
from windrow.table import StreamTableEnvironment


@pytest.fixture
def tables():
    """Tables of an environment in this process."""
    return StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(parallelism=1))


def test_views_and_tables_are_made_and_dropped_by_name(tables):
    """Once more only where that is asked for, and a view is no table."""
    words = tables.from_elements([("a",)], ["word"])
    assert tables.create_view("v", words)
    assert not tables.create_view("v", words, ignore_if_exists=True)
    with pytest.raises(SqlError, match="'v'"):
        tables.create_view("v", words)
    assert not tables.drop_table("v")
    assert tables.drop_view("v")
    assert not tables.drop_view("v")
    with pytest.raises(SqlError, match="there is no view 'v'"):
        tables.drop_view("v", ignore_if_not_exists=False)
    tables.execute_sql("CREATE TABLE t (a INT) WITH ('connector' = 'print')")
    assert tables.drop_table("t", ignore_if_not_exists=False)


def test_there_is_one_catalog_with_one_database_and_one_module(tables):
    """Which may be named."""
    tables.use_catalog("default_catalog")
    tables.use_database("default_database")
    assert tables.list_modules() == ["core"]
    with pytest.raises(SqlError, match="there is one catalog"):
        tables.use_database("other")


def test_an_environment_takes_a_whole_configuration(tables):
    """Each of its settings."""
    given = Configuration()
    given.set_string("table.local-time-zone", "Asia/Shanghai")
    tables.get_config().add_configuration(given)
    assert tables.get_config().get_local_timezone() == "Asia/Shanghai"


def test_methods_of_flink_that_are_left_out_say_what_to_use(tables):
    """Functions of Java, plans that are kept, catalogs."""
    for name, said in (("create_java_temporary_function", "what udf gives"), ("load_plan", "explain_sql")):
        with pytest.raises(AttributeError, match=said):
            getattr(tables, name)


def test_a_table_environment_takes_what_functions_need(tables, tmp_path):
    """As the environment of the job does."""
    (tmp_path / "doubling.py").write_text("def double(n):\n    return 2 * n\n")
    tables.add_python_file(str(tmp_path / "doubling.py"))
    assert str(tmp_path / "doubling.py") in tables._environment._configuration.get_string("python.files", "")
