"""The sources of a hybrid source: given, or made when they are needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from windrow.connectors.source import Boundedness, Source, SplitEnumerator
from windrow.errors import ConfigurationError, ConfigurationTypeError, UsageError, shorten


class SourceSwitchContext:
    """Tells a source factory of the source before (Flink's ``HybridSource.SourceSwitchContext``)."""

    def __init__(self, previous_enumerator: SplitEnumerator[Any, Any] | None) -> None:
        self._previous_enumerator = previous_enumerator

    def get_previous_enumerator(self) -> Any:
        """The enumerator of the source before this one, which has been read to its end; None for the first source."""
        return self._previous_enumerator


#: Makes a source when the one before it has been read (Flink's ``HybridSource.SourceFactory``).
SourceFactory: TypeAlias = Callable[[SourceSwitchContext], Source[Any, Any, Any]]


@dataclass(frozen=True)
class SourceListEntry:
    """A source, or what makes it and whether what it makes ends."""

    given: Source[Any, Any, Any] | SourceFactory
    boundedness: Boundedness

    @staticmethod
    def of(source: Any, boundedness: Boundedness | None) -> SourceListEntry:
        """The entry for what a program gave.

        Raises:
            ConfigurationTypeError: it is neither a source nor a factory, or one of another kind than it must be.
            ConfigurationError: it does not say whether the source of a factory ends.
        """
        if isinstance(source, Source):
            if boundedness not in (None, source.get_boundedness()):
                msg = f"{source!r} is {source.get_boundedness()}, and add_source was given {boundedness}; leave it out"
                raise ConfigurationError(msg)
            return SourceListEntry(source, source.get_boundedness())
        if isinstance(source, type) or not callable(source):
            msg = (
                "a hybrid source takes sources of windrow.connectors.source, bounded ones such as a FileSource, and "
                f"functions that make them; got {shorten(source)} ({type(source).__name__})"
            )
            raise ConfigurationTypeError(msg)
        if not isinstance(boundedness, Boundedness):
            msg = (
                "add_source takes the boundedness of the source that a factory will make, such as "
                f"Boundedness.CONTINUOUS_UNBOUNDED, as its second argument; got {boundedness!r}"
            )
            raise ConfigurationError(msg)
        return SourceListEntry(source, boundedness)

    @property
    def is_given(self) -> bool:
        """True if the source is there already."""
        return isinstance(self.given, Source)

    def source(self) -> Source[Any, Any, Any]:
        """The source that is there already."""
        assert isinstance(self.given, Source)
        return self.given

    def make(self, context: SourceSwitchContext) -> Source[Any, Any, Any]:
        """The source, made if it is not there yet.

        Raises:
            UsageError: the factory has made something else than it was said to make.
        """
        if isinstance(self.given, Source):
            return self.given
        made: Any = self.given(context)
        if not isinstance(made, Source) or made.get_boundedness() is not self.boundedness:
            msg = f"a source factory of a hybrid source must return a source that is {self.boundedness}; got {made!r}"
            raise UsageError(msg)
        return made
