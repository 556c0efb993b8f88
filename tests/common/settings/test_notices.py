"""What a program is told about its settings."""

import pytest

from windrow.common.settings.notices import Notices
from windrow.errors import ConfigurationError


def test_what_has_no_effect_is_said_once(caplog):
    """The warning names the setting and says why, the first time only."""
    notices = Notices()
    for value in ("5 min", "6 min"):
        notices.check("execution.checkpointing.timeout", value)
    (said,) = caplog.messages
    assert said.startswith("execution.checkpointing.timeout has no effect: every batch ends with a checkpoint")


def test_what_is_done_anyway_is_not_worth_a_word(caplog):
    """A value that asks for what Windrow does in any case is neither warned about nor refused."""
    notices = Notices()
    notices.check("execution.checkpointing.mode", "exactly_once")
    notices.check("execution.state-recovery.ignore-unclaimed-state", "false")
    assert caplog.messages == []


def test_values_are_read():
    """What comes back is the value in its kind; of a name of the program's own, as it was."""
    notices = Notices()
    assert notices.check("pipeline.object-reuse", "TRUE") is True
    assert notices.check("my.setting", "TRUE") == "TRUE"


def test_what_is_refused_is_an_error():
    """The error names setting and value, and says why."""
    with pytest.raises(ConfigurationError, match=r"'pipeline.cached-files' cannot be 'name:a': there is no"):
        Notices().check("pipeline.cached-files", "name:a")
