"""Databases as sinks, under PyFlink's names."""

from windrow.absent.explained import module_getattr
from windrow.connectors.jdbc.databases import JdbcConnectorError
from windrow.connectors.jdbc.options import JdbcConnectionOptions, JdbcExecutionOptions
from windrow.connectors.jdbc.sink import JdbcSink
from windrow.connectors.jdbc.sqlalchemy_package import MissingDatabasePackageError

__all__ = [
    "JdbcConnectionOptions",
    "JdbcConnectorError",
    "JdbcExecutionOptions",
    "JdbcSink",
    "MissingDatabasePackageError",
]

__getattr__ = module_getattr(__name__)
