"""Files as sources and sinks, under PyFlink's names."""

from windrow.absent.explained import module_getattr
from windrow.connectors.files.buckets import BucketAssigner
from windrow.connectors.files.bulk import BulkWriter, BulkWriterFactory
from windrow.connectors.files.part_files import OutputFileConfig, RollingPolicy
from windrow.connectors.files.sink import FileSink
from windrow.connectors.files.source import FileSource, FileSourceBuilder
from windrow.connectors.files.text import StreamFormat

__all__ = [
    "BucketAssigner",
    "BulkWriter",
    "BulkWriterFactory",
    "FileSink",
    "FileSource",
    "FileSourceBuilder",
    "OutputFileConfig",
    "RollingPolicy",
    "StreamFormat",
]

__getattr__ = module_getattr(__name__)
