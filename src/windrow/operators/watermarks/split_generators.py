"""The watermark generators of several splits, and what their watermarks combine to."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from windrow.common.watermark import WatermarkOutput
from windrow.operators.watermarks.multiplexer import WatermarkOutputMultiplexer

NameT = TypeVar("NameT", bound=Hashable)
"""Type of the splits' names."""
GeneratorT = TypeVar("GeneratorT")
"""Type of what makes the watermarks of a split."""


@dataclass
class SplitGenerator(Generic[GeneratorT]):
    """The watermark generator of one split, and the outputs that its watermarks go to."""

    generator: GeneratorT
    #: For what is emitted with an element: all watermarks are combined at once.
    immediate: WatermarkOutput
    #: For what is emitted when all splits are asked: it waits for the combination at the end.
    deferred: WatermarkOutput


class SplitGenerators(Generic[NameT, GeneratorT]):
    """A generator for each split; the watermark is the least of the splits that are not idle.

    It never falls: a split that comes later, with elements from further back, holds it where it is until it has caught
    up. Used for the splits of a reader, and for those that come mixed in one stream.

    Args:
        make_generator: Makes the generator of a split.
        output: Takes the combined watermark, and that all splits are idle.

    Example:
        >>> from windrow.common.watermark import Watermark
        >>> from windrow.operators.watermarks.emitter import WatermarkEmitter
        >>> emitter = WatermarkEmitter()
        >>> splits = SplitGenerators(list, emitter)
        >>> for name, watermark in (("a", 7), ("b", 5)):
        ...     splits.add(name).deferred.emit_watermark(Watermark(watermark))
        >>> splits.combine()
        >>> emitter.pending
        [5]
    """

    def __init__(self, make_generator: Callable[[], GeneratorT], output: WatermarkOutput) -> None:
        self._make_generator = make_generator
        self._multiplexer = WatermarkOutputMultiplexer(output)
        self._splits: dict[NameT, SplitGenerator[GeneratorT]] = {}

    def __contains__(self, name: NameT) -> bool:
        return name in self._splits

    def __iter__(self) -> Iterator[NameT]:
        return iter(self._splits)

    def __len__(self) -> int:
        return len(self._splits)

    def generators(self) -> Iterator[tuple[NameT, GeneratorT]]:
        """Give the splits with their generators, in the order in which they came."""
        return ((name, split.generator) for name, split in self._splits.items())

    def get(self, name: NameT) -> SplitGenerator[GeneratorT] | None:
        """Find a split; None: it is not known."""
        return self._splits.get(name)

    def add(self, name: NameT) -> SplitGenerator[GeneratorT]:
        """Add a split, which holds the watermark where it is until it has one itself or is idle."""
        generator = self._make_generator()
        self._multiplexer.register_new_output(name)
        return self._connect(name, generator)

    def remove(self, name: NameT) -> bool:
        """Take a split away, which holds nothing back any more; whether it was there."""
        if self._splits.pop(name, None) is None:
            return False
        self._multiplexer.unregister_output(name)
        self._multiplexer.on_periodic_emit()
        return True

    def ask(self, ask: Callable[[GeneratorT, WatermarkOutput], None]) -> None:
        """Call ``ask`` with each generator and its output, then combine."""
        for split in self._splits.values():
            ask(split.generator, split.deferred)
        self.combine()

    def combine(self) -> None:
        """Combine all watermarks, and emit what comes of it."""
        self._multiplexer.on_periodic_emit()

    def active_watermarks(self) -> dict[NameT, int]:
        """Give the watermarks of the splits that are not idle; -2^63: it has none yet."""
        return self._multiplexer.active_watermarks()

    def statuses(self) -> dict[NameT, tuple[int, bool]]:
        """Give the watermark of each split, -2^63 if it has none yet, and whether it is idle."""
        return self._multiplexer.statuses()

    def snapshot(self, of_generator: Callable[[GeneratorT], Any]) -> tuple[dict[NameT, Any], Any]:
        """Give the state of each generator, and of what they combine to."""
        return {name: of_generator(generator) for name, generator in self.generators()}, self._multiplexer.snapshot()

    def restore(self, states: dict[NameT, Any], combined: Any, into: Callable[[GeneratorT, Any], None]) -> None:
        """Take back what :meth:`snapshot` gave."""
        self._multiplexer.restore(combined)
        self._splits = {}
        for name, state in states.items():
            into(self._connect(name, self._make_generator()).generator, state)

    def _connect(self, name: NameT, generator: GeneratorT) -> SplitGenerator[GeneratorT]:
        multiplexer = self._multiplexer
        split = SplitGenerator(generator, multiplexer.get_immediate_output(name), multiplexer.get_deferred_output(name))
        self._splits[name] = split
        return split
