"""Maps and filters that work as one loop over rows."""

import random
from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windrow.datastream import MapFunction
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.inference import columns_from
from windrow.errors import UserFunctionError
from windrow.graph.job_graph import Edge, JobGraph, Node
from windrow.graph.partitioners import GlobalPartitioner
from windrow.operators.one_pass import FEWEST, OnePass
from windrow.operators.simple import FilterOperator, MapOperator
from windrow.runtime.stage.chain import ChainParts, OperatorChain
from windrow.runtime.stage.monitored_chain import MonitoredParts

COUNT = 4 * FEWEST
SEEN = []


def opaque(number):
    """The number; nobody can trace the call."""
    return int(str(number))


class OneByOne(ChainParts):
    """Parts of a chain in which each operator works by itself."""

    joins_operators = False


def chain_of(factories, parts=None):
    edge = Edge(1, 2, 0, GlobalPartitioner(), 1, 1)
    nodes = [Node(f"tag{i}", f"name{i}", factory, 1, 3, 1) for i, factory in enumerate(factories)]
    for node, following in pairwise(nodes):
        node.takers.append((None, following))
    nodes[-1].takers.append((None, edge))
    job = JobGraph("job", 8, 3, [[], []], [], batch_mode=False, job_parameters={})
    if parts == "measured":
        parts = MonitoredParts(job, 0)
    return OperatorChain(nodes[0], job, 2, parts)


def made_by(chain, *batches):
    """What a chain makes of batches: elements and timestamps; or its error."""
    try:
        for batch in batches:
            chain.head.batch(batch)
    except UserFunctionError as error:
        return error.operator, error.element, error.user_traceback
    made = [row.chunk.batch for writer in chain.writers for row in writer.finish(0, 0, 0, 0)]
    return [pair for batch in made for pair in zip(batch.elements, batch.timestamp_list(), strict=True)]


def both(factories, *batches):
    """What a chain makes, and what its operators make by themselves; every factory is called for each of the two."""
    joined = chain_of(factories)
    assert is_joined(joined)
    return made_by(joined, *batches), made_by(chain_of(factories, OneByOne()), *batches)


def is_joined(chain):
    return isinstance(getattr(chain.operators[0]._process[0], "__self__", None), OnePass)


def numbers(count=COUNT, start=0):
    return Batch(list(range(start, start + count)), [10 * number for number in range(start, start + count)])


def as_columns(batch):
    columns = columns_from(batch.elements)
    assert isinstance(columns, Columns)
    return Batch(columns, batch.timestamps)


CHAIN = [
    lambda: MapOperator(lambda n: (opaque(n), n % 7)),
    lambda: FilterOperator(lambda pair: opaque(pair[1]) != 3),
    lambda: MapOperator(lambda pair: opaque(pair[0]) + pair[1]),
]


PASSING = lambda: FilterOperator(lambda value: value != -1)  # noqa: E731


@pytest.mark.parametrize("form", [lambda batch: batch, as_columns])
def test_results_and_timestamps_are_those_of_the_operators_by_themselves(form):
    """Of rows and of columns, with timestamps as a list or as an array."""
    joined, alone = both(CHAIN, form(numbers()), form(numbers(start=1000)), numbers(3))
    assert joined == alone
    assert len(joined) > COUNT


def test_maps_alone_keep_all_timestamps():
    """Of columns and of rows; a single operator is not joined with anything."""
    for form in (lambda batch: batch, as_columns):
        joined, alone = both([CHAIN[0], CHAIN[2]], form(numbers()), form(numbers()))
        assert joined == alone
        assert len(joined) == 2 * COUNT
    assert not is_joined(chain_of([CHAIN[0]]))


def test_a_run_ends_at_the_first_operator_that_cannot_be_joined():
    """What is behind that may be a run of its own."""
    keeping = lambda: MapOperator(lambda n: SEEN.append(n) or n)  # noqa: E731
    even = lambda: FilterOperator(lambda n: n % 2 == 0)  # noqa: E731
    chain = chain_of([*CHAIN, keeping, even, even])
    processing = [getattr(chained._process[0], "__self__", None) for chained in chain.operators]
    assert [type(each) is OnePass for each in processing] == [True, False, False, False, True, False]
    assert made_by(chain, numbers(), numbers()) == made_by(
        chain_of([*CHAIN, keeping, even, even], OneByOne()), numbers(), numbers()
    )


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("at", [0, 1, COUNT // 2, COUNT - 1])
@pytest.mark.parametrize("form", [lambda batch: batch, as_columns])
def test_an_error_names_the_operator_that_failed_and_its_element(place, at, form):
    """Whichever of three operators it is, and whichever element."""

    def failing(number):
        if number == 1000 + at:
            raise KeyError(number)
        return opaque(number)

    chain = [
        lambda: MapOperator(lambda n: (n, opaque(n))),
        lambda: FilterOperator(lambda pair: opaque(pair[1]) >= 0),
        lambda: MapOperator(lambda pair: opaque(pair[0])),
    ]
    chain[place] = [
        lambda: MapOperator(lambda n: (failing(n), n)),
        lambda: FilterOperator(lambda pair: failing(pair[0]) >= 0),
        lambda: MapOperator(lambda pair: failing(pair[0])),
    ][place]
    joined, alone = both(chain, form(numbers()), form(numbers(start=1000)))
    assert joined == alone
    assert joined[0] == f"name{place}"
    assert str(1000 + at) in joined[1]
    assert "one pass" not in joined[2]


def test_an_earlier_operator_that_fails_at_a_later_element_is_the_one_that_is_named():
    """As if it had been given all elements before the next one was given any."""
    chain = [
        lambda: MapOperator(lambda n: n + 0 * (1 // (1200 - n))),
        PASSING,
        lambda: MapOperator(lambda n: 1 // (1005 - n)),
    ]
    joined, alone = both(chain, numbers(), numbers(start=1000))
    assert joined == alone
    assert joined[:2] == ("name0", "1200")


def test_errors_raised_in_c_and_by_the_truth_of_a_result():
    """A built-in function has no frame of its own; the truth of a result is asked by the operator."""
    for chain in (
        [lambda: MapOperator(lambda n: str(n) if n != 1005 else "x"), lambda: MapOperator(int), PASSING],
        [lambda: MapOperator(lambda n: n), lambda: FilterOperator(lambda n: 1 if n != 1005 else 1 // 0)],
    ):
        joined, alone = both(chain, numbers(), numbers(start=1000))
        assert joined == alone
        assert joined[0] == "name1"


def test_a_function_that_returns_a_generator_is_told_so():
    """The first batch goes through each operator by itself, which looks at the first result."""
    joined, alone = both([CHAIN[0], lambda: MapOperator(lambda pair: (n for n in pair)), PASSING], numbers())
    assert joined == alone
    assert joined[0] == "name1"
    assert "generator" in joined[2]


class Held(NamedTuple):
    """A class of the user's, whose elements never change and have a method."""

    number: int

    def doubled(self):
        return Held(2 * self.number)


@pytest.mark.parametrize("at", [0, 1, FEWEST, COUNT - 1])
def test_elements_of_other_classes_leave_the_loop(at):
    """The rest of the batch goes through the operators, each function called once with each element."""

    def batch(*held):
        return Batch([(number, Held(number) if number in held else 1j) for number in range(COUNT)], range(COUNT))

    chain = [
        lambda: MapOperator(lambda pair: pair[1]),
        lambda: FilterOperator(lambda value: value[0] != 5 if isinstance(value, tuple) else value.real == 0),
        lambda: MapOperator(lambda value: value.doubled() if isinstance(value, tuple) else value.imag),
    ]
    joined, alone = both(chain, batch(), batch(at, at + 3), batch(at), batch())
    assert joined == alone
    assert next(value for value, _ in joined if isinstance(value, Held)) == Held(2 * at)


def test_only_functions_that_do_nothing_but_compute_are_joined():
    """Nobody must see that they are called in another order."""

    class Counting(MapFunction):
        def map(self, value):
            self.last = value
            return value

    for acting in (lambda n: SEEN.append(n) or n, lambda n: print(n) or n, lambda n: n + random.random(), Counting()):
        assert not is_joined(chain_of([lambda acting=acting: MapOperator(acting), PASSING]))
    assert is_joined(chain_of(CHAIN))


def test_operators_that_are_measured_work_by_themselves():
    """Elements and time are counted for each."""
    chain = chain_of(CHAIN, "measured")
    assert not is_joined(chain)
    made_by(chain, numbers())
    assert {tag for tag, _, _ in chain.parts.metrics()} == {"tag0", "tag1", "tag2"}


def test_elements_that_can_change_go_through_the_operators_by_themselves():
    """The same list may come twice: what the first function does to it is seen by the next one as it always was."""

    def appended(element):
        element.append(1)
        return element

    def batches():
        shared = [0]
        return [Batch([shared] * COUNT, list(range(COUNT))) for _ in range(2)]

    chain = [lambda: MapOperator(appended), PASSING, lambda: MapOperator(len)]
    joined = chain_of(chain)
    assert is_joined(joined)
    assert made_by(joined, *batches()) == made_by(chain_of(chain, OneByOne()), *batches())


def test_a_traced_map_in_front_stays_on_columns():
    """Then its results go on as columns, and not through the loop."""
    chain = [lambda: MapOperator(lambda n: n + 1), lambda: FilterOperator(lambda n: n % 2), CHAIN[0]]
    joined, alone = both(chain, as_columns(numbers()), as_columns(numbers(start=1000)))
    assert joined == alone


MAPS = [
    lambda n: opaque(n) + 1,
    lambda n: 100 // (n - 50),
    lambda n: -n,
    lambda n: int("x" if n == 61 else n),
    lambda n: n % 10,
]
FILTERS = [lambda n: opaque(n) % 2, lambda n: 1 // (n - 7), lambda n: n > 3, lambda n: ""]


@settings(max_examples=60, deadline=None)
@given(
    parts=st.lists(
        st.sampled_from([lambda f=f: MapOperator(f) for f in MAPS] + [lambda f=f: FilterOperator(f) for f in FILTERS]),
        min_size=1,
        max_size=5,
    ),
    values=st.lists(st.integers(0, 120), min_size=FEWEST, max_size=2 * FEWEST),
    columns=st.booleans(),
)
def test_random_chains_give_what_their_operators_give(parts, values, columns):
    """Results, timestamps, or the error with its operator, element and text."""
    batches = [Batch([70 + i % 3 for i in range(FEWEST)], list(range(FEWEST))), Batch(values, list(range(len(values))))]
    joined, alone = both([*parts, PASSING], *[as_columns(batch) if columns else batch for batch in batches])
    assert joined == alone
