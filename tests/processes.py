"""The processes of a program on Spark, as victims: its own, Java's, Spark's daemon of Python workers, and these.

On a cluster there are executors as well, which have daemon and workers, and what starts them on each machine.
"""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

#: One of them, two of them, or all of a machine at once.
VICTIMS = ("worker", "daemon", "java", "program", "all", "worker and java", "daemon and program")
#: The same on a cluster: an executor, what has started it (``machine``), daemons and workers of executors.
CLUSTER_VICTIMS = (
    "executor",
    "machine",
    "worker",
    "daemon",
    "program",
    "all",
    "executor and machine",
    "machine and java",
)
ROOT = Path(__file__).parents[1]
_DAEMON = "windrow.runtime.spark.daemon"
_MACHINE, _EXECUTOR = "org.apache.spark.deploy.worker.Worker", "CoarseGrainedExecutorBackend"


class Program:
    """A program in a process group of its own.

    Args:
        module: The module that is run, with the arguments.
        log: The file of what it says.
        variables: Variables of its environment, besides those of the tests.
    """

    def __init__(self, module, *arguments, log, variables=None):
        self.log = log
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", module, *map(str, arguments)],
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                cwd=ROOT,
                env={**os.environ, **(variables or {})},
            )

    @property
    def exit_code(self):
        """None while it runs."""
        return self._process.poll()

    def kill(self, victims, chance):
        """Kill them, by SIGKILL; tell which there were: a worker, say, is not there between two batches."""
        if victims == "all":
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            return ["all"]
        killed = []
        for victim in victims.split(" and "):
            found = self.found(victim)
            if found:
                with suppress(ProcessLookupError):
                    os.kill(chance.choice(found), signal.SIGKILL)
                    killed.append(victim)
        if "program" in killed:
            self._process.wait()
        return killed

    def end(self):
        """Kill all of it that is left."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def found(self, victim):
        """The processes of this kind that there are: program, java, daemon, worker; python: all of these but Java."""
        if victim == "program":
            return [self._process.pid]
        return self._of_kind(victim, _below(self._process.pid))

    @staticmethod
    def _of_kind(victim, below):
        # Java's command has the name of the daemon's module as a setting.
        daemons = [pid for pid in below if _DAEMON in _command(pid) and not _is_java(pid)]
        workers = [pid for pid in daemons if _parent(pid) in daemons]
        if victim in ("java", "python"):
            return [pid for pid in below if _is_java(pid) == (victim == "java")]
        return workers if victim == "worker" else [pid for pid in daemons if pid not in workers]


class ClusterProgram(Program):
    """One whose executors are on the cluster that this process has started."""

    def found(self, victim):
        """The processes of this kind that there are: executor, machine, and those of any program."""
        if victim in ("program", "java"):
            return super().found(victim)
        java = [pid for pid in _below(os.getpid()) if _is_java(pid)]
        if victim == "machine":
            return [pid for pid in java if _MACHINE in _command(pid)]
        executors = [pid for pid in java if _EXECUTOR in _command(pid)]
        if victim == "executor":
            return executors
        return self._of_kind(victim, [pid for executor in executors for pid in _below(executor)])


def _is_java(pid):
    return _command(pid).split("\0")[0].endswith("java")


def _below(pid):
    """All processes that a process has started, and they."""
    children = {}
    for each in Path("/proc").iterdir():
        if each.name.isdigit():
            children.setdefault(_parent(int(each.name)), []).append(int(each.name))
    found, waiting = [], [pid]
    while waiting:
        more = children.get(waiting.pop(), [])
        found += more
        waiting += more
    return found


def _parent(pid):
    with suppress(OSError, IndexError, ValueError):
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return None


def _command(pid):
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text()
    return ""
