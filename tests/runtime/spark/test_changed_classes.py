"""A job that is started again on its checkpoint when the classes of the program that are in its state have changed."""

import sys
from types import ModuleType

import cloudpickle
import pytest

from tests.datastream.streams.restarts import ListSink
from windrow.errors import UserFunctionError

#: As a script has it: workers cannot import it. A number that is no key's own comes behind all others.
PROGRAM = """
from dataclasses import dataclass, field
from windrow.common import Types
from windrow.datastream import KeyedProcessFunction
from windrow.datastream.state import ValueStateDescriptor

@dataclass(frozen=True)
class Key:
    number: int

@dataclass
class Order:
    total: int
    %s

class Keeping(KeyedProcessFunction):
    def open(self, runtime_context):
        self.order = runtime_context.get_state(ValueStateDescriptor("order", Types.PICKLED_BYTE_ARRAY()))

    def process_element(self, value, ctx):
        if value == %s:
            raise ValueError("here")
        before = self.order.value()
        assert before is None or type(before) is Order
        assert type(ctx.get_current_key()) is Key
        order = Order((before.total if before else 0) + value)
        self.order.update(order)
        yield repr(before), repr(order)

def run(env, sink):
    stream = env.from_collection(range(12)).uid("numbers").key_by(lambda value: Key(value %% 3)).process(Keeping())
    stream.uid("kept").sink_to(sink)
    env.execute()
"""


@pytest.fixture
def program(monkeypatch):
    """The program with these fields of an order, that fails at a number."""
    made = []

    def make(fields, fails_at=None):
        module = ModuleType("program_with_orders")
        monkeypatch.setitem(sys.modules, module.__name__, module)
        exec(PROGRAM % (fields, fails_at), vars(module))
        if not made:
            cloudpickle.register_pickle_by_value(module)
        made.append(module)
        return module

    yield make
    cloudpickle.unregister_pickle_by_value(made[0])


@pytest.mark.spark
def test_state_is_of_the_classes_that_the_program_has_now(program, on_spark, tmp_path):
    """Objects that are keys find their state, and objects in state have the fields of the changed class."""
    settings = {
        "execution.checkpointing.dir": str(tmp_path / "checkpoint"),
        "windrow.source.elements-per-split": "3",
        "windrow.source.splits-per-batch": "1",
    }
    first, second = ListSink(), ListSink()
    with pytest.raises(UserFunctionError, match="ValueError: here"):
        program("note: str = 'old'", fails_at=11).run(on_spark(settings), first)
    program("tags: list = field(default_factory=list)").run(on_spark(settings), second)
    assert ("None", "Order(total=0, note='old')") in first.elements
    assert [before for before, _ in second.elements if "note" in before or before == "None"] == []
    assert sorted(after for _, after in second.elements)[-3:] == [
        "Order(total=18, tags=[])",
        "Order(total=22, tags=[])",
        "Order(total=26, tags=[])",
    ]
