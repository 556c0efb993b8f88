import pytest

from windrow.common import Row, Types, WatermarkStrategy
from windrow.datastream import (
    FlatMapFunction,
    KeyedProcessFunction,
    MapFunction,
    OutputTag,
    ProcessFunction,
    StreamExecutionEnvironment,
)
from windrow.errors import ConfigurationError, ConfigurationTypeError, UserFunctionError

ODD = OutputTag("odd")
TYPED_ODD = OutputTag("odd", Types.ROW_NAMED(["n"], [Types.INT()]))
EVENT_TIME = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda value, _: value)


class Split(ProcessFunction):
    def process_element(self, value, ctx):
        if value % 2:
            yield ODD, value
        else:
            yield value


class Identity(MapFunction):
    def map(self, value):
        return value


def collect(stream):
    return list(stream.execute_and_collect())


def test_map_flat_map_and_filter(env):
    """One element becomes one, many, or none, in order."""
    stream = env.from_collection([1, 2, 3]).flat_map(range).filter(lambda n: n > 0).map(lambda n: n * 10)
    assert collect(stream) == [10, 10, 20]


def test_function_objects_work_like_functions(env):
    """A MapFunction does what its map method does."""
    assert collect(env.from_collection([1]).map(Identity()).map(str)) == ["1"]


def test_map_batch(env):
    """A function of tables gives elements with timestamps, Rows or what is declared, on any runtime."""
    numbers = env.from_collection([3, 1, 2], Types.LONG()).assign_timestamps_and_watermarks(EVENT_TIME)
    odd = numbers.map_batch(
        lambda table: table.to_pandas().query("f0 != 2"), output_type=Types.LONG(), timestamps="timestamp"
    )
    rows = odd.map_batch(lambda table: {"n": table["f0"], "twice": table["f0"].to_numpy() * 2})
    assert sorted(collect(rows), key=tuple) == [Row(n=1, twice=2), Row(n=3, twice=6)]


def test_a_function_of_tables_that_fails_is_named(env):
    """The error names the operator, the elements and the line, on any runtime."""
    with pytest.raises(UserFunctionError, match=r"'Map Batch' on element \(a table of 1"):
        collect(env.from_collection([1]).map_batch(lambda table: table["none"]))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((None,), "map_batch takes a MapBatchFunction or a function of a value; got None"),
        ((Identity(),), "map_batch takes a MapBatchFunction"),
        ((lambda table, more: table,), "is called with one argument"),
        ((lambda table: table, 5), "output_type of map_batch takes a type"),
        ((lambda table: table, None, 5), "timestamps must be a str"),
        ((lambda table: table, None, "n"), r"which have \['n'\]; got 'n'"),
    ],
)
def test_wrong_use_of_map_batch(arguments, said):
    """What map_batch cannot work with is refused where it is called."""
    env = StreamExecutionEnvironment.get_execution_environment()
    rows = env.from_collection([(1,)], Types.ROW_NAMED(["n"], [Types.LONG()]))
    with pytest.raises(ConfigurationError, match=said):
        rows.map_batch(*arguments)


def test_subtasks_do_not_share_the_fields_of_a_function(env):
    """Each subtask has a function object of its own, and the program's own object stays as it is."""

    class Remember(FlatMapFunction):
        def open(self, runtime_context):
            self.opened = runtime_context.get_task_name_with_subtasks()

        def flat_map(self, value):
            yield self.opened

    remember = Remember()
    from windrow.datastream.connectors.number_seq import NumberSequenceSource

    numbers = env.from_source(NumberSequenceSource(1, 2), WatermarkStrategy.no_watermarks(), "numbers")
    names = collect(numbers.flat_map(remember).name("remember"))
    assert sorted(names) == ["remember (1/2)", "remember (2/2)"]
    assert not hasattr(remember, "opened")


def test_project_takes_fields_by_index_and_knows_their_types(env):
    """Project gives tuples of the fields asked for, and of their types."""
    pairs = env.from_collection([(1, "a", 0.5)], Types.TUPLE([Types.INT(), Types.STRING(), Types.DOUBLE()]))
    projected = pairs.project(2, 0)
    assert projected.get_type() == Types.TUPLE([Types.DOUBLE(), Types.INT()])
    assert collect(projected) == [(0.5, 1)]


@pytest.mark.parametrize("fields", [(), (-1,), (3,)])
def test_project_refuses_fields_that_are_not_there(env, fields):
    """A field that the declared type lacks is an error at the call."""
    pairs = env.from_collection([(1, "a")], Types.TUPLE([Types.INT(), Types.STRING()]))
    with pytest.raises(ConfigurationError, match="project"):
        pairs.project(*fields)


def test_union_keeps_all_elements_also_of_a_stream_with_itself(env):
    """Union gives all elements of all streams; a stream united with itself comes twice."""
    numbers = env.from_collection([1, 2])
    others = env.from_collection([3]).map(lambda n: n)
    assert sorted(collect(numbers.union(others, numbers))) == [1, 1, 2, 2, 3]


def test_union_keeps_a_type_that_all_streams_have(env):
    """Streams of one type unite to that type; of different types to any Python object."""
    ints, texts = env.from_collection([1], Types.INT()), env.from_collection(["a"], Types.STRING())
    assert ints.union(ints.filter(bool)).get_type() == Types.INT()
    assert ints.union(texts).get_type() == Types.PICKLED_BYTE_ARRAY()


def test_union_of_keyed_streams_gives_values_without_keys(env):
    """A union forgets keys: what follows sees the elements."""
    keyed = env.from_collection([1, 2]).key_by(lambda n: n % 2)
    assert sorted(collect(keyed.union(keyed))) == [1, 1, 2, 2]


def test_union_of_two_environments_is_refused(env):
    """Streams of two environments cannot become one."""
    other = StreamExecutionEnvironment.get_execution_environment().from_collection([1])
    with pytest.raises(ConfigurationError, match="one environment"):
        env.from_collection([1]).union(other)


def test_side_output_of_a_process_function(env):
    """What is yielded with a tag comes out of get_side_output, and nowhere else."""
    split = env.from_collection([1, 2, 3]).process(Split())
    evens, odds = split, split.get_side_output(ODD)
    assert sorted(collect(evens.map(lambda n: ("even", n)).union(odds.map(lambda n: ("odd", n))))) == [
        ("even", 2),
        ("odd", 1),
        ("odd", 3),
    ]


def test_a_tag_that_nobody_asks_for_is_dropped(env):
    """PyFlink lets such elements leak into the main output; they belong nowhere."""
    assert collect(env.from_collection([1, 2, 3]).process(Split())) == [2]


def test_side_output_elements_become_the_type_of_the_tag(env):
    """A tag's declared type is what its elements are converted to."""
    odds = env.from_collection([(1,)]).flat_map(lambda pair: [(TYPED_ODD, pair)]).get_side_output(TYPED_ODD)
    assert odds.get_type() == TYPED_ODD.type_info
    assert collect(odds) == [Row(n=1)]


def test_output_type_converts_results(env):
    """Tuples emitted as a named row are read by name further on."""
    rows = env.from_collection([1]).map(
        lambda n: (n, "x"), Types.ROW_NAMED(["id", "text"], [Types.INT(), Types.STRING()])
    )
    assert collect(rows.map(lambda row: row.text * row.id)) == ["x"]


def test_timestamps_reach_the_functions_behind(env):
    """A timestamp assigner's result is what a ProcessFunction sees."""

    class Timestamp(ProcessFunction):
        def process_element(self, value, ctx):
            yield ctx.timestamp()

    stream = env.from_collection([5, 7]).assign_timestamps_and_watermarks(EVENT_TIME)
    assert collect(stream.process(Timestamp())) == [5, 7]


def test_watermarks_can_be_assigned_anew_behind_a_key_by(env):
    """Behind an exchange one generator sees the whole stream, so that there is one watermark."""
    first = env.from_collection(range(100)).assign_timestamps_and_watermarks(EVENT_TIME)
    sums = first.key_by(lambda n: n % 10).sum()
    again = sums.assign_timestamps_and_watermarks(EVENT_TIME).window_all(_tumbling(10_000)).reduce(lambda a, b: a + b)
    assert collect(again) == [sum(sum(range(k, n + 1, 10)) for k in range(10) for n in range(k, 100, 10))]


def _tumbling(size):
    from windrow.datastream.window import TumblingEventTimeWindows

    return TumblingEventTimeWindows.of(size)


def test_execute_and_collect_stops_at_the_limit(env):
    """With a limit the result is a list of so many elements at most."""
    numbers = env.from_collection([1, 2, 3])
    assert numbers.execute_and_collect("job", 2) == [1, 2]
    assert numbers.execute_and_collect(limit=9) == [1, 2, 3]


def test_the_iterator_of_results_can_be_closed_early(env):
    """After close no more elements come."""
    with env.from_collection([1, 2, 3]).execute_and_collect() as results:
        assert results.next() == 1
    assert list(results) == []


def test_an_error_comes_out_of_the_iterator(env):
    """An exception in a function is raised where results are read, naming operator and element."""
    results = env.from_collection([1, 0]).map(lambda n: 1 / n).name("divide").execute_and_collect()
    with pytest.raises(UserFunctionError, match="ZeroDivisionError") as raised:
        list(results)
    assert (raised.value.operator, raised.value.element) == ("divide", "0")


def test_print_writes_a_line_for_each_element(env, capsys):
    """Elements are printed as PyFlink prints them, behind the identifier."""
    numbers = env.from_collection([("a", True)], Types.TUPLE([Types.STRING(), Types.BOOLEAN()]))
    numbers.print()
    numbers.print("out")
    env.execute()
    assert sorted(capsys.readouterr().out.splitlines()) == ["(a,true)", "out> (a,true)"]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda stream: stream.map(None), "map takes a MapFunction.*got None"),
        (lambda stream: stream.map(Identity), "map takes .*the class Identity: make an object of it"),
        (lambda stream: stream.map(Split()), "map takes a MapFunction"),
        (lambda stream: stream.map(lambda a, b: a), "called with one argument"),
        (lambda stream: stream.map(len, "int"), "output_type of Map"),
        (lambda stream: stream.filter(3), "filter takes"),
        (lambda stream: stream.flat_map(Identity()), "flat_map takes"),
        (lambda stream: stream.process(lambda value, ctx: []), "process on a stream without keys must be an object"),
        (lambda stream: stream.process(KeyedSplit()), "call key_by before process"),
        (lambda stream: stream.key_by(None), "key_by takes .*got None"),
        (lambda stream: stream.window_all(None), "window_assigner must be .*got None"),
        (lambda stream: stream.time_window_all(None), "size takes"),
        (lambda stream: stream.sink_to(print), "sink must be an object of Sink"),
        (lambda stream: stream.get_side_output("late"), "output_tag must be an object of OutputTag"),
        (lambda stream: stream.assign_timestamps_and_watermarks(None), "watermark_strategy must be"),
        (lambda stream: stream.union([]), "a stream given to union"),
        (lambda stream: stream.name(""), "name must be a str that is not empty"),
        (lambda stream: stream.set_parallelism("2"), "parallelism takes an int"),
        (lambda stream: stream.project("a"), "project takes field indexes"),
        (lambda stream: stream.execute_and_collect(limit=1.5), "limit must be an int"),
    ],
)
def test_wrong_use_fails_at_the_call(env, call, said):
    """What a call does not take is refused there, in words that name parameter, what came and what was expected."""
    with pytest.raises(ConfigurationTypeError, match=said):
        call(env.from_collection([1]))


class KeyedSplit(KeyedProcessFunction):
    def process_element(self, value, ctx):
        yield value


def test_settings_are_kept(env):
    """Name, parallelism and description are the operator's, and the calls chain."""
    stream = env.from_collection([1]).map(len).name("lengths").uid("u").set_parallelism(3).description("of words")
    assert stream.get_name() == "lengths"
    assert stream.set_max_parallelism(4).start_new_chain().disable_chaining().slot_sharing_group("g") is stream
    assert stream.force_non_parallel().set_buffer_timeout(5) is stream
    with pytest.raises(ConfigurationError, match="is 1; got 2"):
        stream.set_parallelism(2)


def test_two_operators_cannot_have_one_uid(env):
    """Two operators of one uid would share their state."""
    stream = env.from_collection([1]).map(str).uid("same").map(str).uid("same")
    stream.print()
    with pytest.raises(ConfigurationError, match="uid 'same'"):
        env.execute()


@pytest.mark.parametrize("runtime", ["local"])
def test_print_to_err_writes_to_standard_error(env, capsys):
    """print_to_err is print on the other stream."""
    env.from_collection([1]).print_to_err("numbers")
    env.execute()
    assert capsys.readouterr() == ("", "numbers> 1\n")


@pytest.mark.parametrize("runtime", ["local"])
def test_an_operators_number_is_the_plans(env):
    """get_id is the id in the execution plan."""
    mapped = env.from_collection([1]).map(lambda n: n)
    mapped.print()
    assert f'"id": {mapped.get_id()}' in env.get_execution_plan()
