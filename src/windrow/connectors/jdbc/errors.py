"""Errors of databases."""

from __future__ import annotations

from windrow.errors import ConfigurationError, WindrowError


class JdbcConnectorError(WindrowError, RuntimeError):
    """The database cannot be reached, or refuses what a sink writes."""


class MissingDatabasePackageError(ConfigurationError):
    """A Python package that is needed to write to a database is not installed."""
