import pytest

from windrow.common import Types, WatermarkStrategy
from windrow.datastream import MapFunction, SinkFunction
from windrow.datastream.state import ValueStateDescriptor
from windrow.errors import ConfigurationTypeError, UserFunctionError


class ToFile(SinkFunction):
    """Appends what it sees to a file that one subtask writes."""

    def __init__(self, path):
        self._path = path

    def open(self, runtime_context):
        self._file = open(f"{self._path}-{runtime_context.get_index_of_this_subtask()}", "a")  # noqa: SIM115

    def invoke(self, value, context):
        self._file.write(f"{value} at {context.timestamp()}\n")

    def close(self):
        self._file.write("closed\n")
        self._file.close()


class Counting(SinkFunction):
    """Writes how many elements of the key came so far."""

    def __init__(self, path):
        self._path = path

    def open(self, runtime_context):
        self._count = runtime_context.get_state(ValueStateDescriptor("count", Types.INT()))

    def invoke(self, value, context):
        self._count.update((self._count.value() or 0) + 1)
        with open(self._path, "a") as file:
            file.write(f"{value}{self._count.value()}\n")


def test_a_sink_function_sees_elements_with_their_time(env, tmp_path):
    """It is opened and closed in each subtask and called for each element with its timestamp, by workers."""
    times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda n, _: n * 10)
    stream = env.from_collection([1, 2]).assign_timestamps_and_watermarks(times)
    stream.add_sink(ToFile(tmp_path / "out")).name("to files").set_parallelism(1)
    env.execute()
    assert (tmp_path / "out-0").read_text() == "1 at 10\n2 at 20\nclosed\n"


@pytest.mark.parametrize("runtime", ["local"])
class TestLocally:
    def test_its_parallelism_can_be_set(self, env, tmp_path):
        """What add_sink returns has the settings of the function's operator."""
        sink = env.from_collection([1, 2, 3]).add_sink(ToFile(tmp_path / "out")).set_parallelism(3)
        assert sink.get_name() == "Unnamed"
        env.execute()
        assert sorted(file.name for file in tmp_path.iterdir()) == ["out-0", "out-1", "out-2"]

    def test_on_a_keyed_stream_it_has_keyed_state(self, env, tmp_path):
        """The state is the element's key's."""
        env.from_collection(["a", "b", "a"]).key_by(lambda word: word).add_sink(Counting(tmp_path / "out"))
        env.execute()
        assert sorted((tmp_path / "out").read_text().split()) == ["a1", "a2", "b1"]

    def test_it_may_be_a_plain_function(self, env):
        """A function of an element will do."""
        seen = []
        env.from_collection([1, 2]).add_sink(seen.append).set_parallelism(1)
        env.execute()
        assert seen == [1, 2]

    def test_an_error_names_the_sink_and_the_element(self, env):
        """What the function raises is reported like that of any other."""
        env.from_collection([0]).add_sink(lambda n: 1 // n).name("divider")
        with pytest.raises(UserFunctionError, match="in operator 'divider' on element 0"):
            env.execute()

    def test_another_function_is_refused(self, env):
        """Other kinds of functions are refused where add_sink is called."""

        class Plus(MapFunction):
            def map(self, value):
                return value + 1

        with pytest.raises(ConfigurationTypeError, match="add_sink takes a SinkFunction"):
            env.from_collection([1]).add_sink(Plus())
