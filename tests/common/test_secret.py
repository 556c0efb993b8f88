"""A secret is asked for when a job starts, goes to the workers, and is shown and stored nowhere."""

import copy
import pickle

import cloudpickle
import pytest

from windrow.common import Secret
from windrow.common.secret import known, revealed
from windrow.elements.stored import dumps, dumps_with_code
from windrow.errors import ConfigurationError, ConfigurationTypeError, UsageError


def test_a_variable_is_read_when_it_is_asked_for(monkeypatch):
    """A job that is started again gets what it is then; one that is not there is named."""
    secret = Secret.env("SHOP_PASSWORD")
    monkeypatch.delenv("SHOP_PASSWORD", raising=False)
    with pytest.raises(ConfigurationError, match=r"the environment variable SHOP_PASSWORD, which Secret\.env names"):
        secret.get()
    for value in ("old", "new"):
        monkeypatch.setenv("SHOP_PASSWORD", value)
        assert (secret.get(), revealed([secret][0])) == (value, value)


@pytest.mark.parametrize("pickled", [pickle.dumps, cloudpickle.dumps])
def test_workers_get_what_it_was_when_it_was_sent(pickled, monkeypatch):
    """They have neither the program's environment nor its functions."""
    asked = []
    monkeypatch.setenv("SHOP_PASSWORD", "pa55")
    secrets = {"env": Secret.env("SHOP_PASSWORD"), "function": Secret(lambda: asked.append(1) or "word")}
    sent = pickled(secrets)
    monkeypatch.delenv("SHOP_PASSWORD")
    arrived = pickle.loads(sent)
    assert [arrived["env"].get(), arrived["function"].get(), len(asked)] == ["pa55", "word", 1]
    assert pickle.loads(pickle.dumps(arrived)) == arrived
    assert "pa55" not in repr(arrived)


@pytest.mark.parametrize("shown", [repr, str, "{}".format, "%s".__mod__])
def test_it_is_not_shown(shown):
    """However it is shown; a variable's name is."""
    assert shown(known("pa55")) == "Secret(...)"
    assert shown(Secret.env("SHOP_PASSWORD")) == "Secret(environment variable SHOP_PASSWORD)"


@pytest.mark.parametrize("write", [dumps, dumps_with_code])
def test_state_refuses_it(write):
    """Nothing of it gets into a checkpoint."""
    with pytest.raises(UsageError, match=r"Secret\(\.\.\.\) is not stored"):
        write({"in": [known("pa55")]})


def test_wrong_use_shows_nothing():
    """What was given may be the secret itself."""
    with pytest.raises(ConfigurationTypeError, match="got a str: give Secret") as raised:
        Secret("pa55")
    assert "pa55" not in str(raised.value)
    with pytest.raises(ConfigurationTypeError, match=r"Secret\(\.\.\.\) must give a str; it has given the class bytes"):
        Secret(lambda: b"pa55").get()
    with pytest.raises(ConfigurationTypeError, match=r"name of Secret\.env"):
        Secret.env(7)


def test_two_of_the_same_are_equal():
    """Clients are shared by those whose settings are equal."""
    assert Secret.env("A") == Secret.env("A") != Secret.env("B")
    assert known("a") == known("a") != known("b")
    assert len({Secret.env("A"), Secret.env("A"), known("a")}) == 2


def test_a_function_that_fails_is_named():
    """With what it has raised."""
    secret = Secret(lambda: open("/nowhere/at all").read())  # noqa: SIM115
    with pytest.raises(ConfigurationError, match="cannot be had: its function raised FileNotFoundError"):
        pickle.dumps(secret)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_copy_asks_for_nothing(copied):
    """Functions are copied for each subtask, and to explain a job."""
    secret = Secret(lambda: pytest.fail("it was asked for"))
    assert copied(secret) is secret
