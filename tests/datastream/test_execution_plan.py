import json

from windrow.datastream import OutputTag


def test_the_plan_has_flinks_form(env):
    """Sources, operators and sinks are nodes; key_by, union and side outputs only show in predecessors."""
    numbers = env.from_collection([1, 2]).set_parallelism(1)
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
    }
    assert (mapping["type"], mapping["contents"], mapping["parallelism"]) == ("to text", "numbers as text", 2)
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
