"""Jobs whose processes are killed again and again, and that are started again with another parallelism between.

WINDROW_CHAOS_CYCLES says how many kills there are, dealt out among the programs (8, `make chaos`: 40). Half of
the programs run on one machine, the others on a cluster of a master and two workers that die, too: the seed says which.
"""

import json
import os
import random
import time

import pytest

from tests.chaos import brute_force
from tests.chaos.programs import COUNT, PROGRAMS
from tests.processes import CLUSTER_VICTIMS, ROOT, VICTIMS, ClusterProgram, Program
from tests.runtime.spark.expected import lines_in
from tests.standalone_cluster import HOSTS
from windrow.runtime.checkpoint_files import LAYOUT

CYCLES = int(os.environ.get("WINDROW_CHAOS_CYCLES", "8"))
#: What a kill waits for: a new file here, which is a step of a batch; then it comes within so many seconds.
STEPS = ("spark/offsets", "spark/state", "spark/commits", ".")
SECONDS = 300


@pytest.mark.slow
@pytest.mark.timeout(600 + 90 * CYCLES)
@pytest.mark.spark
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_killed_loses_nothing_and_doubles_nothing(name, tmp_path, request):
    """Whatever dies, at whatever step of a batch, files have what a look at all elements gives."""
    seed, chance = chances()
    numbers = list(PROGRAMS)
    cycles = CYCLES // len(numbers) + (numbers.index(name) < CYCLES % len(numbers))
    cluster = request.getfixturevalue("cluster") if (numbers.index(name) + seed) % 2 else None
    where = "on one machine" if cluster is None else "on a cluster"
    print(f"WINDROW_CHAOS_SEED={seed}: {name} {where}, {cycles} kills")
    # Two batches or three go by until a kill: there are more, so that the job is not over before.
    job = Job(name, tmp_path, COUNT // (6 * cycles + 8), chance, cluster)
    try:
        for _ in range(cycles):
            job.cycle()
        job.finish()
    finally:
        job.program.end()
        job.mend()
    brute_force.check(name, lines_in(tmp_path / "out"))


class Job:
    """A job through all its starts; ``cluster``: where it runs, None: on this machine alone."""

    def __init__(self, name, folder, batch, chance, cluster=None):
        self._name = name
        self._batch = batch
        self._folder = folder
        self._chance = chance
        self._cluster = cluster
        self._checkpoints = 0
        self._log = folder / "log"
        self._savepoint = ()
        self.program = self._started(2)

    @property
    def _checkpoint(self):
        return self._folder / f"checkpoint-{self._checkpoints}"

    def cycle(self):
        """Kill something behind a step of a batch; if the job has ended of it, start it again."""
        if self.program.exit_code is not None:
            self._start_again()
        step = self._wait_for(self._chance.choice(STEPS))
        time.sleep(self._chance.choice([0, 0.01, 0.1, self._chance.uniform(0, 1)]))
        killed = []
        while not killed and self.program.exit_code is None:  # between two batches there may be no worker
            victims = VICTIMS if self._cluster is None else CLUSTER_VICTIMS
            killed = self.program.kill(self._chance.choice(victims), self._chance)
        assert killed, f"the job has ended by itself:\n{self._said()}"
        print(f"killed {' and '.join(killed)} behind {step} of checkpoint {self._checkpoints}")
        self._settle(killed)

    def finish(self):
        """Let it come to its end."""
        for _ in range(3):  # what was killed last may still make it fail
            if self.program.exit_code is None:
                self._wait(lambda: self.program.exit_code is not None, "come to its end")
            if self.program.exit_code == 0:
                return
            self._start_again(rescale=False)
        pytest.fail(f"the job does not end:\n{self._said()}")

    def _settle(self, killed):
        """Wait until the job has gone on after all, or has ended."""
        if "machine" in killed:
            self._wait(self._lacks_machines, "lose the machine that has died")
            self.mend()
        if killed != ["worker"]:
            before = self._commits()
            self._wait(lambda: self.program.exit_code is not None or self._commits() > before, "go on, or end")
        if self.program.exit_code is not None:
            self.program.end()  # Java may outlive it for a moment

    def _lacks_machines(self):
        there = self._cluster.workers()
        return there is not None and len(there) < len(HOSTS)

    def mend(self):
        """Start what is missing of the cluster."""
        if self._cluster is not None:
            self._cluster.make_whole()

    def _start_again(self, *, rescale=None):
        assert self.program.exit_code != 0, "the job was over before all kills"
        if rescale is None:
            # One that is still being made of another checkpoint has its commits, and no layout, which comes last.
            is_whole = (self._checkpoint / LAYOUT).exists() and self._commits() >= 0
            rescale = is_whole and self._chance.random() < 0.4
        if not rescale:
            self.program = self._started(self._parallelism)
            return
        savepoint = self._checkpoint
        self._checkpoints += 1
        self.program = self._started(self._chance.choice([1, 2, 3]), savepoint)

    def _started(self, parallelism, savepoint=None):
        self._parallelism = parallelism
        if savepoint is not None:
            self._savepoint = (savepoint,)
        out = self._folder / "out"
        arguments = (self._name, self._checkpoint, out, self._batch, parallelism, *self._savepoint)
        if self._cluster is None:
            return Program("tests.chaos.programs", *arguments, log=self._log)
        settings = {
            **self._cluster.settings,
            "spark.executorEnv.PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
            "spark.python.daemon.module": "windrow.runtime.spark.daemon",
        }
        variables = {"WINDROW_CHAOS_SETTINGS": json.dumps(settings)}
        return ClusterProgram("tests.chaos.programs", *arguments, log=self._log, variables=variables)

    def _wait_for(self, step):
        folder = self._checkpoint / step

        def files():  # hundreds of times in a batch, beside it
            return sum(len(names) for _, _, names in os.walk(folder))

        before = files()
        self._wait(lambda: files() != before or self.program.exit_code is not None, f"write to {step}")
        assert self.program.exit_code != 0, "the job was over before all kills"
        return step

    def _wait(self, happens, what):
        deadline = time.monotonic() + SECONDS
        while not happens():
            assert time.monotonic() < deadline, f"the job does not {what}:\n{self._said()}"
            time.sleep(0.01)

    def _commits(self):
        names = [path.name for path in (self._checkpoint / "spark" / "commits").glob("*")]
        return max([int(name) for name in names if name.isdigit()], default=-1)

    def _said(self):
        return self._log.read_text(errors="replace")[-3000:]


def chances():
    """Random numbers, and what they begin with: WINDROW_CHAOS_SEED, else any."""
    seed = int(os.environ.get("WINDROW_CHAOS_SEED", random.randrange(10**6)))
    return seed, random.Random(seed)
