"""Settings that are taken back."""

import pytest

from windrow.common import Configuration
from windrow.common.settings.table import TABLE
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.environment.undoable import UndoableSettings

ROWS = [row for row in TABLE if row.setter is not None and not row.is_prefix]


def state(env):
    """All that settings can change."""
    owners = (env, env.get_config(), env.get_checkpoint_config())
    return [{**vars(owner)} for owner in owners] + [dict(env.get_config()._switches), env.get_configuration()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.key)
def test_each_setting_that_has_a_setter_is_taken_back(row):
    """Nothing is left of it."""
    env = StreamExecutionEnvironment.get_execution_environment()
    before, undoable = state(env), UndoableSettings(env)
    with undoable.recorded():
        env.configure(Configuration.from_dict({row.key: row.example}))
    assert state(env) != before
    undoable.undo()
    assert state(env) == before


def test_other_changes_stay():
    """What is set while nothing is recorded is the program's own."""
    env = StreamExecutionEnvironment.get_execution_environment()
    undoable = UndoableSettings(env)
    with undoable.recorded():
        env.configure(Configuration.from_dict({"pipeline.max-parallelism": "64"}))
    env.configure(Configuration.from_dict({"parallelism.default": "3", "my.own": "7"}))
    undoable.undo()
    assert env.get_max_parallelism() == -1
    assert env.get_parallelism() == 3
    assert env.get_configuration().to_dict() == {"parallelism.default": "3", "my.own": "7"}
