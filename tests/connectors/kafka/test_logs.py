"""What is logged of brokers that are away."""

import logging

import pytest

from windrow.connectors.kafka.logs import ClientLogger, Repeats, plain


@pytest.fixture
def said(caplog):
    caplog.set_level(logging.DEBUG, "windrow.kafka")
    return caplog


def test_the_same_is_said_ever_more_seldom(said):
    """At once, after 1, 2, 4, ... seconds, and with how often it came meanwhile."""
    now = [0.0]
    repeats = Repeats(lambda: now[0])
    times = []
    for tenths in range(1000):
        now[0] = tenths / 10
        repeats.warn("away", "gone")
        if len(said.messages) > len(times):
            times.append(now[0])
    assert times == [0, 1, 3, 7, 15, 31, 63]
    assert said.messages[:3] == ["gone", "gone (10 times since the last line)", "gone (20 times since the last line)"]


def test_what_comes_a_second_time_after_a_long_while_is_new(said):
    """It is said at once, and again a second later."""
    now = [0.0]
    repeats = Repeats(lambda: now[0])
    for now[0] in (0, 2, 5, 1000, 1000.5, 1001):
        repeats.warn("away", "gone")
    assert said.messages == ["gone", "gone", "gone", "gone", "gone (2 times since the last line)"]


def test_other_kinds_are_said_at_once(said):
    """Each has its own pauses."""
    repeats = Repeats(lambda: 0.0)
    for kind in ("a", "b", "a", "b"):
        repeats.warn(kind, kind)
    assert said.messages == ["a", "b"]


def test_connections_that_break_are_no_lines_of_the_client(said):
    """It reports them as well, to who knows what they were for; other messages of its are logged as they are."""
    logger = ClientLogger()
    logger.log(logging.ERROR, "%s [%s] %s", "FAIL", "rdkafka#producer-1", "Connection refused")
    logger.log(logging.WARNING, "%s [%s] %s", "CONFWARN", "rdkafka#producer-1", "no effect")
    assert [(record.levelname, record.getMessage()) for record in said.records] == [
        ("DEBUG", "FAIL [rdkafka#producer-1] Connection refused"),
        ("WARNING", "CONFWARN [rdkafka#producer-1] no effect"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a:1/bootstrap: Connect to ipv6#[::1]:1 failed: Timed out (after 3ms in state CONNECT)", "a:1: Timed out"),
        ("a:1/0: Disconnected (after 35ms in state UP, 1 identical error(s) suppressed)", "a:1/0: Disconnected"),
        ("Broker: Unknown topic", "Broker: Unknown topic"),
    ],
)
def test_an_errors_text_is_made_plain(text, expected):
    """Without the connection's inner life."""
    assert plain(text) == expected
