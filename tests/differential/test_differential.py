"""Random jobs give what Apache Flink's Java API gave for them."""

import copy
import random
from itertools import cycle

import pytest

from tests.datastream.streams.restarts import ListSink, collect_with_restarts, local_env
from tests.differential.compare import difference
from tests.differential.data import flink, specs
from tests.differential.jobs import job
from tests.differential.scripts import run_script
from tests.property_examples import examples
from tests.runtime.spark.state_assignment.locally import rescaled
from windrow.common import Configuration
from windrow.connectors import collection
from windrow.datastream import StreamExecutionEnvironment
from windrow.elements import inference
from windrow.runtime.local.executor import LocalExecutor

SCRIPTS = ("h_co_process", "h_interval_join")
JOBS = (
    "co_group",
    "co_process",
    "count",
    "interval_join",
    "keyed_process",
    "rolling",
    "union",
    "window",
    "window_all",
    "window_join",
)


def differences(of_kind, run):
    """What differs from Flink, in words, of all specs of a kind."""
    found = [difference(spec, flink()[spec["seed"]]["out"], [list(row) for row in run(spec)]) for spec in of_kind]
    return [each for each in found if each is not None]


def drawn(of_kind):
    """A share of a kind's specs, other ones in each run (`property_examples.py`); pytest-randomly has the seed."""
    return random.sample(of_kind, examples(len(of_kind)))


def run_whole(spec):
    return [row[1:] for row in job(local_env(1), spec).execute_and_collect()]


def run_in_batches(spec):
    """Three to eleven elements a batch, as the seed says; all operators are made anew behind each."""
    return [row[1:] for row in collect_with_restarts(job(local_env(1), spec), 3 + spec["seed"] % 5 * 2)]


def run_changing(spec):
    """Seven to fifteen elements a batch; behind each the job has another parallelism."""
    sink, turns = ListSink(), cycle((1, 3, 2, 5))

    def graph():
        env = local_env(next(turns))
        job(env, spec).sink_to(sink)
        return env._take_job(None)

    size = 7 + spec["seed"] % 3 * 4
    executor = LocalExecutor(graph(), size, clock=lambda: 0)
    try:
        while executor.run_batch():
            executor = rescaled(executor, graph(), size)
    finally:
        executor.close()
    return [row[1:] for row in sink.elements]


def test_every_kind_is_run():
    """There are 166 specs of each kind, and Flink failed at none."""
    assert {kind: len(of_kind) for kind, of_kind in specs().items()} == dict.fromkeys([*SCRIPTS, *JOBS], 166)
    assert [seed for seed, result in flink().items() if "error" in result] == []


@pytest.mark.parametrize("form", ["rows", "columns"])
@pytest.mark.parametrize("kind", JOBS)
def test_jobs_give_what_flink_gave(kind, form, monkeypatch):
    """Each key's results in Flink's order, each output's all together: of rows, and of columns where they can be."""
    if form == "columns":
        monkeypatch.setattr(collection, "FEWEST_COLUMNS", 1)
        monkeypatch.setattr(inference, "FEWEST", 1)
    assert differences(specs()[kind], run_whole) == []


@pytest.mark.property
@pytest.mark.parametrize("kind", JOBS)
def test_jobs_in_batches_give_what_flink_gave(kind):
    """All operators are made anew behind each batch of a few elements."""
    assert differences(drawn(specs()[kind]), run_in_batches) == []


@pytest.mark.property
@pytest.mark.parametrize("kind", JOBS)
def test_jobs_that_change_their_parallelism_give_what_flink_gave(kind):
    """Of one operation: what a second one sees of several subtasks comes in another order than of one."""
    assert differences(drawn([spec for spec in specs()[kind] if not spec["second"]]), run_changing) == []


@pytest.mark.parametrize("kind", SCRIPTS)
def test_operators_on_two_inputs_give_what_flink_gave(kind):
    """Step by step, watermarks included."""
    assert differences(specs()[kind], run_script) == []


@pytest.mark.parametrize(("field", "value"), [(1, -1), (2, "z"), (5, "other")], ids=["time", "key", "text"])
def test_a_difference_is_seen(field, value):
    """A time, a key or a text that is another one; a row that is missing, or that comes too early."""
    spec = specs()["keyed_process"][0]
    theirs = flink()[spec["seed"]]["out"]
    assert difference(spec, theirs, theirs) is None
    changed = copy.deepcopy(theirs)
    changed[1][field] = value
    for ours in (changed, theirs[1:], [theirs[1], theirs[0], *theirs[2:]]):
        assert f"seed {spec['seed']}" in difference(spec, theirs, ours)


@pytest.mark.spark
def test_a_job_of_many_gives_on_spark_what_flink_gave(spark_session):
    """Two specs of each kind in one query: as many sources, and their levels beside each other."""
    configuration = Configuration.from_dict({"windrow.runtime": "spark"})
    env = StreamExecutionEnvironment.get_execution_environment(configuration, spark_session).set_parallelism(1)
    chosen = [spec for kind in JOBS for spec in specs()[kind][:2]]
    first, *others = [job(env, spec) for spec in chosen]
    by_seed = {spec["seed"]: [] for spec in chosen}
    for seed, *row in first.union(*others).execute_and_collect():
        by_seed[seed].append(row)
    assert differences(chosen, lambda spec: by_seed[spec["seed"]]) == []
