"""Records as they were fetched."""

from __future__ import annotations

import numpy as np

from windrow.common.limits import NO_TIMESTAMP
from windrow.connectors.kafka.fetched import FetchedMessages

#: librdkafka's kinds.
NOT_AVAILABLE, CREATE_TIME, LOG_APPEND_TIME = 0, 1, 2


class Message:
    """As much of the client's as is asked for."""

    def __init__(self, kind, time):
        self._pair = kind, time

    def timestamp(self):
        return self._pair


def test_a_time_that_is_not_available_is_no_timestamp():
    """Whatever number stands for it; the moment 0 and those before it are times if their kind says so."""
    pairs = [
        (CREATE_TIME, 5),
        (NOT_AVAILABLE, -1),
        (NOT_AVAILABLE, 0),
        (LOG_APPEND_TIME, 0),
        (CREATE_TIME, -1),
        (LOG_APPEND_TIME, 7),
    ]
    timestamps = FetchedMessages("t", 0, [Message(*pair) for pair in pairs]).timestamps()
    assert timestamps.dtype == np.int64
    assert timestamps.tolist() == [5, NO_TIMESTAMP, NO_TIMESTAMP, 0, -1, 7]
    assert FetchedMessages("t", 0, []).timestamps().tolist() == []
