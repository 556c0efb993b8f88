from windrow.connectors.collection import ELEMENTS_PER_SPLIT, CollectionSource


def read(channel):
    return [value for split in channel for batch in split.read() for value in batch.values]


def test_a_collection_is_one_channel_whatever_the_parallelism():
    """As in PyFlink a collection has parallelism 1, so that its order stays."""
    source = CollectionSource(["a", "b"])
    assert source.channels(8) == 1
    (channel,) = source.plan(8)
    assert read(channel) == ["a", "b"]


def test_a_large_collection_is_cut_into_splits():
    """A split holds a bounded number of elements; together they are all, in order."""
    elements = list(range(2 * ELEMENTS_PER_SPLIT + 1))
    (channel,) = CollectionSource(elements).plan(1)
    assert len(channel) == 3
    assert read(channel) == elements


def test_a_split_reads_the_same_again():
    """A batch that is run again reads the same elements."""
    ((split,),) = CollectionSource([1]).plan(1)
    assert list(split.read()) == list(split.read())


def test_an_empty_collection_has_a_channel_without_splits():
    """The channel is there, so that its end of input reaches the job."""
    assert CollectionSource([]).plan(2) == [[]]
