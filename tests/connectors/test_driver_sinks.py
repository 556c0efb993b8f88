import threading

from windrow.common import Row, Types
from windrow.connectors.collect import CollectSink
from windrow.connectors.discarding import DiscardingSink
from windrow.connectors.interfaces import WriterContext
from windrow.connectors.print_sink import PrintSink


def test_print_shows_elements_as_pyflink_does(capsys):
    """Rows are shown with their kind, declared types as Java shows them, others as Python's str."""
    PrintSink().deliver([("a", None), Row(1, "x")], [0, 0])
    PrintSink("out", Types.ROW([Types.INT(), Types.STRING()])).deliver([Row(1, "x")], [0])
    assert capsys.readouterr().out == "('a', None)\n<Row(1, 'x')>\nout> +I[1,x]\n"


def test_collect_gives_what_was_delivered_until_the_end():
    """Elements wait until they are taken; after the end there are none."""
    sink = CollectSink()
    sink.deliver([1, 2], [0, 0])
    sink.deliver([3], [0])
    assert sink.take() == [1, 2, 3]
    sink.end()
    assert sink.take() == []


def test_collect_makes_the_job_wait_for_its_reader():
    """A job that is faster than its reader does not fill the memory."""
    sink = CollectSink(buffered_elements=1)
    sink.deliver([1, 2], [0, 0])
    job = threading.Thread(target=sink.deliver, args=([3], [0]))
    job.start()
    job.join(0.05)
    assert job.is_alive()
    assert sink.take() == [1, 2]
    job.join(10)
    assert sink.take() == [3]


def test_a_closed_collect_sink_lets_the_job_go_on():
    """When nobody wants elements any more, they are thrown away and nobody waits."""
    sink = CollectSink(buffered_elements=1)
    sink.deliver([1], [0])
    job = threading.Thread(target=sink.deliver, args=([2], [0]))
    job.start()
    sink.close()
    job.join(10)
    assert not job.is_alive()
    assert sink.take() == []


def test_discarding_commits_nothing():
    """A discarding sink's writer has nothing to commit."""
    sink = DiscardingSink()
    writer = sink.create_writer(WriterContext(0, 0))
    writer.write([1], [0])
    assert writer.prepare_commit() is None
    sink.commit(0, [])


def test_print_can_write_to_standard_error(capsys):
    """With to_error elements are written to standard error, and to it alone."""
    PrintSink("out", to_error=True).deliver([1], [0])
    assert capsys.readouterr() == ("", "out> 1\n")
