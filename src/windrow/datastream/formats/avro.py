"""Avro's files and records, read and written by fastavro (``pip install fastavro``)."""

from __future__ import annotations

from os import PathLike

from windrow.connectors.avro.file_format import AvroFormat
from windrow.connectors.avro.row_schemas import AvroRowDeserializationSchema, AvroRowSerializationSchema
from windrow.connectors.avro.schema import AvroSchema, checked_schema
from windrow.connectors.avro.type_info import GenericRecordAvroTypeInfo
from windrow.connectors.avro.writer import AvroFactory
from windrow.connectors.files.bulk import BulkWriterFactory
from windrow.connectors.files.file_format import BulkFormat
from windrow.errors import ConfigurationError

__all__ = [
    "AvroBulkWriters",
    "AvroInputFormat",
    "AvroReaders",
    "AvroRowDeserializationSchema",
    "AvroRowSerializationSchema",
    "AvroSchema",
    "GenericRecordAvroTypeInfo",
]

_CODECS = ("null", "deflate", "bzip2", "xz")


class AvroBulkWriters:
    """Writers for ``FileSink.for_bulk_format``."""

    @staticmethod
    def for_generic_record(schema: AvroSchema, codec: str = "null") -> BulkWriterFactory:
        """Records as Avro files.

        Args:
            schema: Of the records, which are dicts or Rows with names.
            codec: Of the blocks: ``null``, ``deflate``, ``bzip2`` or ``xz``.

        Raises:
            ConfigurationTypeError: ``schema`` is no ``AvroSchema``.
            ConfigurationError: it is not of records, or there is no such codec.
        """
        call = "AvroBulkWriters.for_generic_record"
        if codec not in _CODECS:
            msg = f"codec of {call} is one of {', '.join(_CODECS)}; got {codec!r}"
            raise ConfigurationError(msg)
        return AvroFactory(checked_schema(schema, call), codec)


class AvroReaders:
    """The format for ``FileSource.for_bulk_file_format``; PyFlink has only :class:`AvroInputFormat`."""

    @staticmethod
    def for_generic_record(schema: AvroSchema | None = None) -> BulkFormat:
        """Avro files as dicts; a long file is read in regions of whole blocks.

        Args:
            schema: What records are read as, by Avro's rules of schema resolution; None: as they were written.

        Raises:
            ConfigurationTypeError: ``schema`` is no ``AvroSchema``.
            ConfigurationError: it is not of records.
        """
        return AvroFormat(None if schema is None else checked_schema(schema, "AvroReaders.for_generic_record"))


class AvroInputFormat:
    """Avro files as dicts, for ``StreamExecutionEnvironment.create_input`` (PyFlink's ``AvroInputFormat``).

    Args:
        path: A file, or a folder of files.
        schema: What records are read as.

    Raises:
        ConfigurationTypeError: ``schema`` is no ``AvroSchema``.
        ConfigurationError: it is not of records.
    """

    def __init__(self, path: str | PathLike[str], schema: AvroSchema) -> None:
        self.path = path
        self.file_format = AvroFormat(checked_schema(schema, "AvroInputFormat"))

    def get_produced_type(self) -> GenericRecordAvroTypeInfo:
        """The type of the records."""
        produced = self.file_format.produced_type
        assert isinstance(produced, GenericRecordAvroTypeInfo)
        return produced
