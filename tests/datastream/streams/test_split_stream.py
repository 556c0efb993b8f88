import pytest

from tests.datastream.streams.restarts import local_env
from windrow.common import Types
from windrow.datastream.functions import MapFunction, OutputSelector
from windrow.errors import ConfigurationError, ConfigurationTypeError, UsageError, UserFunctionError


def collect(stream):
    return list(stream.execute_and_collect())


def parity_and_size(n):
    """Every number is even or odd, some are small too, and 9 has no name."""
    if n == 9:
        return None
    return ["odd" if n % 2 else "even", *(["small"] if n < 3 else [])]


class Parity(OutputSelector):
    """Counts what it has seen in a field, so it has to be opened."""

    def open(self, runtime_context):
        self.names = ("even", "odd")

    def select(self, value):
        yield self.names[value % 2]


def test_select_gives_the_elements_with_a_name(env):
    """An element goes to all outputs that it has the name of, in order, or to none."""
    split = env.from_collection([1, 2, 3, 4, 9]).split(parity_and_size)
    named = [split.select(name).map(lambda n, name=name: (name, n)) for name in ("even", "odd", "small", "large")]
    assert sorted(collect(named[0].union(*named[1:]))) == [
        ("even", 2),
        ("even", 4),
        ("odd", 1),
        ("odd", 3),
        ("small", 1),
        ("small", 2),
    ]


def test_an_output_selector_object_is_opened():
    """A split takes an OutputSelector too, whose names may be any iterable."""
    split = local_env().from_collection([1, 2, 3]).split(Parity())
    assert collect(split.select("odd")) == [1, 3]


def test_selecting_several_names_gives_each_element_once():
    """An element with two of the names comes once; a union of two selections has it twice."""
    split = local_env().from_collection([1, 2, 3]).split(parity_and_size)
    assert collect(split.select("odd", "small")) == [1, 2, 3]
    assert sorted(collect(split.select("odd").union(split.select("small")))) == [1, 1, 2, 3]
    assert collect(split.select("small", "small")) == [1, 2]


def test_the_same_selection_twice_is_two_streams():
    """Each call of select gives a stream of its own."""
    split = local_env().from_collection([1, 2]).split(parity_and_size)
    both = split.select("odd").map(str).union(split.select("odd").map(float))
    assert sorted(collect(both), key=str) == ["1", 1.0]


def test_unknown_names_are_an_empty_stream():
    """Nobody has to know which names there are."""
    assert collect(local_env().from_collection([1]).split(parity_and_size).select("large")) == []


def test_without_select_a_split_is_all_elements():
    """As in Flink 1.x a split stream that is used directly has all elements, those without names too."""
    env = local_env()
    split = env.from_collection([1, 9], Types.INT()).split(parity_and_size)
    assert collect(split) == [1, 9]
    assert split.get_type() == split.select("odd").get_type() == Types.INT()


def test_a_split_can_be_split_again():
    """A selection is a stream like any other."""
    odd = local_env().from_collection([1, 2, 3]).split(parity_and_size).select("odd")
    assert collect(odd.split(lambda n: [str(n)]).select("3")) == [3]


def test_a_keyed_stream_can_be_split():
    """The elements are the values, without their keys."""
    keyed = local_env().from_collection([1, 2, 3]).key_by(lambda n: n)
    assert sorted(collect(keyed.split(parity_and_size).select("odd"))) == [1, 3]


@pytest.mark.parametrize("names", ["odd", 5, [1], ["odd", None]], ids=repr)
def test_a_selector_gives_a_list_of_names(names):
    """A str is an iterable of letters, and other names are none that select could take: neither is meant."""
    split = local_env().from_collection([1]).split(lambda n: names)
    with pytest.raises(UsageError) as raised:
        collect(split.select("odd"))
    assert str(raised.value) == (
        f"operator 'Split': a split gives an element a list of names, which are texts; got {names!r} "
        f"({type(names).__name__}) for element 1"
    )


def test_an_error_of_the_selector_names_the_element():
    """What the user's function raises is shown with the element."""
    split = local_env().from_collection([1, "x"]).split(lambda n: ["odd"] if n % 2 else ["even"])
    with pytest.raises(UserFunctionError) as raised:
        collect(split.select("odd"))
    assert raised.value.element == "'x'"


class Same(MapFunction):
    def map(self, value):
        return value


def test_wrong_use_fails_at_the_call():
    """split takes a selector, select takes names."""
    numbers = local_env().from_collection([1])
    with pytest.raises(ConfigurationTypeError, match="split takes an OutputSelector"):
        numbers.split(Same())
    split = numbers.split(parity_and_size)
    with pytest.raises(ConfigurationError, match="at least one name"):
        split.select()
    with pytest.raises(ConfigurationTypeError, match="a name given to select"):
        split.select(["odd"])
