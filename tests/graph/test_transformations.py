"""What transformations are called while they run."""

import pytest

from windrow.datastream import StreamExecutionEnvironment
from windrow.graph.transformations import task_name


@pytest.mark.parametrize(
    ("add", "called"),
    [
        (lambda stream: stream.print(), "Sink: Print to Std. Out"),
        (lambda stream: stream.print_to_err(), "Sink: Print to Std. Err"),
        (lambda stream: stream.add_sink(print), "Sink: Unnamed"),
        (lambda stream: stream.print().name("mine"), "mine"),
        (lambda stream: stream.map(str), "Map"),
    ],
)
def test_a_sink_without_a_name_is_called_as_in_flink(add, called):
    """Errors name it so; what the program has named keeps its name."""
    stream = StreamExecutionEnvironment.create_local_environment(1).from_collection([1])
    assert task_name(add(stream)._transformation) == called
