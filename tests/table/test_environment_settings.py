"""What a table environment is made with."""

import pytest

from windrow.common import Configuration
from windrow.datastream import RuntimeExecutionMode, StreamExecutionEnvironment
from windrow.errors import ConfigurationError
from windrow.table import EnvironmentSettings, StreamTableEnvironment, TableEnvironment


def test_the_configuration_counts_beside_an_environment_of_streams():
    """It is added to what that has, and comes before it, as in Flink."""
    env = StreamExecutionEnvironment.create_local_environment(
        3, Configuration.from_dict({"table.local-time-zone": "UTC", "pipeline.name": "mine"})
    )
    given = Configuration.from_dict({"table.local-time-zone": "Asia/Tokyo", "parallelism.default": "2"})
    settings = EnvironmentSettings.new_instance().with_configuration(given).build()
    tables = StreamTableEnvironment.create(env, settings)
    assert tables.get_config().get_local_timezone() == "Asia/Tokyo"
    assert (env.get_parallelism(), tables.get_config().get("pipeline.name", "")) == (2, "mine")
    zoned = tables.execute_sql("SELECT CAST(TO_TIMESTAMP_LTZ(0, 3) AS STRING) AS s").collect()
    assert [row.s for row in zoned] == ["1970-01-01 09:00:00.000"]


def test_the_configuration_may_say_the_runtime_mode():
    """Of what the builder is told the last thing counts."""
    batch = Configuration.from_dict({"execution.runtime-mode": "batch"})
    assert not EnvironmentSettings.new_instance().with_configuration(batch).build().is_streaming_mode()
    builder = EnvironmentSettings.new_instance().with_configuration(batch).in_streaming_mode()
    assert builder.build().is_streaming_mode()
    tables = TableEnvironment.create(batch)
    assert tables._environment._runtime_mode is RuntimeExecutionMode.BATCH
    assert not tables._streaming
    with pytest.raises(ConfigurationError, match=r"of tables is STREAMING or BATCH; got 'AUTOMATIC'"):
        EnvironmentSettings(configuration=Configuration.from_dict({"execution.runtime-mode": "AUTOMATIC"}))


def test_settings_without_a_runtime_mode_take_that_of_the_environment():
    """A configuration that says other things does not make streams of it."""
    env = StreamExecutionEnvironment.create_local_environment().set_runtime_mode(RuntimeExecutionMode.BATCH)
    given = Configuration.from_dict({"table.local-time-zone": "Asia/Tokyo"})
    tables = StreamTableEnvironment.create(env, EnvironmentSettings.new_instance().with_configuration(given).build())
    assert not tables._streaming


def test_what_the_program_does_with_its_configuration_changes_no_environment_that_was_made():
    """It is copied; the settings' own may be set until one is made."""
    given = Configuration.from_dict({"windrow.runtime": "local"})
    settings = EnvironmentSettings.new_instance().with_configuration(given).build()
    settings.get_configuration().set_string("table.local-time-zone", "Asia/Tokyo")
    tables = TableEnvironment.create(settings)
    given.set_string("windrow.runtime", "spark")
    settings.get_configuration().set_string("table.local-time-zone", "UTC")
    assert tables.get_config().get("windrow.runtime", "") == "local"
    assert tables.get_config().get_local_timezone() == "Asia/Tokyo"


def test_a_setting_that_asks_for_what_there_is_not_is_refused():
    """As it is where the environment of streams has it."""
    given = Configuration.from_dict({"table.exec.sink.not-null-enforcer": "DROP"})
    settings = EnvironmentSettings.new_instance().with_configuration(given).build()
    with pytest.raises(ConfigurationError, match=r"'table.exec.sink.not-null-enforcer' is not supported"):
        StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(), settings)
