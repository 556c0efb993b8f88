"""The data generator source."""

from __future__ import annotations

from typing import Any

from windrow.common.limits import LONG_MAX
from windrow.common.typeinfo import DeclaredType, as_type_information
from windrow.connectors.datagen.generator_function import Generator, GeneratorFunction
from windrow.connectors.datagen.rate_limiter import RateLimiterStrategy
from windrow.connectors.datagen.reader import GeneratorReader, NumberRange
from windrow.connectors.source import Boundedness, Source, SourceReaderContext, SplitEnumeratorContext
from windrow.connectors.source.fixed_splits import FixedSplitsEnumerator
from windrow.errors import ConfigurationError, ConfigurationTypeError

#: A count that means: without end.
NO_END = LONG_MAX


class DataGeneratorSource(Source[Any, NumberRange, dict[int, list[NumberRange]]]):
    """Elements made of the numbers from 0 on.

    Flink's ``org.apache.flink.connector.datagen.source.DataGeneratorSource``.
    Each reader has a range of consecutive numbers and gives their elements in order; with parallelism 1 the elements
    come in the order of the numbers. A restart goes on behind the last number whose element is in the checkpoint.

    Args:
        generator_function: Takes a number and gives the element; a :class:`GeneratorFunction` or a plain callable. It
            should give the same element whenever it is called with the same number.
        count: How many elements; 2^63 - 1 makes a source without end. (In Flink such a source calls itself bounded.)
        rate_limiter_strategy: How fast they come; None is as fast as it goes.
        type_info: Their type; None says nothing about it.

    Raises:
        ConfigurationTypeError: an argument is of another type.
        ConfigurationError: ``count`` is not between 1 and 2^63 - 1.

    Example:
        >>> DataGeneratorSource(lambda number: f"event {number}", 10, RateLimiterStrategy.per_second(100)).bounded
        True
    """

    def __init__(
        self,
        generator_function: Generator,
        count: int = NO_END,
        rate_limiter_strategy: RateLimiterStrategy | None = None,
        type_info: DeclaredType = None,
    ) -> None:
        _check(generator_function, count, rate_limiter_strategy)
        self._function = generator_function
        self._count = count
        self._strategy = rate_limiter_strategy or RateLimiterStrategy.no_op()
        if type_info is not None:
            self.produced_type = as_type_information(type_info, "type_info of a DataGeneratorSource")

    def get_boundedness(self) -> Boundedness:
        return Boundedness.CONTINUOUS_UNBOUNDED if self._count == NO_END else Boundedness.BOUNDED

    def create_enumerator(
        self, enum_context: SplitEnumeratorContext[NumberRange]
    ) -> FixedSplitsEnumerator[NumberRange]:
        ranges = NumberRange(0, self._count).divided(enum_context.current_parallelism())
        return FixedSplitsEnumerator(enum_context, {reader: [one] for reader, one in enumerate(ranges)})

    def restore_enumerator(
        self, enum_context: SplitEnumeratorContext[NumberRange], checkpoint: dict[int, list[NumberRange]]
    ) -> FixedSplitsEnumerator[NumberRange]:
        return FixedSplitsEnumerator(enum_context, checkpoint)

    def create_reader(self, reader_context: SourceReaderContext) -> GeneratorReader:
        limiter = self._strategy.create_rate_limiter(reader_context.current_parallelism())
        return GeneratorReader(self._function, limiter, reader_context)

    def __repr__(self) -> str:
        return f"DataGeneratorSource({self._function!r}, {self._count}, {self._strategy!r})"


def _check(function: Any, count: Any, strategy: Any) -> None:
    is_class = isinstance(function, type) and issubclass(function, GeneratorFunction)
    if is_class or not (isinstance(function, GeneratorFunction) or callable(function)):
        msg = f"generator_function must be a GeneratorFunction or a function of a number; got {function!r}"
        raise ConfigurationTypeError(msg)
    if isinstance(count, bool) or not isinstance(count, int):
        msg = f"count of a DataGeneratorSource must be an int; got {count!r} ({type(count).__name__})"
        raise ConfigurationTypeError(msg)
    if not 1 <= count <= LONG_MAX:
        msg = f"count of a DataGeneratorSource must be between 1 and 2^63 - 1; got {count}"
        raise ConfigurationError(msg)
    if strategy is not None and not isinstance(strategy, RateLimiterStrategy):
        msg = (
            "rate_limiter_strategy must be a RateLimiterStrategy such as RateLimiterStrategy.per_second(100); got "
            f"{strategy!r} ({type(strategy).__name__})"
        )
        raise ConfigurationTypeError(msg)
