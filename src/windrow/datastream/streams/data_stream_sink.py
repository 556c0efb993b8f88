"""A stream's end."""

from __future__ import annotations

from windrow.common.settings.notices import Notices
from windrow.datastream.streams.settings import TransformationSettings
from windrow.graph.transformations import Transformation


class DataStreamSink(TransformationSettings):
    """Names a sink and the like; returned by ``sink_to``, ``add_sink`` and ``print``.

    Example:
        >>> from windrow.datastream import StreamExecutionEnvironment
        >>> env = StreamExecutionEnvironment.get_execution_environment()
        >>> env.from_collection([1]).print().name("numbers").get_name()
        'numbers'
    """

    def __init__(self, transformation: Transformation, notices: Notices) -> None:
        self._transformation = transformation
        self._notices = notices
