"""Two streams of (key, time, number) for tests of joins and co-groups."""

from windrow.common import Configuration, WatermarkStrategy
from windrow.common.watermark import Watermark
from windrow.common.watermark_strategy import WatermarkGenerator
from windrow.datastream import StreamExecutionEnvironment


class EachEvent(WatermarkGenerator):
    """A watermark behind every element."""

    def on_event(self, event, event_timestamp, output):
        output.emit_watermark(Watermark(event_timestamp - 1))

    def on_periodic_emit(self, output):
        pass


def time_of(event, _):
    return event[1]


PUNCTUATED = WatermarkStrategy.for_generator(EachEvent).with_timestamp_assigner(time_of)
MONOTONOUS = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(time_of)


def local_environment():
    """An environment on the local runtime with parallelism 2."""
    configuration = Configuration().set_string("windrow.runtime", "local")
    return StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(2)


def two_streams(env, first, second, strategy=MONOTONOUS):
    """Two streams with timestamps and watermarks."""
    return [env.from_collection(events).assign_timestamps_and_watermarks(strategy) for events in (first, second)]


def collect(stream):
    """The elements of a stream, sorted."""
    return sorted(stream.execute_and_collect())
