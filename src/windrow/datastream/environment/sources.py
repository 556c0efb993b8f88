"""Begins the streams of an environment."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from operator import itemgetter
from typing import Any

from windrow.common.checks import instance_of, text
from windrow.common.copies import copied_each
from windrow.common.spark_connect import refuse_spark_connect
from windrow.common.typeinfo import DeclaredType, PickledBytesTypeInfo, TypeInformation, Types, as_type_information
from windrow.common.watermark_strategy import WatermarkStrategy
from windrow.connectors.collection import CollectionSource
from windrow.connectors.dataframe import dataframe_source
from windrow.connectors.interfaces import Source
from windrow.connectors.number_sequence import NumberSequenceSource
from windrow.connectors.tables import elements_of, rows_for
from windrow.datastream.environment.settings import EnvironmentSettings
from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.timestamps import does_nothing
from windrow.errors import ConfigurationError, ConfigurationTypeError, TypeConversionError, shorten
from windrow.operators.watermarks.per_split import per_split


class EnvironmentSources(EnvironmentSettings):
    """The methods of an environment that make streams of sources."""

    def from_elements(self, *elements: Any, type_info: DeclaredType = None) -> DataStream:
        """Begin with the elements that are given, in order: :meth:`from_collection` without the brackets."""
        return self.from_collection(elements, type_info)

    def from_sequence(self, from_: int, to: int) -> DataStream:
        """Begin with the integers from ``from_`` to ``to``, both included, as parallel as the environment.

        Raises:
            ConfigurationError: there are none.
        """
        source = NumberSequenceSource(from_, to)
        return self.from_source(source, WatermarkStrategy.no_watermarks(), "Sequence Source", Types.LONG())

    def from_collection(self, collection: Iterable[Any], type_info: DeclaredType = None) -> DataStream:
        """Begin with the elements of a collection, in order.

        Args:
            collection: A list or another iterable that ends. Of a table of pandas, Polars or Arrow its rows, as ``Row``
                with the columns' names, null for pandas' NaN, without an index; of a NumPy array Python's own values.
            type_info: The type that elements are converted to; None leaves them as they are, and of a table's rows says
                what its columns do.

        Raises:
            ConfigurationTypeError: it is no collection of elements, or one of them cannot be copied.
            TypeConversionError: an element does not fit the type.
        """
        declared = as_type_information(type_info, "type_info of from_collection")
        given, of_table = elements_of(collection)
        elements = _copied(given)
        if of_table is not None and type_info is None:
            declared = of_table
        elif declared.need_conversion():
            elements = _converted(elements if of_table is None else rows_for(elements, declared), declared)
        return self._source(
            CollectionSource(elements), "Collection Source", declared, WatermarkStrategy.no_watermarks()
        )

    def from_source(
        self,
        source: Source,
        watermark_strategy: WatermarkStrategy,
        source_name: str,
        type_info: DeclaredType = None,
    ) -> DataStream:
        """Begin with the elements of a source.

        Args:
            source: Where they come from.
            watermark_strategy: How they get timestamps and the stream gets watermarks, for each split of the source.
            source_name: The source's name, for errors and plans.
            type_info: The type that elements are converted to; None is what the source makes.
        """
        instance_of(source, Source, "source")
        strategy = instance_of(watermark_strategy, WatermarkStrategy, "watermark_strategy")
        text(source_name, "source_name")
        made = source.produced_type
        declared = made if type_info is None else as_type_information(type_info, "type_info of from_source")
        convert = declared if declared is not None and declared != made and declared.need_conversion() else None
        return self._source(source, source_name, declared or PickledBytesTypeInfo(), strategy, convert)

    def from_dataframe(
        self,
        df: Any,
        watermark_strategy: WatermarkStrategy | None = None,
        split_column: str | None = None,
        timestamp_column: str | None = None,
        splits: int | None = None,
    ) -> DataStream:
        """Begin with the rows of a Spark DataFrame, streaming or batch, as ``Row`` with the columns' names.

        Args:
            df: The DataFrame. Spark does not say which rows came from which part of its source, so all of them share
                one watermark, unless ``split_column`` tells them apart.
            watermark_strategy: How rows get timestamps and watermarks; None: not here.
            split_column: A column that says which split a row is of. Each value of it is a split for which the strategy
                makes watermarks; the least of those that are not idle counts. A split is known from the beginning of
                the batch on in which its first row is.
            timestamp_column: A column with each row's own timestamp: a ``timestamp`` (one without a time zone counts as
                UTC), or milliseconds. Rows where it is null have none.
            splits: How many splits there are, where ``split_column`` holds integers from 0. They are read side by side
                then, and all of them count from the beginning: one without rows holds the watermark back.

        Raises:
            ConfigurationTypeError: ``df`` is no DataFrame, or a column has a type that does not serve.
            ConfigurationError: there is no such column, or splits are told apart and nothing is made of it, or the
                DataFrame is of Spark Connect.
        """
        refuse_spark_connect(df, "the DataFrame of from_dataframe")
        if not hasattr(df, "isStreaming"):
            msg = f"from_dataframe takes a Spark DataFrame; got {df!r} ({type(df).__name__})"
            raise ConfigurationTypeError(msg)
        strategy = WatermarkStrategy.no_watermarks()
        if watermark_strategy is not None:
            strategy = instance_of(watermark_strategy, WatermarkStrategy, "watermark_strategy")
        source = dataframe_source(df, split_column, timestamp_column, splits)
        if split_column is not None and splits is None:
            if does_nothing(strategy):
                msg = "from_dataframe with a split_column needs a watermark_strategy, which is run for each split"
                raise ConfigurationError(msg)
            strategy = per_split(strategy, itemgetter(split_column))
        return self._source(source, "DataFrame", PickledBytesTypeInfo(), strategy)

    def read_text_file(self, file_path: str, charset_name: str = "UTF-8") -> DataStream:
        """Begin with the lines of a text file, or of the files in a folder."""
        from windrow.datastream.connectors.file_system import FileSource, StreamFormat

        line_format = StreamFormat.text_line_format(charset_name)
        source = FileSource.for_record_stream_format(line_format, text(file_path, "file_path")).build()
        return self.from_source(source, WatermarkStrategy.no_watermarks(), "Text File")

    def create_input(self, input_format: Any, type_info: DeclaredType = None) -> DataStream:
        """Begin with the elements of an input format; there is one, ``AvroInputFormat``. Others go to ``from_source``.

        Args:
            input_format: As ``AvroInputFormat(path, schema)`` in ``windrow.datastream.formats.avro`` makes it.
            type_info: The type that elements are converted to; None is what the format makes.

        Raises:
            ConfigurationTypeError: it is no input format.
        """
        from windrow.datastream.connectors.file_system import FileSource
        from windrow.datastream.formats.avro import AvroInputFormat

        instance_of(input_format, AvroInputFormat, "input_format")
        source = FileSource.for_bulk_file_format(input_format.file_format, input_format.path).build()
        return self.from_source(source, WatermarkStrategy.no_watermarks(), "Custom File source", type_info)

    def socket_text_stream(self, host: str, port: int, delimiter: str = "\n", max_retry: int = 0) -> DataStream:
        """Lines of text from a server, read by one reader: for demonstrations, for a line counts at most once.

        See :class:`~windrow.connectors.socket.source.SocketTextSource`, also for what is lost when.

        Args:
            host: The server's name or address.
            port: Its port.
            delimiter: What ends a line.
            max_retry: How often to connect again when there is no connection, or the server has closed it; below 0 is
                for ever.
        """
        from windrow.connectors.socket.source import SocketTextSource

        source = SocketTextSource(host, port, delimiter, max_retry)
        return self.from_source(source, WatermarkStrategy.no_watermarks(), "Socket Stream")

    @abstractmethod
    def _source(
        self,
        source: Source,
        name: str,
        type_info: TypeInformation,
        strategy: WatermarkStrategy,
        convert: TypeInformation | None = None,
    ) -> DataStream:
        """A stream of the source, with what stands behind it."""


def _copied(elements: list[Any]) -> list[Any]:
    try:
        return list(copied_each(elements))
    except Exception as error:
        for number, element in enumerate(elements):
            try:
                copied_each([element])
            except Exception:
                msg = (
                    f"element {number} given to from_collection, {shorten(element)} ({type(element).__name__}), cannot "
                    f"be copied: {error}; give plain values, and open what belongs to a process in open()"
                )
                raise ConfigurationTypeError(msg) from error
        raise


def _converted(elements: list[Any], declared: TypeInformation) -> list[Any]:
    convert = declared.converter()
    converted: list[Any] = []
    try:
        for element in elements:
            converted.append(convert(element))  # noqa: PERF401  (the error counts those that were converted)
    except TypeConversionError as error:
        msg = f"element {len(converted)} given to from_collection: {error}"
        raise TypeConversionError(msg) from None
    return converted
