"""Amounts of memory."""

import pytest

from windrow.common.memory_size import MemorySize
from windrow.errors import ConfigurationError


def test_memory_is_counted_in_powers_of_1024():
    """A size reads in every unit, rounded down, and compares."""
    size = MemorySize(bytes_size=3 * 1024**4 + 1)
    assert (size.get_tebi_bytes(), size.get_gibi_bytes(), size.get_mebi_bytes()) == (3, 3 * 1024, 3 * 1024**2)
    assert size.get_kibi_bytes() == 3 * 1024**3
    assert size.get_bytes() == 3 * 1024**4 + 1
    assert MemorySize.of_mebi_bytes(1) < MemorySize.of_mebi_bytes(2) <= MemorySize(2 * 1024**2)
    assert hash(MemorySize(5)) == hash(MemorySize(5))
    assert str(MemorySize(5)) == "5 bytes"
    with pytest.raises(ConfigurationError, match="bytes_size"):
        MemorySize(-1)


@pytest.mark.parametrize(
    ("text", "shown"), [("2048 kb", "2 mb"), ("0", "0 bytes"), ("1500", "1500 bytes"), ("1g", "1 gb")]
)
def test_amounts_of_memory_in_words(text, shown):
    """They are read with a unit, and shown in the largest one of which they are a whole number."""
    assert str(MemorySize.parse(text)) == shown
    with pytest.raises(ConfigurationError, match=r"such as 64 mb; got 'much'"):
        MemorySize.parse("much")
