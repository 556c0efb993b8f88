import threading

import pytest

from windrow.common import Types, WatermarkStrategy
from windrow.connectors.socket.source import SocketTextSource
from windrow.connectors.source import Boundedness
from windrow.errors import ConfigurationError, ConfigurationTypeError


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ((7, 1), ConfigurationTypeError, "host of a socket text source must be a str"),
        (("localhost", "1"), ConfigurationTypeError, "port of a socket text source must be an int; got '1'"),
        (("localhost", 0), ConfigurationError, "port .* must be between 1 and 65535; got 0"),
        (("localhost", 1 << 16), ConfigurationError, "port .* must be between 1 and 65535"),
        (("localhost", 1, ""), ConfigurationTypeError, "delimiter .* must be a str that is not empty"),
        (("localhost", 1, "\n", None), ConfigurationTypeError, "max_retry .* must be an int"),
        (("localhost", 1, "\n", 0, -1), ConfigurationError, "retry_interval .* must not be negative; got -1 ms"),
    ],
)
def test_wrong_arguments_are_refused(arguments, error, said):
    """The mistake shows where the source is made."""
    with pytest.raises(error, match=said):
        SocketTextSource(*arguments)


def test_one_reader_and_no_end():
    """There is one connection, whatever the parallelism; nobody knows when it ends."""
    source = SocketTextSource("localhost", 9999)
    assert source.channels(4) == 1
    assert source.get_boundedness() is Boundedness.CONTINUOUS_UNBOUNDED
    assert source.produced_type == Types.STRING()


def test_a_program_reads_what_the_server_sends(env, server):
    """All lines, in order; the job ends when the server closes the connection."""

    def serve():
        server.accept()
        for number in range(100):
            server.send(f"line {number}\n".encode())
        server.hang_up()

    serving = threading.Thread(target=serve)
    serving.start()
    lines = env.socket_text_stream("127.0.0.1", server.port).map(str.upper, Types.STRING())
    assert lines.execute_and_collect(limit=1000) == [f"LINE {number}" for number in range(100)]
    serving.join(timeout=60)


@pytest.mark.parametrize("runtime", ["local"])
def test_without_a_server_the_job_fails(env, server):
    """The error names host and port."""
    server.close()
    source = SocketTextSource("127.0.0.1", server.port)
    env.from_source(source, WatermarkStrategy.no_watermarks(), "lines").print()
    with pytest.raises(Exception, match=f"no connection to 127.0.0.1:{server.port}"):
        env.execute()
