"""The accumulators that the functions of one operator, in one subtask, have registered."""

from __future__ import annotations

from typing import Any, TypeVar

from windrow.common.accumulators import Accumulator
from windrow.common.accumulators.number import NumberAccumulator
from windrow.errors import ConfigurationTypeError, UsageError

AnyAccumulator = Accumulator[Any, Any]
A = TypeVar("A", bound=AnyAccumulator)


class AccumulatorRegistry:
    """Accumulators by name. What has been added to them is handed over part by part.

    Args:
        operator: the operator's name, for error messages.
    """

    def __init__(self, operator: str) -> None:
        self._operator = operator
        self._accumulators: dict[str, AnyAccumulator] = {}

    def add(self, name: str, accumulator: AnyAccumulator) -> None:
        """Register an accumulator.

        Raises:
            ConfigurationTypeError: it is none, or the name is no text.
            UsageError: the name is taken.
        """
        if not isinstance(name, str) or not name:
            msg = f"operator {self._operator!r}: an accumulator's name is a text that is not empty; got {name!r}"
            raise ConfigurationTypeError(msg)
        if not isinstance(accumulator, Accumulator):
            msg = (
                f"operator {self._operator!r}: add_accumulator({name!r}, ...) takes an Accumulator object; got "
                f"{accumulator!r} ({type(accumulator).__name__})"
            )
            raise ConfigurationTypeError(msg)
        if name in self._accumulators:
            msg = (
                f"accumulator {name!r} is registered in operator {self._operator!r} already; add it once, in open(), "
                f"or ask for it with get_accumulator({name!r})"
            )
            raise UsageError(msg)
        if isinstance(accumulator, NumberAccumulator):
            accumulator.name = name
        self._accumulators[name] = accumulator

    def get(self, name: str) -> AnyAccumulator | None:
        """The accumulator of that name; None if there is none."""
        return self._accumulators.get(name)

    def get_or_add(self, name: str, kind: type[A]) -> A:
        """The accumulator of that name; if there is none, a new one.

        Raises:
            UsageError: it is not of that kind.
        """
        found = self._accumulators.get(name)
        if found is None:
            made = kind()
            self.add(name, made)
            return made
        if not isinstance(found, kind):
            msg = (
                f"accumulator {name!r} of operator {self._operator!r} is of type {type(found).__name__}, and it was "
                f"asked for as {kind.__name__}; use one type for a name, or another name"
            )
            raise UsageError(msg)
        return found

    def parts(self) -> dict[str, AnyAccumulator]:
        """Copies of all accumulators: what was added since :meth:`reset`."""
        return {name: accumulator.clone() for name, accumulator in list(self._accumulators.items())}

    def reset(self) -> None:
        """Forget what was added: it was handed over, or the run that added it has failed."""
        for accumulator in self._accumulators.values():
            accumulator.reset_local()
