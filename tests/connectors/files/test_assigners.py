"""Which region is read next, and by whom."""

from windrow.connectors.files.assigners import FileSplitAssignerProvider, dealt
from windrow.connectors.files.split import FileSourceSplit


def splits(*lengths):
    return [FileSourceSplit(f"/{number}", 0, length, length) for number, length in enumerate(lengths)]


def test_regions_are_handed_out_in_order():
    """What comes back or is found later comes last."""
    first, second, third = splits(1, 2, 3)
    assigner = FileSplitAssignerProvider.locality_aware_split_assigner().create([first, second])
    assert assigner.get_next(None) == first
    assigner.add_splits([third, first])
    assert list(assigner.remaining_splits()) == [second, third, first]
    assert [assigner.get_next("host") for _ in range(4)] == [second, third, first, None]


def test_all_readers_get_about_as_many_bytes():
    """The next region goes to whoever has the fewest; the order stays."""
    assigner = FileSplitAssignerProvider.locality_aware_split_assigner()
    hands = dealt(assigner.create(splits(100, 10, 10, 80, 5)), 2)
    assert [[split.length for split in hand] for hand in hands] == [[100, 5], [10, 10, 80]]
    assert dealt(assigner.create(splits(0, 0, 0)), 3) == [[split] for split in splits(0, 0, 0)]
    assert dealt(assigner.create([]), 2) == [[], []]
