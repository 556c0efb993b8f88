"""Operators wired one behind another."""

from itertools import pairwise

import pytest

from windrow.elements.batch import Batch
from windrow.errors import UserFunctionError
from windrow.graph.job_graph import Edge, JobGraph, Node
from windrow.graph.partitioners import GlobalPartitioner
from windrow.operators.base import Operator
from windrow.runtime.stage.chain import ChainedOperator, ChainedOutput, OperatorChain
from windrow.runtime.stage.chunk import ProcessingTime


class Recorder:
    """Takes an operator's output and remembers it."""

    def __init__(self):
        self.taken = []

    def batch(self, batch):
        self.taken.append(list(zip(batch.elements, batch.timestamps, strict=True)))

    def control(self, control):
        self.taken.append(control)


class Twice(Operator):
    """Emits each element twice, and what is told to it."""

    closed = False

    def process_element(self, value, timestamp):
        self.context.output.emit(value, timestamp)
        self.context.output.emit(value, timestamp)
        self.context.output.emit_side("odd", value, timestamp)

    def process_watermark(self, timestamp):
        self.context.output.emit(f"released by {self.context.time.watermark}", timestamp)

    def process_status(self, *, idle):
        self.context.output.emit("idle" if idle else "active", 0)

    def advance_processing_time(self, now):
        self.context.output.emit(f"at {self.context.time.processing_time}", now)

    def close(self):
        self.closed = True


class OwnTime(Twice):
    """Does not let time through."""

    forwards_time = False


def chain_of(*factories, sides=()):
    """A chain of operators, and the exchange behind the last."""
    edge = Edge(1, 2, 0, GlobalPartitioner(), 1, 1)
    nodes = [Node(f"tag{i}", f"name{i}", factory, 1, 3, 1) for i, factory in enumerate(factories)]
    for node, following in pairwise(nodes):
        node.takers.append((None, following))
    nodes[-1].takers.append((None, edge))
    nodes[-1].takers.extend((side, edge) for side in sides)
    job = JobGraph("job", 8, 3, [[], []], [], batch_mode=False, job_parameters={"p": "q"})
    return OperatorChain(nodes[0], job, 2)


def sent(chain):
    """All that has gone over the exchange, by writer: elements and control events."""
    return [
        [(list(row.chunk.batch.elements), row.chunk.controls) for row in writer.finish(0, 0, 0, 0)]
        for writer in chain.writers
    ]


@pytest.fixture
def output():
    made = ChainedOutput()
    made.main, made.sides = [Recorder(), Recorder()], {"side": [Recorder()]}
    return made


def test_elements_are_handed_on_together_before_a_control_event(output):
    """What was emitted before a watermark is in front of it, at every taker."""
    output.emit("a", 1)
    output.emit("b", 2)
    output.emit_watermark(9)
    assert output.main[0].taken == output.main[1].taken == [[("a", 1), ("b", 2)], 9]


def test_a_batch_keeps_its_place_behind_single_elements(output):
    """Elements emitted one by one are in front of a batch that was emitted later."""
    output.emit("a", 1)
    output.emit_batch(Batch(["b", "c"], [2, 3]))
    output.flush()
    assert output.main[0].taken == [[("a", 1)], [("b", 2), ("c", 3)]]


def test_side_outputs_have_their_own_takers_and_all_control_events(output):
    """A side output gets its elements only, and time like the main output."""
    output.emit_side("side", "s", 1)
    output.emit_status(idle=True)
    assert output.sides["side"][0].taken == [[("s", 1)], "idle"]
    assert output.main[0].taken == ["idle"]


def test_a_side_output_that_nobody_takes_is_dropped(output):
    """It does not leak into any other output."""
    output.emit_side("nobody's", "s", 1)
    output.flush()
    assert output.main[0].taken == output.sides["side"][0].taken == []


def test_the_next_operator_processes_what_one_emits():
    """Elements run through the whole chain in one call."""
    chain = chain_of(Twice, Twice)
    chain.head.batch(Batch(["a"], [1]))
    assert sent(chain) == [[(["a"] * 4, [])]]


def test_a_watermark_goes_out_behind_what_it_releases():
    """Each operator knows the watermark before it is told of it, and the next one hears of it afterwards."""
    chain = chain_of(Twice, Twice)
    chain.head.control(7)
    assert sent(chain) == [[(["released by 7"] * 3, [7])]]


def test_an_operator_with_a_time_of_its_own_lets_only_the_end_through():
    """Watermarks and status of its input end at it."""
    chain = chain_of(OwnTime)
    for control in (7, "idle", "active", "end"):
        chain.head.control(control)
    assert sent(chain) == [[(["released by 7", "idle", "active"], ["end"])]]


def test_processing_time_in_the_stream_reaches_every_operator():
    """A source that sets processing time sets it along the whole chain and beyond it."""
    chain = chain_of(OwnTime, Twice)
    chain.head.control(ProcessingTime(5))
    assert sent(chain) == [[(["at 5"] * 3, [ProcessingTime(5)])]]


def test_a_side_output_has_a_writer_of_its_own():
    """Main output and side output go over exchanges of their own."""
    chain = chain_of(Twice, sides=["odd"])
    chain.head.batch(Batch(["a"], [1]))
    assert sent(chain) == [[(["a", "a"], [])], [(["a"], [])]]


def test_an_operator_knows_which_subtask_it_is():
    """The runtime context has the name, the subtask, the parallelism and the job's parameters."""
    (chained,) = chain_of(Twice).operators
    context = chained.context.runtime_context
    assert (context.get_task_name(), context.get_index_of_this_subtask()) == ("name0", 2)
    assert (context.get_number_of_parallel_subtasks(), context.get_max_number_of_parallel_subtasks()) == (3, 8)
    assert context.get_job_parameter("p", None) == "q"


def test_each_operator_has_state_under_a_name_of_its_own():
    """Two operators of one chain never share keyed state."""
    names = [name for name, _ in chain_of(Twice, Twice).keyed_states()]
    assert names == ["tag0.0", "tag1.1"]


def test_closing_a_chain_closes_its_operators():
    """User functions are closed with their operators."""
    chain = chain_of(Twice, Twice)
    chain.close()
    assert all(isinstance(chained, ChainedOperator) and chained.operator.closed for chained in chain.operators)


class Failing(Operator):
    """Fails in one of its methods, and remembers which were called."""

    def __init__(self, calls, fails):
        self.calls, self.fails = calls, fails

    def open(self, context):
        super().open(context)
        self._called("open")
        context.runtime_context.get_int_counter("opened").add(1)

    def process_element(self, value, timestamp):
        self.context.state.set_current_key(value)

    def close(self):
        self._called("close")
        self.context.state.get("state")

    def _called(self, method):
        self.calls.append(method)
        if method == self.fails:
            raise ValueError(method)


def test_all_operators_are_closed_although_one_fails():
    """Head first; the first error is raised, as one of the user's function. What is closed is not closed again."""
    calls = []
    chain = chain_of(lambda: Failing(calls, "close"), lambda: Failing(calls, "close"))
    with pytest.raises(UserFunctionError, match="ValueError: close") as raised:
        chain.close()
    assert (raised.value.operator, raised.value.element) == ("name0", "(none: close was called)")
    chain.close()
    assert calls == ["open", "open", "close", "close"]


def test_operators_that_were_opened_are_closed_when_another_one_cannot_be():
    """The last one of a chain is opened first; the error is the one of opening."""
    first, last = [], []
    with pytest.raises(UserFunctionError, match="ValueError: open") as raised:
        chain_of(lambda: Failing(first, "open"), lambda: Failing(last, None))
    assert (raised.value.operator, raised.value.element) == ("name0", "(none: open was called)")
    assert (first, last) == (["open"], ["open", "close"])


def test_there_is_no_current_key_in_close():
    """Keyed state belongs to a key: whose it would be there would be chance."""
    chain = chain_of(lambda: Failing([], None))
    chain.head.batch(Batch(["key"], [1]))
    with pytest.raises(UserFunctionError, match="there is no current key"):
        chain.close()


def test_what_operators_count_is_handed_over_once():
    """Those of the whole chain together."""
    chain = chain_of(lambda: Failing([], None), lambda: Failing([], None))
    assert chain.read_totals().accumulator_results() == {"opened": 2}
    assert chain.take_totals().accumulator_results() == {"opened": 2}
    assert chain.take_totals().accumulator_results() == {"opened": 0}


class _Taken:
    def __init__(self):
        self.batches = []

    def batch(self, batch):
        self.batches.append(batch.elements)

    def control(self, control):
        """Not looked at."""


@pytest.mark.parametrize("object_reuse", [False, True])
def test_several_takers_do_not_share_what_can_change(object_reuse):
    """The last one gets the elements, the others copies; with object reuse all get the elements."""
    output = ChainedOutput(object_reuse=object_reuse)
    takers = [_Taken(), _Taken(), _Taken()]
    output.main.extend(takers)
    output.sides["side"] = takers
    element = [1]
    output.emit(element, 0)
    output.flush()
    output.emit_batch(Batch([element], [0]))
    output.emit_side("side", element, 0)
    output.flush()
    for batches in zip(*(taker.batches for taker in takers), strict=True):
        given = [values[0] for values in batches]
        assert given == [element] * 3
        assert [one is element for one in given] == [object_reuse, object_reuse, True]
        assert len(set(map(id, given))) == (1 if object_reuse else 3)


def test_several_takers_share_what_cannot_change():
    """Not even the list is copied."""
    output = ChainedOutput()
    takers = [_Taken(), _Taken()]
    output.main.extend(takers)
    values = [("a", 1), ("b", 2)]
    output.emit_batch(Batch(values, [0, 0]))
    assert takers[0].batches[0] is takers[1].batches[0] is values
