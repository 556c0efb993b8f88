import json

import pytest

from windrow.common import Configuration, Types, WatermarkStrategy
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import (
    BroadcastProcessFunction,
    CoMapFunction,
    KeySelector,
    OutputTag,
    StreamExecutionEnvironment,
)
from windrow.datastream.connectors.number_seq import NumberSequenceSource
from windrow.datastream.functions import ProcessJoinFunction
from windrow.datastream.state import MapStateDescriptor
from windrow.datastream.window import TumblingEventTimeWindows


@pytest.fixture
def env():
    """Plans are the same on every runtime."""
    local = Configuration().set_string("windrow.runtime", "local")
    return StreamExecutionEnvironment.get_execution_environment(local).set_parallelism(2)


class Same(CoMapFunction):
    def map1(self, value):
        return value

    def map2(self, value):
        return value


class Rich(KeySelector):
    def get_key(self, value):
        return value


def plan_of(env):
    """The plan's nodes by their type."""
    return {node["type"]: node for node in json.loads(env.get_execution_plan())["nodes"]}


def inputs_of(node):
    """Id and ship strategy of each predecessor."""
    return [(edge["id"], edge["ship_strategy"]) for edge in node.get("predecessors", ())]


def strategies(node):
    return [strategy for _, strategy in inputs_of(node)]


def doubled(stream):
    """The stream behind an operator with two subtasks."""
    return stream.map(lambda n: n).name("doubled").set_parallelism(2)


def test_the_plan_has_flinks_form(env):
    """Sources, operators and sinks are nodes; key_by, union and side outputs only show in predecessors."""
    numbers = env.from_collection([1, 2])
    mapped = numbers.map(str).name("to text").description("numbers as text")
    united = mapped.union(mapped.get_side_output(OutputTag("late")))
    sums = united.key_by(lambda text: text).reduce(lambda a, b: a).set_parallelism(3)
    sums.print().name("out")

    nodes = json.loads(env.get_execution_plan())["nodes"]

    source, mapping, reduce, sink = nodes
    assert source == {
        "id": 1,
        "type": "Source: Collection Source",
        "pact": "Data Source",
        "contents": "Source: Collection Source",
        "parallelism": 1,
        "form": "rows: it gives rows",  # of Windrow
    }
    assert (mapping["type"], mapping["contents"]) == ("to text", "numbers as text")
    assert mapping["predecessors"] == [{"id": 1, "ship_strategy": "FORWARD", "side": "second"}]
    assert reduce["parallelism"] == 3
    assert reduce["predecessors"] == [{"id": mapping["id"], "ship_strategy": "HASH", "side": "second"}] * 2
    assert (sink["pact"], sink["type"]) == ("Data Sink", "Sink: out")


def test_the_plan_does_not_execute(env, capsys):
    """The plan can be looked at before the job is executed, and the job is still there."""
    env.from_collection([1]).print()
    env.get_execution_plan()
    assert capsys.readouterr().out == ""
    env.execute()
    assert capsys.readouterr().out == "1\n"


def test_a_chained_operator_has_the_parallelism_of_its_input(env):
    """An operator that says nothing runs in its input's subtasks, not in as many as the environment has."""
    env.from_collection([1]).map(lambda n: n).name("one").map(lambda n: n).set_parallelism(3).name("three").map(
        lambda n: n
    ).name("also three").print()
    plan = plan_of(env)
    assert [plan[name]["parallelism"] for name in ("one", "three", "also three")] == [1, 3, 3]
    assert strategies(plan["one"]) == ["FORWARD"]


def test_what_the_program_does_not_say_goes_forward_or_in_turn(env):
    """Equal parallelism is FORWARD, another one REBALANCE."""
    two = doubled(env.from_collection([1]))
    two.map(lambda n: n).set_parallelism(2).name("two").map(lambda n: n).set_parallelism(1).name("one").print()
    plan = plan_of(env)
    assert strategies(plan["doubled"]) == ["REBALANCE"]
    assert strategies(plan["two"]) == ["FORWARD"]
    assert strategies(plan["one"]) == ["REBALANCE"]


@pytest.mark.parametrize(
    ("partition", "strategy"),
    [
        (lambda s: s.rebalance(), "REBALANCE"),
        (lambda s: s.rescale(), "RESCALE"),
        (lambda s: s.shuffle(), "SHUFFLE"),
        (lambda s: s.forward(), "FORWARD"),
        (lambda s: s.broadcast(), "BROADCAST"),
        (lambda s: s.global_(), "GLOBAL"),
        (lambda s: s.partition_custom(lambda key, n: key % n, lambda value: value), "CUSTOM"),
        (lambda s: s.key_by(lambda value: value), "HASH"),
    ],
)
def test_a_partitioner_is_an_edge(env, partition, strategy):
    """Each partitioner is the ship strategy of the edge, and no node."""
    partition(doubled(env.from_collection([1]))).map(lambda n: n).name("behind").sink_to(DiscardingSink())
    plan = plan_of(env)
    assert sorted(plan) == ["Sink: Writer", "Source: Collection Source", "behind", "doubled"]
    assert inputs_of(plan["behind"]) == [(plan["doubled"]["id"], strategy)]
    assert plan["behind"]["parallelism"] == 2


def test_what_opens_a_key_selector_is_part_of_the_operator_before_it(env):
    """A key selector with open and close makes no node of its own."""
    env.from_collection([1]).map(lambda n: n).name("before").rebalance().key_by(Rich()).reduce(max).name(
        "keyed"
    ).print()
    plan = plan_of(env)
    assert sorted(plan) == ["Sink: Print to Std. Out", "Source: Collection Source", "before", "keyed"]
    assert inputs_of(plan["keyed"]) == [(plan["before"]["id"], "HASH")]


def test_a_sources_watermarks_are_part_of_the_source(env):
    """What from_source needs for types and watermarks makes no node of its own."""
    source, strategy = NumberSequenceSource(1, 9), WatermarkStrategy.for_monotonous_timestamps()
    env.from_source(source, strategy, "numbers", Types.STRING()).set_parallelism(2).print()
    plan = plan_of(env)
    assert sorted(plan) == ["Sink: Print to Std. Out", "Source: numbers"]
    assert inputs_of(plan["Sink: Print to Std. Out"]) == [(plan["Source: numbers"]["id"], "GLOBAL")]


def test_a_declared_side_output_is_an_edge(env):
    """A side output whose elements are converted makes no node either."""
    mapped = env.from_collection([1]).map(lambda n: n).name("main")
    mapped.get_side_output(OutputTag("late", Types.INT())).map(lambda n: n).name("late").print()
    plan = plan_of(env)
    assert inputs_of(plan["late"]) == [(plan["main"]["id"], "FORWARD")]


def test_two_inputs_are_two_predecessors_in_their_order(env):
    """connect shows both streams, the first one first, each with its own ship strategy."""
    first = doubled(env.from_collection([1]))
    second = env.from_collection([2]).key_by(lambda n: n).reduce(max).set_parallelism(1).name("second")
    second.connect(first).map(Same()).name("both").print()
    plan = plan_of(env)
    assert inputs_of(plan["both"]) == [(plan["second"]["id"], "REBALANCE"), (plan["doubled"]["id"], "FORWARD")]


def test_a_broadcast_stream_is_an_edge(env):
    """The stream that is connected with a broadcast one stays where it is; the other one goes everywhere."""

    class Both(BroadcastProcessFunction):
        def process_element(self, value, ctx):
            yield value

        def process_broadcast_element(self, value, ctx):
            pass

    rules = env.from_collection([1]).map(lambda n: n).name("rules").broadcast(MapStateDescriptor("rules"))
    doubled(env.from_collection([1])).connect(rules).process(Both()).name("both").print()
    plan = plan_of(env)
    assert inputs_of(plan["both"]) == [(plan["doubled"]["id"], "FORWARD"), (plan["rules"]["id"], "BROADCAST")]


def test_a_window_join_gets_both_streams_by_hash(env):
    """Behind a join stands one window operator; the maps that tag elements are there as in Flink."""
    windows = TumblingEventTimeWindows.of(10)
    first, second = env.from_collection([1]), env.from_collection([2])
    joined = first.join(second).where(lambda n: n).equal_to(lambda n: n).window(windows).apply(lambda a, b: (a, b))
    joined.name("joined").print()
    nodes = json.loads(env.get_execution_plan())["nodes"]
    maps = [node["id"] for node in nodes if node["type"] == "Map"]
    node = next(node for node in nodes if node["type"] == "joined")
    assert len(maps) == 2
    assert inputs_of(node) == [(maps[0], "HASH"), (maps[1], "HASH")]


def test_an_interval_join_gets_both_streams_by_hash(env):
    """An interval join is one operator with two predecessors."""

    class Both(ProcessJoinFunction):
        def process_element(self, left, right, ctx):
            yield left, right

    first, second = (env.from_collection([n]).key_by(lambda n: n) for n in (1, 2))
    first.interval_join(second).between(-1, 1).process(Both()).name("joined").set_parallelism(3).print()
    plan = plan_of(env)
    assert [strategy for _, strategy in inputs_of(plan["joined"])] == ["HASH", "HASH"]
    assert plan["joined"]["parallelism"] == 3
    assert len(plan) == 3  # both sources have one name


def test_a_windowed_stream_without_keys_has_one_subtask(env):
    """window_all brings everything to one subtask."""
    doubled(env.from_collection([1])).count_window_all(2).reduce(max).name("all").print()
    plan = plan_of(env)
    assert (plan["all"]["parallelism"], strategies(plan["all"])) == (1, ["HASH"])


def test_an_operator_behind_a_union_is_one_node(env):
    """A stateless operator behind a union stands behind each of its inputs, and what follows is behind each of those.

    The plan shows each of them once, with all inputs of the union.
    """
    first, second = doubled(env.from_collection([1])), env.from_collection([2])
    united = first.union(second).map(lambda n: n).name("united").map(lambda n: n).name("next")
    united.key_by(lambda n: n).reduce(max).name("keyed").print()
    nodes = json.loads(env.get_execution_plan())["nodes"]
    plan = {node["type"]: node for node in nodes}
    assert [node["type"] for node in nodes].count("united") == 1
    assert sorted(inputs_of(plan["united"])) == [(2, "FORWARD"), (3, "FORWARD")]
    assert inputs_of(plan["next"]) == [(plan["united"]["id"], "FORWARD")]
    assert inputs_of(plan["keyed"]) == [(plan["next"]["id"], "HASH")]
    assert plan["united"]["parallelism"] == 2


@pytest.mark.parametrize("keyed", [False, True])
def test_a_stream_united_with_itself_is_there_twice(env, keyed):
    """Twice the data is two edges, chained or not."""
    numbers = env.from_collection([1]).map(lambda n: n).name("numbers")
    united = numbers.union(numbers)
    (united.key_by(lambda n: n) if keyed else united).map(lambda n: n).name("behind").print()
    plan = plan_of(env)
    assert inputs_of(plan["behind"]) == [(plan["numbers"]["id"], "HASH" if keyed else "FORWARD")] * 2


def test_a_sink_in_the_programs_process_has_one_subtask(env):
    """Workers write a WriterSink where they are; what is printed comes to one place."""
    stream = doubled(env.from_collection([1]))
    stream.sink_to(DiscardingSink()).name("written")
    stream.print().name("printed")
    plan = plan_of(env)
    written, printed = plan["Sink: written"], plan["Sink: printed"]
    assert (written["parallelism"], strategies(written)) == (2, ["FORWARD"])
    assert (printed["parallelism"], strategies(printed)) == (1, ["GLOBAL"])


def test_parts_of_a_split_stream_come_from_one_operator(env):
    """select shows as an edge from the operator that splits."""
    split = env.from_collection([1]).split(lambda n: ["even" if n % 2 == 0 else "odd"])
    split.select("even").map(lambda n: n).name("even").print()
    plan = plan_of(env)
    assert inputs_of(plan["even"]) == [(plan["Split"]["id"], "FORWARD")]


def test_a_sink_function_is_one_sink(env):
    """What add_sink makes is a sink in the plan, with the parallelism that it is given."""
    stream = env.from_collection([1])
    stream.add_sink(str).name("function").set_parallelism(3)
    plan = plan_of(env)
    assert sorted(plan) == ["Sink: function", "Source: Collection Source"]
    sink = plan["Sink: function"]
    assert (sink["pact"], sink["parallelism"], strategies(sink)) == ("Data Sink", 3, ["REBALANCE"])
