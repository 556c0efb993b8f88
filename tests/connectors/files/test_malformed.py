"""Lines that cannot be parsed, among lines that can."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windrow.connectors.files.lines import LineBlock
from windrow.connectors.files.malformed import read_lines
from windrow.errors import MalformedInputError


class Digits:
    """A line is a number; parsing is counted."""

    def __init__(self):
        self.calls = 0

    def parse(self, data):
        self.calls += 1
        lines = data.decode().splitlines()
        return [int(line) for line in lines] if all(line.isdigit() for line in lines) else None

    def lines(self, data):
        return data.splitlines(keepends=True)

    def fault(self, line):
        return f"{line.strip().decode()} is no number"


@settings(deadline=None)
@given(lines=st.lists(st.sampled_from(["1", "22", "x", "", "4 4"]), max_size=30))
def test_every_line_is_an_element_or_malformed_in_its_place(lines):
    """Blank ones are neither; order stays."""
    data = "".join(f"{line}\n" for line in lines).encode()
    batches = list(read_lines(LineBlock(7, data), Digits(), "/a", "bad"))
    assert all(batch.offset == 7 for batch in batches)
    found = [value for batch in batches for value in batch.values]
    assert found == [int(line) if line.isdigit() else ("/a", line) for line in lines if line]
    assert all((batch.side == "bad") == isinstance(batch.values[0], tuple) for batch in batches if batch.values)


def test_few_bad_lines_among_many_are_found_quickly():
    """By halving, not one by one."""
    parser = Digits()
    data = b"1\n" * 5000 + b"x\n" + b"1\n" * 5000
    batches = list(read_lines(LineBlock(0, data), parser, "/a", "bad"))
    assert sum(len(batch.values) for batch in batches) == 10_001
    assert parser.calls < 40


def test_without_a_dead_letter_the_first_one_is_an_error(tmp_path):
    """Its number counts from the file's beginning, wherever the block begins."""
    file = tmp_path / "a"
    file.write_bytes(b"head\n1\n2\nx\ny\n")
    with pytest.raises(MalformedInputError, match=r"line 4 of .*/a: 'x' \(x is no number\); mend it, or have"):
        list(read_lines(LineBlock(0, file.read_bytes()), Digits(), str(file), None, begin=5))
    with pytest.raises(MalformedInputError, match=r"line 5 of .*/a: 'y'"):
        list(read_lines(LineBlock(11, b"y\n"), Digits(), str(file), None))
