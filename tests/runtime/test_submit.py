"""The choice of a runtime."""

import pytest

from windrow.common import Configuration
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import ConfigurationError
from windrow.runtime.submit import SubmitSettings


def test_spark_is_the_default_runtime(monkeypatch):
    """Without a setting jobs run on Spark."""
    monkeypatch.delenv("WINDROW_RUNTIME", raising=False)
    assert SubmitSettings(Configuration()).runtime == "spark"


def test_the_configuration_counts_before_the_environment_variable(monkeypatch):
    """WINDROW_RUNTIME names the runtime of programs that do not."""
    monkeypatch.setenv("WINDROW_RUNTIME", "local")
    assert SubmitSettings(Configuration()).runtime == "local"
    assert SubmitSettings(Configuration().set_string("windrow.runtime", "spark")).runtime == "spark"


def test_an_unknown_runtime_is_refused(monkeypatch):
    """A runtime that there is not is named, with those that there are."""
    with pytest.raises(ConfigurationError, match="one of spark, local; it is 'flink'"):
        StreamExecutionEnvironment.get_execution_environment(Configuration().set_string("windrow.runtime", "flink"))
    monkeypatch.setenv("WINDROW_RUNTIME", "flink")
    env = StreamExecutionEnvironment.get_execution_environment()
    env.from_collection([1]).print()
    with pytest.raises(ConfigurationError, match="'spark' or 'local'; it is 'flink'"):
        env.execute()
