"""The easy layer in whole programs."""

from dataclasses import dataclass, field

import pytest

from tests.connectors.source_reader.numbers import Numbers, NumbersReader, NumbersReaderBase, OneByOne
from windrow.common import WatermarkStrategy
from windrow.connectors.source import Boundedness, Source
from windrow.connectors.source_reader import OneSplitPerFetcherManager, StaticSplitEnumerator
from windrow.errors import UserFunctionError


class Asking(NumbersReaderBase):
    def start(self):
        if not self.get_number_of_currently_assigned_splits():
            self.context.send_split_request()

    def on_split_finished(self, finished_split_states):
        self.context.send_split_request()


class Broken(NumbersReader):
    def fetch(self):
        raise ConnectionError("broker gone")


@dataclass
class NumbersSource(Source):
    splits: list
    options: dict = field(default_factory=dict)

    def get_boundedness(self):
        return Boundedness.BOUNDED

    def create_enumerator(self, enum_context):
        return StaticSplitEnumerator(enum_context, self.splits, splits_per_request=2)

    def restore_enumerator(self, enum_context, checkpoint):
        return StaticSplitEnumerator(enum_context, checkpoint, splits_per_request=2)

    def create_reader(self, reader_context):
        return Asking(reader_context, **self.options)


def collected(env, source):
    stream = env.from_source(source, WatermarkStrategy.for_monotonous_timestamps(), "numbers")
    with stream.execute_and_collect() as results:
        return list(results)


def test_a_program_reads_every_split_once(env):
    """More splits than readers, of very different lengths."""
    splits = [
        Numbers(str(number), number * 1000, number * 1000 + length) for number, length in enumerate([5, 0, 700, 1])
    ]
    assert sorted(collected(env, NumbersSource(splits))) == [
        number for split in splits for number in range(split.position, split.end)
    ]


@pytest.mark.parametrize("runtime", ["local"])
@pytest.mark.parametrize("at_a_time", [OneSplitPerFetcherManager, None])
def test_each_split_keeps_its_order(env, at_a_time):
    """Whatever threads read it."""
    options = {} if at_a_time is None else {"make_manager": at_a_time}
    splits = [Numbers(name, start, start + 300, 7) for name, start in (("a", 0), ("b", 1000), ("c", 2000))]
    values = collected(env, NumbersSource(splits, options))
    for split in splits:
        of_split = [value for value in values if split.position <= value < split.end]
        assert of_split == list(range(split.position, split.end))


@pytest.mark.parametrize("runtime", ["local"])
@pytest.mark.parametrize("broken", ["split reader", "emitter"])
def test_an_error_names_the_source_and_shows_the_users_line(env, broken):
    """Also one that was raised in a fetcher's thread."""

    class BrokenEmitter(OneByOne):
        def emit_record(self, element, output, split_state):
            raise ConnectionError("broker gone")

    options = {"make_reader": Broken} if broken == "split reader" else {"emitter": BrokenEmitter()}
    with pytest.raises(UserFunctionError, match="'Source: numbers'") as caught:
        collected(env, NumbersSource([Numbers("a", 0, 5)], options))
    assert 'raise ConnectionError("broker gone")' in caught.value.user_traceback
