"""Files as sources and sinks, under PyFlink's names."""

from windrow.absent.explained import module_getattr
from windrow.connectors.files.assigners import FileSplitAssigner, FileSplitAssignerProvider
from windrow.connectors.files.buckets import BucketAssigner
from windrow.connectors.files.bulk import BulkWriter, BulkWriterFactory
from windrow.connectors.files.enumerators import FileEnumerator, FileEnumeratorProvider, whole_file
from windrow.connectors.files.file_format import BulkFormat, StreamFormat
from windrow.connectors.files.part_files import OutputFileConfig, RollingPolicy
from windrow.connectors.files.sink import FileSink
from windrow.connectors.files.source import FileSource
from windrow.connectors.files.source_builder import FileSourceBuilder
from windrow.connectors.files.split import FilePosition, FileSourceSplit

__all__ = [
    "BucketAssigner",
    "BulkFormat",
    "BulkWriter",
    "BulkWriterFactory",
    "FileEnumerator",
    "FileEnumeratorProvider",
    "FilePosition",
    "FileSink",
    "FileSource",
    "FileSourceBuilder",
    "FileSourceSplit",
    "FileSplitAssigner",
    "FileSplitAssignerProvider",
    "OutputFileConfig",
    "RollingPolicy",
    "StreamFormat",
    "whole_file",
]

__getattr__ = module_getattr(__name__)
