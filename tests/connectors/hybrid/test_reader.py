import pytest

from tests.connectors.hybrid.batches import BatchRun
from tests.connectors.hybrid.sources import AskingSource, Greeting
from tests.connectors.source.reading import reader_context
from windrow.connectors.hybrid.messages import SwitchSourceEvent
from windrow.connectors.hybrid.source import HybridSource
from windrow.connectors.number_sequence import NumberSequenceSource
from windrow.connectors.source import InputStatus
from windrow.errors import UsageError
from windrow.runtime.sources.buffered_reader_output import BufferedReaderOutput
from windrow.runtime.sources.messages import EventToEnumerator


@pytest.mark.parametrize("own_outputs", [True, False])
def test_no_output_of_a_source_outlives_it(own_outputs):
    """Splits keep their own outputs, and what a source leaves behind is released when it is read to its end."""
    first = AskingSource([1, 2], own_outputs=own_outputs)
    run = BatchRun(HybridSource.builder(first).add_source(NumberSequenceSource(5, 6)).build(), 1).run()
    of_outputs = {}
    for split_id, item in run.items[0]:
        of_outputs.setdefault(split_id, []).append(item if item == "release" else list(item.values))
    where = "split 0" if own_outputs else "hybrid source 0"
    assert of_outputs[where] == [[1], [2], "release"] or of_outputs[where] == [[1, 2], "release"]
    assert of_outputs["split 0"][-1] == "release"
    assert of_outputs["channel 0"] == [[5, 6], "release"]
    assert None not in of_outputs


def test_the_last_source_has_the_output_itself():
    """Nothing follows it, so it is read as it would be alone."""
    last = AskingSource([7], own_outputs=False)
    run = BatchRun(HybridSource.builder(NumberSequenceSource(1, 1)).add_source(last).build(), 1).run()
    assert [split_id for split_id, item in run.items[0] if item != "release"][-1] is None


def test_a_reader_that_knows_nothing_asks_once():
    """Its request goes to the enumerator; until it is answered there is nothing to read."""
    context = reader_context()
    reader = HybridSource.builder(AskingSource([1])).add_source(AskingSource([2])).build().create_reader(context)
    reader.start()
    output = BufferedReaderOutput()
    for _ in range(3):
        assert reader.poll_next(output) is InputStatus.NOTHING_AVAILABLE
    (sent,) = context.take_sent()
    assert isinstance(sent, EventToEnumerator)
    assert sent.event.source_index == -1
    waiting = reader.is_available()
    assert not waiting.done()
    reader.handle_source_events(SwitchSourceEvent(0, None))
    assert waiting.done()
    assert reader.snapshot_state(1) == []


def test_a_source_is_closed_when_the_next_one_begins():
    """An event of a source that was read comes too late and changes nothing; a wrong one is refused."""
    reader = (
        HybridSource.builder(AskingSource([1])).add_source(AskingSource([2])).build().create_reader(reader_context())
    )
    reader.start()
    reader.handle_source_events(SwitchSourceEvent(0, None))
    first = reader._current.reader
    reader.handle_source_events(SwitchSourceEvent(1, None))
    assert first.closed
    second = reader._current.reader
    reader.handle_source_events(SwitchSourceEvent(0, None))
    assert reader._current.reader is second
    with pytest.raises(UsageError, match="its enumerator does not send"):
        reader.handle_source_events(Greeting("?"))
    reader.close()
    assert second.closed
