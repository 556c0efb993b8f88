"""Modules and names of PyFlink that are left out, each with the reason and what to use instead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from windrow.absent.methods import CLASSES
from windrow.absent.tables import TABLE_MODULES, TABLE_NAMES

_COMPACT = "every batch writes a file for each partition: a longer trigger interval makes fewer files"
_SINK = "or add_sink takes a SinkFunction that opens a client in open and writes in invoke"
_SOURCE = "or derive from Source, which reads with any client in Python (docs/sources.md)"
_INPUT_FORMAT = "FileSource reads files, SparkFileSource what Spark reads, from_dataframe all else"
_JAVA_ASSIGNER = "it wraps a Java object; derive from WatermarkGenerator in Python"

#: Modules below ``windrow``.
MODULES: Final[Mapping[str, str]] = {
    **TABLE_MODULES,
    "windrow.common.input_dependency_constraint": "Spark decides when a task starts",
    "windrow.common.io": _INPUT_FORMAT,
    "windrow.datastream.connectors.cassandra": (
        f"Spark's connector (org.apache.spark.sql.cassandra) writes what to_dataframe(schema) gives; {_SINK}"
    ),
    "windrow.datastream.connectors.dynamic_kafka": "a KafkaSource reads one cluster; union those of several",
    "windrow.datastream.connectors.elasticsearch": (
        f"Spark's connector (elasticsearch-hadoop) writes what to_dataframe(schema) gives; {_SINK}"
    ),
    "windrow.datastream.connectors.kinesis": (
        "from_dataframe(spark.readStream.format('aws-kinesis')...) and to_dataframe(schema) read and write it by AWS's "
        f"connector for Spark, {_SOURCE}"
    ),
    "windrow.datastream.connectors.pulsar": (
        "from_dataframe(spark.readStream.format('pulsar')...) and to_dataframe(schema) read and write it with its "
        "connector for Spark; KafkaSource and KafkaSink do where Pulsar speaks Kafka's protocol"
    ),
    "windrow.datastream.connectors.rabbitmq": (
        f"from_dataframe takes what a data source of Spark's in Python reads, {_SOURCE}; a SinkFunction writes"
    ),
}

#: By module, names that it has in PyFlink.
NAMES: Final[Mapping[str, Mapping[str, str]]] = {
    **TABLE_NAMES,
    "windrow.common": {
        "AssignerWithPeriodicWatermarksWrapper": _JAVA_ASSIGNER,
        "InputDependencyConstraint": "Spark decides when a task starts",
    },
    "windrow.common.serialization": {
        "BulkWriterFactory": "it is in windrow.datastream.connectors.file_system",
    },
    "windrow.common.watermark_strategy": {"AssignerWithPeriodicWatermarksWrapper": _JAVA_ASSIGNER},
    "windrow.datastream": {
        "SourceFunction": "from_source takes a source with splits that can be read again; Flink has replaced it too",
    },
    "windrow.datastream.connectors.base": {
        "StreamTransformer": "it serves Flink's own sinks; a function of a stream that returns a stream does it",
        "SupportsPreprocessing": "it serves Flink's own sinks; a function of a stream that returns a stream does it",
    },
    "windrow.datastream.connectors.file_system": {
        "FileCompactStrategy": _COMPACT,
        "FileCompactor": _COMPACT,
        "StreamingFileSink": "Flink has given it up for FileSink",
    },
    "windrow.datastream.connectors.kafka": {
        "FlinkKafkaConsumer": "Flink has replaced it by KafkaSource",
        "FlinkKafkaProducer": "Flink has replaced it by KafkaSink",
        "Semantic": "DeliveryGuarantee of windrow.datastream.connectors.base has replaced it",
    },
    "windrow.datastream.data_stream": {"CachedDataStream": CLASSES["CachedDataStream"]},
    "windrow.datastream.functions": {
        "AsyncFunctionDescriptor": "it is a part of PyFlink's own machinery",
        "SourceFunction": "from_source takes a source with splits that can be read again; Flink has replaced it too",
    },
}
