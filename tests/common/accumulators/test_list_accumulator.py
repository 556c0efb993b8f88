"""Lists of what was added."""

from windrow.common.accumulators import ListAccumulator


def test_a_list_keeps_everything():
    """In the order of adding, then what is merged; the result is a list of its own."""
    one, other = ListAccumulator(), ListAccumulator()
    one.add("a")
    one.add("a")
    other.add("b")
    one.merge(other)
    result = one.get_local_value()
    assert result == ["a", "a", "b"]
    result.append("c")
    assert one.get_local_value() == ["a", "a", "b"]
