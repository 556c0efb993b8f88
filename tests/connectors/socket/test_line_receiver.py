import threading
import time

import pytest

from windrow.connectors.socket.line_receiver import LineReceiver


@pytest.fixture
def connected(server):
    """Makes receivers that are connected to the server, and closes them."""
    made = []

    def connect(delimiter="\n"):
        receiver = LineReceiver("127.0.0.1", server.port, delimiter, 0, retry_interval=1)
        made.append(receiver)
        assert receiver.receive() == []
        server.accept()
        return receiver

    yield connect
    for receiver in made:
        receiver.close()


def received(receiver, count):
    """The next lines, at least so many."""
    lines, deadline = [], time.monotonic() + 60
    while len(lines) < count and not receiver.ended:
        assert time.monotonic() < deadline
        lines += receiver.receive()
    return lines


def until_the_end(receiver):
    return received(receiver, 10**9)


def test_lines_are_cut_at_the_delimiter(connected, server):
    """Also where they come in pieces; the line end of Windows is one, too."""
    receiver = connected()
    server.send(b"one\r\ntwo\nth")
    assert received(receiver, 2) == ["one", "two"]
    server.send(b"ree\n\nfour\n")
    assert received(receiver, 3) == ["three", "", "four"]


def test_another_delimiter(connected, server):
    """Then a line feed is a character like others, and a carriage return as well."""
    receiver = connected("||")
    server.send(b"one\n|two\r|")
    server.send(b"|three||")
    assert received(receiver, 2) == ["one\n|two\r", "three"]


def test_the_end_of_the_connection_is_the_end(connected, server):
    """What was sent last is a line, even if nothing ends it; without retries the stream has ended."""
    receiver = connected()
    server.send(b"one\ntwo")
    server.hang_up()
    assert until_the_end(receiver) == ["one", "two"]
    assert receiver.ended


def test_it_connects_again_so_many_times(server):
    """Each connection that the server closes takes one retry; after the last one the stream has ended."""

    def serve():
        for text in (b"one\n", b"two"):
            server.accept()
            server.send(text)
            server.hang_up()

    serving = threading.Thread(target=serve)
    serving.start()
    receiver = LineReceiver("127.0.0.1", server.port, "\n", 1, retry_interval=1)
    assert until_the_end(receiver) == ["one", "two"]
    serving.join(timeout=60)


def test_characters_of_several_bytes(connected, server):
    """A character that comes in two pieces is one; what is no UTF-8 is marked."""
    receiver = connected()
    server.send("grü".encode()[:-1])
    assert receiver.receive() == []
    server.send("ü".encode()[1:] + b"n\n\xff\n")
    assert received(receiver, 2) == ["grün", "\ufffd"]


def test_without_a_server_it_fails_when_no_retry_is_left(server):
    """The error says which server, and that it was tried again."""
    server.close()
    receiver = LineReceiver("127.0.0.1", server.port, "\n", 2, retry_interval=1)
    with pytest.raises(ConnectionError, match=rf"no connection to 127\.0\.0\.1:{server.port} .* no retry is left"):
        received(receiver, 1)
    assert receiver._retries_left == 0
