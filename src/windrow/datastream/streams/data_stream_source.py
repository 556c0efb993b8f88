"""A source's stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.program import ancestors
from windrow.graph.transformations import Transformation

if TYPE_CHECKING:
    from windrow.datastream.stream_execution_environment import StreamExecutionEnvironment


class DataStreamSource(DataStream):
    """A source's stream. What is set of it is set of the source, also where operators stand between it and the stream.

    Those are what the source's watermark strategy, declared type and the time characteristic ask for.
    """

    def __init__(self, environment: StreamExecutionEnvironment, source: Transformation, last: Transformation) -> None:
        super().__init__(environment, source)
        self._last = last

    def _input(self) -> Transformation:
        return self._last

    def uid(self, uid: str) -> Self:
        super().uid(uid)
        for number, transformation in enumerate(self._behind_source()):
            transformation.uid = f"{uid}:{number}"
        return self

    def set_parallelism(self, parallelism: int) -> Self:
        super().set_parallelism(parallelism)
        for transformation in self._behind_source():
            transformation.parallelism = self._transformation.parallelism
        return self

    def _behind_source(self) -> list[Transformation]:
        return [each for each in ancestors([self._last]) if each is not self._transformation]
