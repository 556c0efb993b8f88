"""Jobs do not run on Spark Connect, and it is said where the session is given."""

import pytest

from windrow.common import Configuration
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import ConfigurationError, ConfigurationTypeError

#: As Connect's client names its classes: the client itself needs packages that no job does.
SparkSession, DataFrame = (
    type(name, (), {"__module__": f"pyspark.sql.connect.{module}"})
    for name, module in (("SparkSession", "session"), ("DataFrame", "dataframe"))
)


@pytest.mark.parametrize("arguments", [(SparkSession(),), (Configuration(), SparkSession()), (None, SparkSession())])
def test_a_session_of_connect_is_refused(arguments):
    """Wherever it stands among the arguments; the error says what is missing, and what to do."""
    with pytest.raises(ConfigurationError) as raised:
        StreamExecutionEnvironment.get_execution_environment(*arguments)
    said = str(raised.value)
    assert said.startswith("the session of get_execution_environment is of Spark Connect, and jobs need")
    assert "no SparkContext" in said
    assert "spark-submit" in said


def test_a_dataframe_of_connect_is_refused():
    """Its rows would be of another Spark."""
    env = StreamExecutionEnvironment.get_execution_environment()
    with pytest.raises(ConfigurationError, match=r"^the DataFrame of from_dataframe is of Spark Connect"):
        env.from_dataframe(DataFrame())


@pytest.mark.parametrize("given", [object(), "sc://localhost", 7])
def test_whatever_else_is_given_is_not_taken_for_it(given):
    """What is wrong with it is said, and a configuration passes."""
    with pytest.raises(ConfigurationTypeError, match=r"^configuration must be a Configuration; got "):
        StreamExecutionEnvironment.get_execution_environment(given)
    session = object()
    assert StreamExecutionEnvironment.get_execution_environment(Configuration(), session)._spark_session is session
