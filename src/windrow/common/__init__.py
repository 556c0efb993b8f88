"""Shared by programs of every kind: types, rows, time, configuration, watermark strategies."""

from typing import TYPE_CHECKING

from windrow.absent.explained import module_getattr
from windrow.common.completable_future import CompletableFuture
from windrow.common.config_options import ConfigOption, ConfigOptions
from windrow.common.configuration import Configuration
from windrow.common.execution_config import ExecutionConfig
from windrow.common.job_client import JobClient
from windrow.common.job_execution_result import JobExecutionResult
from windrow.common.job_id import JobID
from windrow.common.job_status import JobStatus
from windrow.common.restart_strategy import RestartStrategies, RestartStrategyConfiguration
from windrow.common.secret import Secret
from windrow.common.serialization import (
    ByteArraySchema,
    DeserializationSchema,
    Encoder,
    SerializationSchema,
    SimpleStringSchema,
)
from windrow.common.serializer import SimpleVersionedSerializer, TypeSerializer, serialized_by
from windrow.common.time import Duration, Instant, Time
from windrow.common.typeinfo import TypeInformation, Types
from windrow.common.types import Row, RowKind
from windrow.common.watermark_strategy import WatermarkStrategy

if TYPE_CHECKING:
    from windrow.datastream.formats.avro import AvroRowDeserializationSchema, AvroRowSerializationSchema
    from windrow.datastream.formats.csv import CsvRowDeserializationSchema, CsvRowSerializationSchema
    from windrow.datastream.formats.json import JsonRowDeserializationSchema, JsonRowSerializationSchema

__all__ = [
    "AvroRowDeserializationSchema",
    "AvroRowSerializationSchema",
    "ByteArraySchema",
    "CompletableFuture",
    "ConfigOption",
    "ConfigOptions",
    "Configuration",
    "CsvRowDeserializationSchema",
    "CsvRowSerializationSchema",
    "DeserializationSchema",
    "Duration",
    "Encoder",
    "ExecutionConfig",
    "Instant",
    "JobClient",
    "JobExecutionResult",
    "JobID",
    "JobStatus",
    "JsonRowDeserializationSchema",
    "JsonRowSerializationSchema",
    "RestartStrategies",
    "RestartStrategyConfiguration",
    "Row",
    "RowKind",
    "Secret",
    "SerializationSchema",
    "SimpleStringSchema",
    "SimpleVersionedSerializer",
    "Time",
    "TypeInformation",
    "TypeSerializer",
    "Types",
    "WatermarkStrategy",
    "serialized_by",
]

#: PyFlink has them here, too. They stand above this package, so they are looked for when somebody asks.
_FORMATS = {
    "AvroRowDeserializationSchema": "windrow.datastream.formats.avro",
    "AvroRowSerializationSchema": "windrow.datastream.formats.avro",
    "CsvRowDeserializationSchema": "windrow.datastream.formats.csv",
    "CsvRowSerializationSchema": "windrow.datastream.formats.csv",
    "JsonRowDeserializationSchema": "windrow.datastream.formats.json",
    "JsonRowSerializationSchema": "windrow.datastream.formats.json",
}

__getattr__ = module_getattr(__name__, _FORMATS)
