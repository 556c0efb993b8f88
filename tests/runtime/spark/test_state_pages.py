"""Pages in Spark's state, many calls on the way at a time."""

import pickle
import socket
import struct
from contextlib import suppress
from functools import partial
from threading import Thread
from types import SimpleNamespace

import pytest
from pyspark.errors import PySparkRuntimeError
from pyspark.sql.streaming.proto import StateMessage_pb2 as messages

from windrow.runtime.spark.state_pages import PipelinedPages, StatePages, state_pages


class Java:
    """Answers as Spark's state server does: one message after the other, in order; a map state by its name."""

    def __init__(self):
        here, there = socket.socketpair()
        self.kept, self.asked, self.refuses = {}, [], None
        self._theirs = there.makefile("rwb")
        self._thread = Thread(target=self._serve, daemon=True)
        self._thread.start()
        self.file = here.makefile("rwb")
        self._sockets = here, there

    def _serve(self):
        while head := self._theirs.read(8):
            version, length = struct.unpack(">ii", head)
            assert version == 0
            request = messages.StateRequest()
            request.ParseFromString(self._theirs.read(length))
            call = request.stateVariableRequest.mapStateCall
            what = call.WhichOneof("method")
            key = pickle.loads(getattr(call, what).userKey)[0]
            self.asked.append((what, key))
            answer = messages.StateResponse()
            if key == self.refuses:
                answer.statusCode, answer.errorMessage = 1, "the disk is full"
            elif what == "updateValue":
                self.kept[key] = call.updateValue.value
            elif what == "removeKey":
                self.kept.pop(key, None)
            elif key in self.kept:
                answer.value = self.kept[key]
            data = answer.SerializeToString()
            self._theirs.write(struct.pack(">i", len(data)) + data)
            self._theirs.flush()

    def close(self):
        self.file.close()
        # It answers what it was asked before it hears that there is no more: nobody has to read that.
        with suppress(OSError):  # a test may have ended it before
            self._sockets[0].shutdown(socket.SHUT_WR)
        self._thread.join(10)
        self._theirs.close()
        for each in self._sockets:
            each.close()


@pytest.fixture
def java():
    java = Java()
    yield java
    java.close()


def of_client(java, write):
    """Pages behind PySpark's client, which makes bytes of rows so."""
    client = SimpleNamespace(
        sockfile=java.file,
        _serialize_to_bytes=lambda schema, data: write(data),
        _deserialize_from_bytes=pickle.loads,
    )
    of_map = SimpleNamespace(_stateful_processor_api_client=client, user_key_schema=None, value_schema=None)
    pages = state_pages(SimpleNamespace(_mapStateClient=of_map, _stateName="pages"))
    assert type(pages) is PipelinedPages
    return pages


@pytest.fixture
def pages(java):
    return of_client(java, partial(pickle.dumps, protocol=pickle.HIGHEST_PROTOCOL))


def test_what_is_written_is_read_in_any_order(pages):
    """Far more than may be under way at a time; pages of some size, and none."""
    names = [f"page {number}" for number in range(500)]
    for number, name in enumerate(names):
        pages.put(name, bytes([number % 256]) * (number * 37 % 9000))
    pages.remove("page 7")
    pages.remove("never there")
    found = pages.get_many([*reversed(names), "never there"])
    expected = [bytes([number % 256]) * (number * 37 % 9000) for number in range(500)]
    expected[7] = None
    assert found == [*reversed(expected), None]
    assert pages.get("page 3") == expected[3]
    assert pages.get_many([]) == []


def test_nothing_is_under_way_when_it_has_settled(pages, java):
    """Then PySpark may ask for state again."""
    for number in range(10):
        pages.put(str(number), b"data")
    pages.settle()
    assert java.asked == [("updateValue", str(number)) for number in range(10)]
    pages.settle()


@pytest.mark.parametrize("read", [lambda pages: pages.get("full"), lambda pages: pages.settle()])
def test_a_write_that_is_refused_is_an_error_before_anything_else(pages, java, read):
    """With what the state store says."""
    java.refuses = "full"
    pages.put("before", b"")
    pages.put("full", b"data")
    with pytest.raises(PySparkRuntimeError, match="refuses a write: the disk is full"):
        read(pages)


def test_a_read_that_is_refused_names_the_page(pages, java):
    """And is no page that is not there."""
    java.refuses = "broken"
    with pytest.raises(PySparkRuntimeError, match="refuses broken: the disk is full"):
        pages.get_many(["whole", "broken", "another"])
    with pytest.raises(PySparkRuntimeError, match="refuses broken"):
        pages.get("whole")  # the answer that comes next is none to this question


def test_a_state_server_that_has_ended_is_an_error(pages, java):
    """Nothing waits for it for ever."""
    java.close()
    with pytest.raises((EOFError, OSError, ValueError)):
        pages.get("page")


def test_where_pysparks_client_is_another_each_call_is_waited_for():
    """By what PySpark promises."""
    kept = {("a",): (bytearray(b"data"),)}
    called = []
    state = SimpleNamespace(
        getValue=kept.get,
        updateValue=lambda key, value: called.append((key, value)),
        removeKey=called.append,
    )
    pages = state_pages(state)
    assert type(pages) is StatePages
    assert pages.get_many(["a", "b"]) == [b"data", None]
    pages.put("c", b"new")
    pages.remove("a")
    pages.settle()
    assert called == [(("c",), (b"new",)), ("a",)]


def test_rows_are_written_as_the_client_writes_them(java):
    """Where it does more than to pickle a row, it is asked for each."""
    asked = []

    def write(row):
        asked.append(row)
        return pickle.dumps(list(row))

    pages = of_client(java, write)
    asked.clear()
    pages.put("a/0", b"x")
    pages.settle()
    pages.remove("b/0")
    pages.settle()
    assert asked == [("a/0",), (b"x",), ("b/0",)]
    assert java.kept == {"a/0": pickle.dumps([b"x"])}
