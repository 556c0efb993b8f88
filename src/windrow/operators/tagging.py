"""Tags the elements of a stream that is united with another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windrow.elements.batch import Batch
from windrow.operators.base import Operator
from windrow.operators.forecast import Forecast
from windrow.operators.tagged_union import TaggedUnion

if TYPE_CHECKING:
    from windrow.elements.shape import Shape
    from windrow.operators.tagged_shape import TaggedShape


class TaggingOperator(Operator):
    """Puts a tag around each element; columns stay columns (Flink's ``CoGroupedStreams.Input1Tagger`` and its twin).

    Args:
        tag: The class of the stream's elements in the union.
    """

    def __init__(self, tag: type[TaggedUnion]) -> None:
        self._tag = tag
        #: The shape of the last elements, with the tag around it.
        self._shape: TaggedShape | None = None

    def process_batch(self, batch: Batch) -> None:
        columns = self.context.columns_of(batch)
        if columns is None:
            tag = self._tag
            self.context.output.emit_batch(batch.with_elements([tag(element) for element in batch.elements]))
            return
        from windrow.operators.tagged_shape import TaggedShape  # imports Arrow

        if self._shape is None or self._shape.inner is not columns.shape:
            self._shape = TaggedShape.of(self._tag, columns.shape)
        self.context.output.emit_batch(batch.with_elements(columns.shaped(self._shape)))

    def forecast(self, shape: Shape | None) -> Forecast:
        if shape is None:
            return super().forecast(shape)
        from windrow.operators.tagged_shape import TaggedShape

        return Forecast(True, shape=TaggedShape.of(self._tag, shape))
