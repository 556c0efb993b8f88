"""Options of a database's connection, and of sending rows to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from windrow.common.checks import not_negative, positive, text
from windrow.common.secret import Secret, revealed
from windrow.connectors.jdbc.urls import connection_url
from windrow.errors import ConfigurationError

if TYPE_CHECKING:
    from sqlalchemy import URL


class JdbcConnectionOptions:
    """Says where a database is and who writes to it (Flink's ``JdbcConnectionOptions``); made by its builder.

    Example:
        >>> options = (
        ...     JdbcConnectionOptions.JdbcConnectionOptionsBuilder()
        ...     .with_url("jdbc:sqlite:/data/shops.db")
        ...     .with_driver_name("org.sqlite.JDBC")
        ...     .build()
        ... )
        >>> options
        JdbcConnectionOptions(sqlite+pysqlite:////data/shops.db)
    """

    def __init__(self, url: str, driver_name: str | None, user_name: str | None, password: str | Secret | None) -> None:
        self._given = (url, driver_name, user_name, password)
        self._url = connection_url(url, driver_name, user_name, "***" if isinstance(password, Secret) else password)

    def get_db_url(self) -> str:
        """The URL as it was given."""
        return self._given[0]

    def get_driver_name(self) -> str | None:
        return self._given[1]

    def get_user_name(self) -> str | None:
        return self._given[2]

    def get_password(self) -> str | None:
        return cast("str | None", revealed(self._given[3]))

    @property
    def secret(self) -> Secret | None:
        """The password that is not in the URL, because the program asks for it."""
        password = self._given[3]
        return password if isinstance(password, Secret) else None

    @property
    def sqlalchemy_url(self) -> URL:
        """The URL that SQLAlchemy connects to, with user and password; in place of a ``Secret`` stands ``***``."""
        return self._url

    def __repr__(self) -> str:
        return f"JdbcConnectionOptions({self._url.render_as_string(hide_password=True)})"

    class JdbcConnectionOptionsBuilder:
        """Builds :class:`JdbcConnectionOptions`. A URL must be set; all else may be in it."""

        def __init__(self) -> None:
            self._url: str | None = None
            self._driver_name: str | None = None
            self._user_name: str | None = None
            self._password: str | Secret | None = None

        def with_url(self, url: str) -> JdbcConnectionOptions.JdbcConnectionOptionsBuilder:
            """Set the URL: JDBC's (``jdbc:postgresql://host:5432/db``), or SQLAlchemy's (``oracle+oracledb://...``)."""
            self._url = text(url, "url of JdbcConnectionOptions")
            return self

        def with_driver_name(self, driver_name: str) -> JdbcConnectionOptions.JdbcConnectionOptionsBuilder:
            """Set the driver: its Java class, which stands for its database, or a Python package (``psycopg``)."""
            self._driver_name = text(driver_name, "driver_name of JdbcConnectionOptions")
            return self

        def with_user_name(self, user_name: str) -> JdbcConnectionOptions.JdbcConnectionOptionsBuilder:
            """Set the database user who writes."""
            self._user_name = text(user_name, "user_name of JdbcConnectionOptions")
            return self

        def with_password(self, password: str | Secret) -> JdbcConnectionOptions.JdbcConnectionOptionsBuilder:
            """Set the user's password; it is in no message and no plan."""
            if not isinstance(password, str | Secret):
                msg = f"password of JdbcConnectionOptions must be a str; got a {type(password).__name__}"
                raise ConfigurationError(msg)
            self._password = password
            return self

        def build(self) -> JdbcConnectionOptions:
            """Make the options; without a URL that is an error.

            Raises:
                ConfigurationError: there is no URL, it cannot be read, or it does not fit the driver.
                MissingDatabasePackageError: SQLAlchemy, or the database's Python driver, is not installed.
            """
            if self._url is None:
                msg = "JdbcConnectionOptions: there is no database: call with_url"
                raise ConfigurationError(msg)
            return JdbcConnectionOptions(self._url, self._driver_name, self._user_name, self._password)


class JdbcExecutionOptions:
    """Says how rows are sent (Flink's ``JdbcExecutionOptions``); made by :meth:`builder`.

    Example:
        >>> options = JdbcExecutionOptions.builder().with_batch_size(1000).with_max_retries(5).build()
        >>> options.get_batch_size(), options.get_max_retries()
        (1000, 5)
    """

    def __init__(self, batch_interval_ms: int = 0, batch_size: int = 5000, max_retries: int = 3) -> None:
        self._batch_interval_ms = not_negative(batch_interval_ms, "interval_ms of with_batch_interval_ms")
        self._batch_size = positive(batch_size, "size of with_batch_size")
        self._max_retries = not_negative(max_retries, "max_retries of with_max_retries")

    @staticmethod
    def defaults() -> JdbcExecutionOptions:
        """5,000 rows at a time, 3 retries."""
        return JdbcExecutionOptions()

    @staticmethod
    def builder() -> JdbcExecutionOptions.Builder:
        """Begin other options."""
        return JdbcExecutionOptions.Builder()

    def get_batch_interval_ms(self) -> int:
        """Give the interval between sends in milliseconds, which has no effect here."""
        return self._batch_interval_ms

    def get_batch_size(self) -> int:
        """Give the number of rows that are sent at a time."""
        return self._batch_size

    def get_max_retries(self) -> int:
        return self._max_retries

    class Builder:
        """Builds :class:`JdbcExecutionOptions`. Wrong arguments are a ``ConfigurationError`` of the call."""

        def __init__(self) -> None:
            self._values: dict[str, Any] = {}

        def with_batch_size(self, size: int) -> JdbcExecutionOptions.Builder:
            """Set the number of rows that are sent at a time."""
            return self._set("batch_size", positive(size, "size of with_batch_size"))

        def with_batch_interval_ms(self, interval_ms: int) -> JdbcExecutionOptions.Builder:
            """Check the interval, which has no effect: rows go when their batch ends (``windrow.trigger.interval``)."""
            interval = not_negative(interval_ms, "interval_ms of with_batch_interval_ms")
            return self._set("batch_interval_ms", interval)

        def with_max_retries(self, max_retries: int) -> JdbcExecutionOptions.Builder:
            """Set how often a transaction that found no database is tried again, a second later each time."""
            return self._set("max_retries", not_negative(max_retries, "max_retries of with_max_retries"))

        def build(self) -> JdbcExecutionOptions:
            """Make the options."""
            return JdbcExecutionOptions(**self._values)

        def _set(self, name: str, value: int) -> JdbcExecutionOptions.Builder:
            self._values[name] = value
            return self
