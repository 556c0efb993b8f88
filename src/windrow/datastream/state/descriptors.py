"""Descriptors of state: what a user function asks its ``RuntimeContext`` for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windrow.common.typeinfo import DeclaredType, TypeInformation, as_type_information
from windrow.datastream.state.ttl import StateTtlConfig
from windrow.errors import ConfigurationError, ConfigurationTypeError

if TYPE_CHECKING:  # functions take descriptors, so this module must load without them
    from windrow.datastream.functions.simple import AggregateFunction, ReduceFunction


class StateDescriptor:
    """Name and type of a piece of state; the name tells it apart from the function's other state.

    Values are stored as they are: the type says what is meant, and nothing is converted to it.

    Args:
        name: the name, which must stay the same for state to be found again after a restart.
        type_info: the type of what is stored; None for any Python object.

    Raises:
        ConfigurationError: the name is not a non-empty string.
    """

    def __init__(self, name: str, type_info: DeclaredType = None) -> None:
        if not isinstance(name, str) or not name:
            msg = f"the name of a {type(self).__name__} must be a non-empty string; got {name!r}"
            raise ConfigurationError(msg)
        self.name = name
        self.type_info: TypeInformation = as_type_information(type_info, f"the type of state {name!r}")
        self._ttl_config = StateTtlConfig.DISABLED

    def get_name(self) -> str:
        return self.name

    def enable_time_to_live(self, ttl_config: StateTtlConfig) -> None:
        """Let the state expire; call it before the state is asked for.

        It holds for keyed state of all five kinds. Broadcast state does not expire, whatever its descriptor says, as
        in Flink.

        Raises:
            ConfigurationTypeError: ``ttl_config`` was not made by ``StateTtlConfig.new_builder(...).build()``.

        Example:
            >>> from windrow.common import Time
            >>> visits = ValueStateDescriptor("visits")
            >>> visits.enable_time_to_live(StateTtlConfig.new_builder(Time.hours(1)).build())
            >>> visits.get_ttl_config().get_ttl()
            Time(3600000)
        """
        if not isinstance(ttl_config, StateTtlConfig):
            hint = ": call build() on it" if isinstance(ttl_config, StateTtlConfig.Builder) else ""
            msg = f"enable_time_to_live of state {self.name!r} takes a StateTtlConfig; got {ttl_config!r}{hint}"
            raise ConfigurationTypeError(msg)
        self._ttl_config = ttl_config

    def get_ttl_config(self) -> StateTtlConfig:
        """The time to live; ``StateTtlConfig.DISABLED`` unless one was set."""
        return self._ttl_config

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


class ValueStateDescriptor(StateDescriptor):
    """Describes a :class:`ValueState`.

    Example:
        >>> from windrow.common import Types
        >>> ValueStateDescriptor("last seen", Types.LONG()).get_name()
        'last seen'
    """

    def __init__(self, name: str, value_type_info: DeclaredType = None) -> None:
        super().__init__(name, value_type_info)


class ListStateDescriptor(StateDescriptor):
    """Describes a :class:`ListState`; the type is that of an element.

    Example:
        >>> from windrow.common import Types
        >>> ListStateDescriptor("pages", Types.STRING()).get_name()
        'pages'
    """

    def __init__(self, name: str, elem_type_info: DeclaredType = None) -> None:
        super().__init__(name, elem_type_info)


class MapStateDescriptor(StateDescriptor):
    """Describes a :class:`MapState` or broadcast state.

    Example:
        >>> from windrow.common import Types
        >>> MapStateDescriptor("prices", Types.STRING(), Types.INT()).get_name()
        'prices'
    """

    def __init__(self, name: str, key_type_info: DeclaredType = None, value_type_info: DeclaredType = None) -> None:
        super().__init__(name, value_type_info)
        self.key_type_info: TypeInformation = as_type_information(key_type_info, f"the key type of state {name!r}")


class ReducingStateDescriptor(StateDescriptor):
    """Describes a :class:`ReducingState`; the reduce function may be a class or a plain function of two values.

    Raises:
        ConfigurationTypeError: the function is neither.

    Example:
        >>> ReducingStateDescriptor("greatest", max).get_reduce_function().reduce(1, 2)
        2
    """

    def __init__(self, name: str, reduce_function: Any, type_info: DeclaredType = None) -> None:
        super().__init__(name, type_info)
        from windrow.datastream.functions.simple import as_reduce_function

        self._reduce_function = as_reduce_function(reduce_function, f"state {name!r}")

    def get_reduce_function(self) -> ReduceFunction:
        return self._reduce_function


class AggregatingStateDescriptor(StateDescriptor):
    """Describes an :class:`AggregatingState`; the type is that of the accumulator.

    Raises:
        ConfigurationTypeError: the function is no ``AggregateFunction``, or one of tables, which windows alone make.
    """

    def __init__(self, name: str, agg_function: AggregateFunction, state_type_info: DeclaredType = None) -> None:
        super().__init__(name, state_type_info)
        from windrow.datastream.functions.arrow import ArrowAggregateFunction
        from windrow.datastream.functions.simple import AggregateFunction

        if not isinstance(agg_function, AggregateFunction):
            msg = f"state {name!r} takes an AggregateFunction; got {agg_function!r}"
            raise ConfigurationTypeError(msg)
        if isinstance(agg_function, ArrowAggregateFunction):
            msg = (
                f"state {name!r} adds one value at a time, and {type(agg_function).__name__} takes tables, which "
                "windows alone make of their elements; make it an AggregateFunction"
            )
            raise ConfigurationTypeError(msg)
        self._agg_function = agg_function

    def get_agg_function(self) -> AggregateFunction:
        return self._agg_function
