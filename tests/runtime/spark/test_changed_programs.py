"""Which changes of a program its checkpoint survives: the table in docs/deploying.md, row by row."""

import re
from pathlib import Path

import pytest

from tests.datastream.streams.restarts import ListSink
from tests.runtime.spark.fake_checkpoint import begun
from windrow.common import Configuration
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.window import CountTrigger, TumblingEventTimeWindows, TumblingProcessingTimeWindows
from windrow.errors import CheckpointError, UserFunctionError
from windrow.runtime.spark.checkpoint import Checkpoint
from windrow.storage.local_folder import LocalFolder

DOCS = Path(__file__).parents[3] / "docs" / "deploying.md"


def same(value):
    return value


def triggered(_, keyed):
    return keyed.window(TumblingEventTimeWindows.of(5)).trigger(CountTrigger.of(3)).reduce(max)


class Program:
    """A program in which every place can be changed."""

    name = "job"
    parallelism = 2
    max_parallelism = 8
    uid = "highest"

    def job(self):
        env = StreamExecutionEnvironment.get_execution_environment(Configuration())
        env.set_parallelism(self.parallelism).set_max_parallelism(self.max_parallelism)
        mapped = self.mapped(self.source(env))
        keyed = mapped.key_by(same)
        highest = self.windows(keyed).uid(self.uid)
        self.behind(highest)
        return env._plan(env._program.sinks())

    def source(self, env):
        return env.from_collection([1, 2]).uid("numbers")

    def mapped(self, stream):
        return stream.map(same).uid("mapped")

    def windows(self, keyed):
        return keyed.window(TumblingEventTimeWindows.of(5)).reduce(max)

    def behind(self, highest):
        highest.print()


def changed(**members):
    return type("Changed", (Program,), members)()


def joined(_, env):
    return env.from_collection([1]).uid("numbers").union(env.from_collection([2]).uid("others"))


#: What changes, as the table in the docs has it: the changed program, and what is said if it is refused.
CHANGES = {
    "a function's code, a name, the job's name": (
        changed(mapped=lambda _, stream: stream.map(lambda value: value + 1).name("more").uid("mapped")),
        None,
    ),
    "a sink added": (changed(behind=lambda _, highest: [highest.print(), highest.sink_to(DiscardingSink())]), None),
    "a sink taken away or replaced": (changed(behind=lambda _, highest: highest.sink_to(DiscardingSink())), None),
    "the elements of a collection, the files of a file source": (
        changed(source=lambda _, env: env.from_collection([3]).uid("numbers")),
        None,
    ),
    "the trigger or the lateness of a window": (changed(windows=triggered), None),
    "the parallelism of an operator": (changed(parallelism=3), "operator 'highest' had parallelism 2 and has 3"),
    "the max parallelism": (changed(max_parallelism=16), "max parallelism was 8 and is 16"),
    "the uid of an operator": (
        changed(uid="greatest"),
        r"operator 'greatest' is not in it, and in its place is 'highest': \.uid\('highest'\)",
    ),
    "an operator added, taken away or moved": (
        changed(mapped=lambda _, stream: stream),
        "operator 'mapped' is gone, and its state would be lost",
    ),
    "a source added or taken away": (changed(source=joined), "operator 'others' is new"),
    "what a window keeps": (
        changed(windows=lambda _, keyed: keyed.window(TumblingProcessingTimeWindows.of(5)).reduce(max)),
        "operator 'highest' has kept reduced values in TimeWindows of event time",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_taken_or_refused_as_the_docs_say(tmp_path, change):
    """Before the query starts; a refusal names the operator."""
    begun(tmp_path, Program().job())
    program, said = CHANGES[change]
    if said is None:
        Checkpoint(LocalFolder(tmp_path), program.job(), 2)
    else:
        with pytest.raises(CheckpointError, match=said):
            Checkpoint(LocalFolder(tmp_path), program.job(), 2)


def test_the_docs_have_these_rows():
    """Each with what comes of it."""
    rows = re.findall(r"^\| ([^|]+) \| (goes on|refused)", DOCS.read_text(), re.MULTILINE)
    said = {change: "goes on" if refusal is None else "refused" for change, (_, refusal) in CHANGES.items()}
    assert {row: outcome for row, outcome in rows if row in said} == said


@pytest.mark.spark
def test_sinks_come_and_go_on_a_checkpoint(on_spark, tmp_path):
    """A new one gets what comes from then on, and the job ends though one of its inputs had ended before."""
    settings = {
        "execution.checkpointing.dir": str(tmp_path / "checkpoint"),
        "windrow.source.elements-per-split": "1",
        "windrow.source.splits-per-batch": "1",
    }

    def run(fails_at, *names):
        def seen(number):
            if number == fails_at:
                raise ValueError(number)
            return number

        env, sinks = on_spark(settings), {name: ListSink() for name in names}
        both = env.from_collection([1, 2, 3, 4, 5, 6]).uid("long").union(env.from_collection([100]).uid("short"))
        mapped = both.map(seen).uid("mapped")
        if "elements" in names:
            mapped.sink_to(sinks["elements"])
        sums = mapped.key_by(lambda number: 0).reduce(lambda a, b: a + b).uid("sums")
        if "sums" in names:
            sums.sink_to(sinks["sums"])
        if fails_at is None:
            env.execute()
        else:
            with pytest.raises(UserFunctionError):
                env.execute()
        return {name: sink.elements for name, sink in sinks.items()}

    first = run(3, "sums")
    assert sorted(first["sums"])[-1] == 103
    assert run(5, "elements", "sums") == {"elements": [3, 4], "sums": [106, 110]}
    assert run(None, "sums") == {"sums": [115, 121]}
