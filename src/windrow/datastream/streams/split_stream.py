"""A stream split by names (of Flink 1.x)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from windrow.common.checks import text
from windrow.datastream.functions import OutputSelector
from windrow.datastream.functions.checks import function_of
from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.keys import has_lifecycle
from windrow.datastream.streams.program import factory
from windrow.errors import ConfigurationError
from windrow.graph.transformations import SideOutputTransformation
from windrow.operators.split import Selections, SplitOperator


class SplitStream(DataStream):
    """A stream whose elements have names of outputs (``SplitStream`` of Flink 1.x); :meth:`select` takes some of them.

    A thin layer over side outputs, which newer programs use themselves. As a stream it is all elements, whatever their
    names.

    Args:
        stream: The stream.
        output_selector: An ``OutputSelector`` or a function of an element that gives its names.

    Raises:
        ConfigurationTypeError: ``output_selector`` is something else.

    Example:
        >>> from windrow.common import Configuration
        >>> from windrow.datastream import StreamExecutionEnvironment
        >>> local = Configuration().set_string("windrow.runtime", "local")
        >>> env = StreamExecutionEnvironment.get_execution_environment(local)
        >>> numbers = env.from_collection([1, 2, 3]).split(lambda n: ["odd"] if n % 2 else ["even"])
        >>> numbers.select("odd").execute_and_collect(limit=9)
        [1, 3]
    """

    def __init__(
        self, stream: DataStream, output_selector: OutputSelector | Callable[[Any], Iterable[str] | None]
    ) -> None:
        selector = function_of(output_selector, OutputSelector, "split")
        self._selections: Selections = {}
        make = factory(SplitOperator, selector, self._selections)
        stateless = not has_lifecycle(selector)
        operator = stream._transform("Split", make, stream.get_type(), stateless=stateless, convert=False)
        super().__init__(stream.get_execution_environment(), operator._transformation)

    def select(self, *output_names: str) -> DataStream:
        """Take the elements that have one of these names, each once; none if no element has.

        Raises:
            ConfigurationError: no name was given.
            ConfigurationTypeError: a name is no str.
        """
        if not output_names:
            msg = "select takes at least one name; got none"
            raise ConfigurationError(msg)
        names = frozenset(text(name, "a name given to select") for name in output_names)
        tag_id = "split " + ", ".join(sorted(map(repr, names)))
        self._selections[tag_id] = names
        number = self._environment._program.next_id()
        title = f"Select {', '.join(sorted(names))}"
        inputs = [self._producer()]
        transformation = SideOutputTransformation(number, title, inputs, self.get_type(), tag_id=tag_id)
        return DataStream(self._environment, transformation)
