"""Elements of two streams as those of one."""

import pickle

import pytest

from windrow.datastream.functions import KeySelector
from windrow.operators.tagged_union import OpenedUnionKeySelector, TaggedUnion, UnionKeySelector


class Recording(KeySelector):
    def __init__(self):
        self.calls = []

    def open(self, runtime_context):
        self.calls.append(("open", runtime_context))

    def close(self):
        self.calls.append("close")

    def get_key(self, value):
        return value


def test_an_element_knows_its_side():
    """One side's getter gives the element, the other's None, as in Flink."""
    first, second = TaggedUnion.one("a"), TaggedUnion.two("a")
    assert (first.is_one(), first.is_two(), first.get_one(), first.get_two()) == (True, False, "a", None)
    assert (second.is_one(), second.is_two(), second.get_one(), second.get_two()) == (False, True, None, "a")
    assert (first.value, second.value) == ("a", "a")
    assert repr([first, second]) == "[TaggedUnion.one('a'), TaggedUnion.two('a')]"


def test_elements_are_equal_with_side_and_value():
    """The same value of another stream is another element."""
    first, second = TaggedUnion.one(1), TaggedUnion.two(1)
    assert first == TaggedUnion.one(1)
    assert first not in (second, TaggedUnion.one(2), 1)
    assert len({first, second, TaggedUnion.one(1)}) == 2


@pytest.mark.parametrize("element", [TaggedUnion.one(("a", 1)), TaggedUnion.two(None)])
def test_pickling(element):
    """Elements cross exchanges and wait in pages."""
    assert pickle.loads(pickle.dumps(element)) == element


def test_many_elements_take_few_bytes():
    """Of an element in a pickled list only a reference to its class is added to its value."""
    values = list(range(1000))
    tagged = pickle.dumps([TaggedUnion.one(value) for value in values], 5)
    assert len(tagged) < len(pickle.dumps(values, 5)) + 10 * len(values)


def test_each_side_has_its_key_selector():
    """The key of an element is what the selector of its stream says."""
    selector = UnionKeySelector(lambda value: value[0], lambda value: value[1])
    assert selector.get_key(TaggedUnion.one(("a", "b"))) == "a"
    assert selector.get_key(TaggedUnion.two(("a", "b"))) == "b"


def test_selectors_are_opened_and_closed_once():
    """A selector object of both streams is opened once, a plain function is not."""
    both, second = Recording(), Recording()
    for given, recorded in [((both, both), [both]), ((len, second), [second])]:
        selector = OpenedUnionKeySelector(abs, abs, given)
        selector.open("context")
        selector.close()
        assert [one.calls for one in recorded] == [[("open", "context"), "close"]]
