"""State names the classes that only the program has, and is read with those that it has now."""

import pickle
import subprocess
import sys
from dataclasses import dataclass
from types import ModuleType
from uuid import uuid4

import pytest

from windrow.datastream import StreamExecutionEnvironment
from windrow.elements import class_records, program_classes, stored
from windrow.elements.inert import loads_inert
from windrow.elements.program_classes import dumps_with_classes, place_of, use_classes
from windrow.elements.stored import dumps, dumps_with_code, loads
from windrow.errors import CheckpointError
from windrow.runtime.spark.shipping import ShippedJob

SCRIPT = """
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

@dataclass
class Order:
    number: int
    %s

@dataclass(frozen=True, slots=True)
class Key:
    number: int

class Pair(NamedTuple):
    one: int

class Color(Enum):
    RED = 1

class Plain:
    def __init__(self):
        self.number = 7

class Outer:
    class Inner:
        pass
"""


@pytest.fixture(autouse=True)
def _none_left(monkeypatch):
    """What tests write is of classes that no other test has met."""
    monkeypatch.setattr(stored, "_REDUCERS", type(stored._REDUCERS)())
    monkeypatch.setattr(program_classes, "_CAME", {})
    stored._pickler_with_code.cache_clear()
    yield
    stored._pickler_with_code.cache_clear()


def program(field="more: int = 0"):
    """The classes of a script as a worker has them: no module has them."""
    script = ModuleType("__main__")
    exec(SCRIPT % field, vars(script))
    return script


VALUES = [
    lambda main: main.Order(7),
    lambda main: main.Key(7),
    lambda main: main.Pair(7),
    lambda main: main.Color.RED,
    lambda main: main.Plain(),
    lambda main: main.Outer.Inner(),
    lambda main: main.Order,
]
NAMES = ["Order", "Key", "Pair", "Color", "Plain", "Outer.Inner", "Order"]


@pytest.mark.parametrize("write", [dumps, dumps_with_code])
@pytest.mark.parametrize(("make", "name"), list(zip(VALUES, NAMES, strict=True)), ids=[*NAMES[:-1], "class"])
def test_what_is_read_is_of_the_class_that_came_with_the_job(make, name, write):
    """Of the restarted program's, though its classes are others; no code stands in what is stored."""
    before, now = program(), program()
    use_classes([*vars_of(before)])
    value = make(before)
    data = write([value, value])
    assert len(data) < 120
    use_classes([*vars_of(now)])
    first, second = loads(data)
    assert first is second
    kind = value if isinstance(value, type) else type(value)
    found = first if isinstance(first, type) else type(first)
    assert (found.__qualname__, found is kind) == (name, False)
    assert found in vars_of(now)
    assert repr(loads_inert(data)[0]) == f"<__main__.{name}, not read>"


def vars_of(main):
    """All classes of a script."""
    return [each for each in [*vars(main).values(), main.Outer.Inner] if getattr(each, "__module__", "") == "__main__"]


def test_the_classes_of_a_jobs_functions_come_with_it():
    """Each once, in one pickle with the functions: they are the very classes that functions use."""
    main = program()
    exec("def use(): return Order, Key, Color.RED, Outer.Inner", vars(main))
    use, classes = pickle.loads(dumps_with_classes(main.use))
    assert {kind.__qualname__ for kind in classes} == {"Order", "Key", "Color", "Outer", "Outer.Inner"}
    assert use()[0] in classes


def test_classes_of_functions_do_not_come():
    """Nobody could find them by a name; they are stored with their code."""

    @dataclass
    class Local:
        number: int

    assert pickle.loads(dumps_with_classes(lambda: Local))[1] == []
    assert place_of(Local) is None
    assert dumps(Local(7)) == dumps_with_code(Local(7))
    assert loads(dumps(Local(7))) == Local(7)


def test_of_two_classes_at_one_place_none_is_taken():
    """A notebook may have defined one twice, and functions may use both."""
    one, other = program().Order, program().Order
    use_classes([one, other])
    assert (place_of(one), place_of(other)) == (None, None)
    found = loads(dumps([one(1), other(2)]))
    assert [type(each) for each in found] == [one, other]


def test_of_a_class_that_was_defined_again_the_last_one_comes(monkeypatch):
    """A function may still use the one of before; what it makes is stored with its code."""
    before, now = program(), program()
    monkeypatch.setitem(sys.modules, "__main__", now)
    use = eval("lambda: (Order, other)", {"Order": now.Order, "other": before.Order, "__name__": "__main__"})
    use, classes = pickle.loads(dumps_with_classes(use))
    mine, other = use()
    assert classes == [mine]
    use_classes(classes)
    assert (len(dumps(mine(7))) < 120, len(dumps(other(7))) > 1000) == (True, True)


def test_what_was_found_out_of_classes_does_not_outlive_them():
    """A worker's process works for several jobs, and a notebook defines a class anew."""
    one, other = program(), program()
    old = one.Order(1)
    assert len(dumps(old)) > 1000  # nobody has said that it is the program's
    for main in (one, other, one):
        use_classes([main.Order])
        data = dumps(main.Order(7))
        assert len(data) < 120
        assert type(loads(data)) is main.Order
    use_classes([other.Order])
    assert type(loads(dumps(old))) is one.Order  # with its code: another one has its place
    use_classes([])
    assert one.Order not in stored._REDUCERS


def test_classes_of_a_collections_elements_come_with_a_job(monkeypatch):
    """Also those that no function of it names, and those in tuples."""
    main = program()
    monkeypatch.setitem(sys.modules, "__main__", main)
    env = StreamExecutionEnvironment.create_local_environment(1)
    env.from_collection([(1, main.Order(7)), (2, main.Key(3))]).map(str).print()
    shipped = ShippedJob.of(env._plan(env._program.sinks()), uuid4().hex, 1)
    shipped.use_classes()
    shipped.forget("job")
    assert {*program_classes._CAME} == {"__main__:Order", "__main__:Key"}


def test_two_jobs_in_one_process_have_their_own():
    """Each task begins with those of its job."""
    jobs = []
    for number in range(2):
        main = program(f"more: int = {number}")
        env = StreamExecutionEnvironment.create_local_environment(1)
        env.from_collection([main.Order(7)]).map(str).print()
        jobs.append(ShippedJob.of(env._plan(env._program.sinks()), uuid4().hex, 1))
    for number in (0, 1, 0):
        jobs[number].use_classes()
        assert repr(loads(dumps(program_classes._CAME["__main__:Order"](7)))) == f"Order(number=7, more={number})"
    for job in jobs:
        job.forget("job")


def test_a_class_that_is_gone_is_named():
    """With what to do."""
    use_classes([program().Order])
    data = dumps(program_classes._CAME["__main__:Order"](7))
    use_classes([])
    with pytest.raises(CheckpointError, match=r"class __main__\.Order was stored, and the program has no such class"):
        loads(data)


def test_a_class_of_a_script_may_get_a_field():
    """As any other."""
    use_classes([program().Order])
    data = dumps(program_classes._CAME["__main__:Order"](7))
    use_classes([program("price: float = 1.5").Order])
    assert repr(loads(data)) == "Order(number=7, price=1.5)"


def test_the_program_itself_finds_its_classes(tmp_path):
    """In its own process __main__ is where they are."""
    script = tmp_path / "script.py"
    script.write_text(
        SCRIPT % "more: int = 0"
        + "from windrow.elements.stored import dumps, loads\n"
        + "values = [Order(1), Key(2), Pair(3), Color.RED, Plain(), Order]\n"
        + "data = [dumps(value) for value in values]\n"
        + "print([type(loads(each)).__name__ for each in data], max(map(len, data)) < 90, loads(data[-1]) is Order)\n"
    )
    shown = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True).stdout
    assert shown == "['Order', 'Key', 'Pair', 'Color', 'Plain', 'type'] True True\n"


def test_functions_in_state_keep_their_code():
    """Only classes are found by their place."""
    main = program()
    use_classes([main.Order])
    data = dumps(eval("lambda: Order(7)", vars(main)))
    assert repr(loads(data)()) == "Order(number=7, more=0)"


def test_numbers_of_forms_are_none_of_classes():
    """Both stand at the same place in a checkpoint."""
    from windrow.elements.registered import CLASSES

    assert not CLASSES.keys() & class_records._MAKERS.keys()
