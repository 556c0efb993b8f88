"""Settings that were once accepted and never read."""

import pytest

from tests.runtime.dependencies.packages import zipped
from tests.trials.trial import Trial, play, rows
from windrow.common import Configuration, RestartStrategies
from windrow.datastream import CustomStateBackend, RuntimeExecutionMode
from windrow.errors import ConfigurationError


def _configured(settings):
    return lambda env, folder: env.configure(Configuration.from_dict(settings))


def _unnamed(env, folder):
    env.get_config().disable_auto_generated_uids()
    env.from_collection([1]).print()
    env.execute()


def _reuse(env, folder):
    env.configure(Configuration.from_dict({"pipeline.object-reuse": "true", "pipeline.name": "trips"}))
    return env.get_config().is_object_reuse_enabled()


def _fails_once(env, folder):
    """Fails at its first attempt only; what it has counted is in a file."""
    seen = folder / "seen"

    def fails_once(number):
        with seen.open("a") as file:
            file.write("x")
        if len(seen.read_text()) == 1:
            raise ValueError(number)
        return number

    env.set_parallelism(1).set_restart_strategy(RestartStrategies.fixed_delay_restart(1, 0))
    return env.from_collection([7]).map(fails_once).execute_and_collect(limit=2)


def _reads_an_archive(env, folder):
    env.add_python_archive(str(zipped(folder / "data.zip", {"data.txt": "2"})), "data")

    def add_from_file(number):
        with open("data/data.txt") as file:
            return number + int(file.read())

    return env.from_collection([1]).map(add_from_file).execute_and_collect(limit=2)


def _from_a_savepoint_in_batch_mode(env, folder):
    settings = {"execution.state-recovery.path": "/savepoint", "execution.checkpointing.dir": str(folder)}
    env.configure(Configuration.from_dict(settings)).set_runtime_mode(RuntimeExecutionMode.BATCH)
    env.from_collection([1]).print()
    env.execute()


def _names_a_jar(env, folder):
    env.add_jars(str(zipped(folder / "a.jar", {})))
    env.from_collection([1]).print()
    env.execute()


TRIALS = [
    Trial(
        "a setting of Windrow's misspelt",
        _configured({"windrow.trigger.intervall": "500"}),
        error=ConfigurationError,
        says="there is no setting 'windrow.trigger.intervall'; did you mean 'windrow.trigger.interval'?",
        runtimes=("local",),
    ),
    Trial(
        "a setting of Flink's misspelt",
        _configured({"paralelism.default": "4"}),
        error=ConfigurationError,
        says="there is no setting 'paralelism.default'; did you mean 'parallelism.default'?",
        runtimes=("local",),
    ),
    Trial(
        "a parallelism in words",
        _configured({"parallelism.default": "two"}),
        error=ConfigurationError,
        says="setting 'parallelism.default' is read as a whole number from 1; it is 'two'",
        runtimes=("local",),
    ),
    Trial(
        "files for a distributed cache",
        _configured({"pipeline.cached-files": "name:a,path:/a"}),
        error=ConfigurationError,
        says=(
            "setting 'pipeline.cached-files' cannot be 'name:a,path:/a': there is no distributed cache; python.archives"
            " brings files to functions"
        ),
        runtimes=("local",),
    ),
    Trial(
        "a state backend in Java",
        lambda env, folder: env.set_state_backend(CustomStateBackend("com.example.Backend")),
        error=ConfigurationError,
        says=(
            "setting 'state.backend.type' is read as one of hashmap, rocksdb, forst, filesystem, jobmanager; it is "
            "'com.example.Backend'"
        ),
        runtimes=("local",),
    ),
    Trial(
        "a sink without a uid where uids are not made up",
        _unnamed,
        error=ConfigurationError,
        says="auto-generated uids are disabled, and 'Print to Std. Out' has none; give it one with uid(...)",
    ),
    Trial("a job that fails once and is to be started again", _fails_once, gives=[7]),
    Trial("an archive that functions read", _reads_an_archive, gives=[3]),
    Trial(
        "a jar for a session that runs already",
        _names_a_jar,
        error=ConfigurationError,
        says=(
            "pipeline.jars names '{tmp}/a.jar', and the Spark session runs already without it; give it to the session "
            "when it is started (spark.jars), or let Windrow start one"
        ),
        runtimes=("spark",),
    ),
    Trial(
        "a fraction where a whole number is read",
        lambda env, folder: Configuration().set_float("k", 1.5).get_integer("k", 0),
        error=ConfigurationError,
        says="setting 'k' is read as int; it is 1.5",
        runtimes=("local",),
    ),
    Trial(
        "a savepoint for a job in BATCH mode",
        _from_a_savepoint_in_batch_mode,
        error=ConfigurationError,
        says=(
            "execution.state-recovery.path is '/savepoint', and a job in BATCH mode starts from no savepoint; run it"
            " in STREAMING"
        ),
        runtimes=("spark",),
    ),
    Trial(
        "a savepoint for a job on the local runtime",
        _from_a_savepoint_in_batch_mode,
        error=ConfigurationError,
        says=(
            "execution.state-recovery.path is '/savepoint', and the local runtime starts from no savepoint; run the"
            " job on Spark"
        ),
        runtimes=("local",),
    ),
    Trial("object reuse in a configuration", _reuse, gives=True, runtimes=("local",)),
]


@pytest.mark.parametrize(("runtime", "trial"), rows(TRIALS))
def test_no_setting_is_ignored_in_silence(trial, env, tmp_path):
    """A setting does what it says, or somebody is told that it does not."""
    play(trial, env, tmp_path)
