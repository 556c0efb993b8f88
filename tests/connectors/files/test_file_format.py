"""What is left of a split, whatever the format."""

from windrow.connectors.files.file_format import FileBatch, FileFormat, elements, in_slices
from windrow.connectors.files.split import FilePosition, FileSourceSplit


class Letters(FileFormat):
    """Batches of letters at the offsets 0, 0 and 5."""

    def read(self, split):
        batches = [FileBatch(0, "ab"), FileBatch(0, "c"), FileBatch(5, "defg", side="bad")]
        first = 0 if split.position is None else split.position.offset
        return (batch for batch in batches if batch.offset >= first)


def left(position=None, limit=None, size=10):
    split = FileSourceSplit("/a", 0, 10, 10, position, limit)
    return [(tuple(place), batch.values) for place, batch in in_slices(elements(Letters(), split), size)]


def test_each_batch_comes_with_the_position_of_its_first_element():
    """Elements are counted from the last offset on that reading can begin at."""
    assert left() == [((0, 0), "ab"), ((0, 2), "c"), ((5, 0), "defg")]
    assert left(size=2) == [((0, 0), "ab"), ((0, 2), "c"), ((5, 0), "de"), ((5, 2), "fg")]


def test_reading_goes_on_at_every_position():
    """What follows is what would have followed."""
    letters = "abcdefg"
    for position, count in [((0, n), n) for n in range(3)] + [((5, n), 3 + n) for n in range(4)]:
        for size in (1, 3, 10):
            rest = left(FilePosition(*position), size=size)
            assert "".join(values for _, values in rest) == letters[count:]
            assert rest[0][0] == position


def test_no_more_elements_than_the_limit_are_read():
    """Counted from the position on, across batches."""
    assert left(limit=2) == [((0, 0), "ab")]
    assert left(FilePosition(0, 1), limit=4) == [((0, 1), "b"), ((0, 2), "c"), ((5, 0), "de")]
    assert left(FilePosition(5, 3), limit=9) == [((5, 3), "g")]
