"""A password or key that is asked for when a job starts, and is shown nowhere."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from windrow.common.checks import described, text
from windrow.errors import ConfigurationError, ConfigurationTypeError


class Secret:
    """Stands for a password or key in the properties of a source or sink.

    The program asks for it when it makes a client, and whenever a job starts, for the workers: a job that is started
    again gets the one of then. It goes to workers with the functions of the job, and is in no plan, message, log or
    checkpoint. State refuses it.

    Args:
        ask: Gives the secret; called in the program's process.

    Raises:
        ConfigurationTypeError: ``ask`` cannot be called.

    Example:
        >>> import os
        >>> os.environ["SHOP_PASSWORD"] = "pa55"
        >>> secret = Secret.env("SHOP_PASSWORD")
        >>> secret, secret.get()
        (Secret(environment variable SHOP_PASSWORD), 'pa55')
        >>> del os.environ["SHOP_PASSWORD"]
        >>> Secret(lambda: "pa55")
        Secret(...)
    """

    __slots__ = ("_ask", "_name")

    def __init__(self, ask: Callable[[], str]) -> None:
        if not callable(ask):
            # Nothing of what was given is shown: it may be the secret itself.
            msg = (
                f"Secret takes a function that gives the secret; got a {type(ask).__name__}: give Secret(lambda: ...), "
                "or name an environment variable with Secret.env"
            )
            raise ConfigurationTypeError(msg)
        self._ask = ask
        self._name = "..."

    @staticmethod
    def env(name: str) -> Secret:
        """The secret in an environment variable of the program's process."""
        made = Secret(_Variable(text(name, "name of Secret.env")))
        made._name = f"environment variable {name}"
        return made

    def get(self) -> str:
        """The secret.

        Raises:
            ConfigurationError: the environment variable is not set, or the function has failed.
            ConfigurationTypeError: the function has given something else than text.
        """
        try:
            value = self._ask()
        except ConfigurationError:
            raise
        except Exception as error:  # whatever the user's function raises
            msg = f"{self!r} cannot be had: its function raised {type(error).__name__}: {error}"
            raise ConfigurationError(msg) from error
        if not isinstance(value, str):
            msg = f"{self!r} must give a str; it has given {described(type(value))}"
            raise ConfigurationTypeError(msg)
        return value

    def __copy__(self) -> Secret:
        return self

    def __deepcopy__(self, _: Any) -> Secret:
        return self

    def __reduce__(self) -> Any:
        return _asked, (self.get(), self._name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and self._ask == other._ask

    def __hash__(self) -> int:
        return hash(self._ask)

    def __repr__(self) -> str:
        return f"Secret({self._name})"


def revealed(value: Any) -> Any:
    """Give the value that a secret stands for; anything else as it is.

    Example:
        >>> revealed(Secret(lambda: "a")), revealed("b")
        ('a', 'b')
    """
    return value.get() if isinstance(value, Secret) else value


class _Variable:
    """Asks for an environment variable."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self) -> str:
        value = os.environ.get(self._name)
        if value is None:
            msg = f"the environment variable {self._name}, which Secret.env names, is not set where the program runs"
            raise ConfigurationError(msg)
        return value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Variable) and self._name == other._name

    def __hash__(self) -> int:
        return hash(self._name)


class _Known:
    """Gives what was asked for."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def __call__(self) -> str:
        return self._value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Known) and self._value == other._value

    def __hash__(self) -> int:
        return hash(self._value)


def _asked(value: str, name: str) -> Secret:
    made = Secret(_Known(value))
    made._name = name
    return made


def known(value: str) -> Secret:
    """A secret that is known already.

    Example:
        >>> known("pa55").get()
        'pa55'
    """
    return _asked(value, "...")
