"""The tables and views of an environment by their names, and the one catalog with its database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windrow.absent.explained import ExplainsAbsentMethods
from windrow.common.checks import instance_of, text
from windrow.errors import SqlError
from windrow.sql.catalog import CATALOG, DATABASE, Catalog, TableDefinition, View, name_of_path

if TYPE_CHECKING:
    from windrow.table.table import Table


class NamedTables(ExplainsAbsentMethods):
    """The part of a table environment that deals with names alone; what it makes lasts as long as the environment."""

    _catalog: Catalog

    def create_view(self, view_path: str, table: Table, ignore_if_exists: bool | None = False) -> bool:
        """Give a table a name; tells whether it has it now.

        Raises:
            SqlError: there is a table of that name, and ``ignore_if_exists`` is not set.
        """
        from windrow.table.table import Table

        name = name_of_path(text(view_path, "view_path"))
        if ignore_if_exists and name in self._catalog.names():
            return False
        self._catalog.put(name, View(name, instance_of(table, Table, "table")._relation), exists=False)
        return True

    def drop_table(self, table_path: str, ignore_if_not_exists: bool | None = True) -> bool:
        """Forget a table; tells whether there was one.

        Raises:
            SqlError: there was none, and ``ignore_if_not_exists`` is not set.
        """
        return self._dropped(self.drop_temporary_table(table_path), table_path, "table", ignore=ignore_if_not_exists)

    def drop_view(self, view_path: str, ignore_if_not_exists: bool | None = True) -> bool:
        """Forget a view; tells whether there was one.

        Raises:
            SqlError: there was none, and ``ignore_if_not_exists`` is not set.
        """
        return self._dropped(self.drop_temporary_view(view_path), view_path, "view", ignore=ignore_if_not_exists)

    def use_catalog(self, catalog_name: str) -> None:
        """Take the one catalog that there is.

        Raises:
            SqlError: another one is named.
        """
        _check(text(catalog_name, "catalog_name"), CATALOG)

    def use_database(self, database_name: str) -> None:
        """Take the one database that there is.

        Raises:
            SqlError: another one is named.
        """
        _check(text(database_name, "database_name"), DATABASE)

    def list_modules(self) -> list[str]:
        """The one module of functions that there is."""
        return ["core"]

    def drop_temporary_view(self, view_path: str) -> bool:
        """Forget a view; tells whether there was one."""
        return self._drop(view_path, View)

    def drop_temporary_table(self, table_path: str) -> bool:
        """Forget a table; tells whether there was one."""
        return self._drop(table_path, TableDefinition)

    def list_tables(self) -> list[str]:
        """The names of all tables and views."""
        return self._catalog.names()

    def list_views(self) -> list[str]:
        """The names of the views."""
        return self._catalog.views()

    def list_temporary_views(self) -> list[str]:
        """The names of the views: each of them is temporary."""
        return self._catalog.views()

    def list_catalogs(self) -> list[str]:
        """The one catalog that there is."""
        return [CATALOG]

    def list_databases(self) -> list[str]:
        """The one database that there is."""
        return [DATABASE]

    def get_current_catalog(self) -> str:
        """The one catalog that there is."""
        return CATALOG

    def get_current_database(self) -> str:
        """The one database that there is."""
        return DATABASE

    def list_temporary_tables(self) -> list[str]:
        """The names of all tables and views: each of them is temporary."""
        return self._catalog.names()

    def _drop(self, path: str, kind: type[TableDefinition | View]) -> bool:
        had = path in self._catalog.names() and isinstance(self._catalog.find(path), kind)
        if had:
            self._catalog.drop(path, exists=True)
        return had

    def _dropped(self, was_there: bool, path: str, kind: str, *, ignore: bool | None) -> bool:
        if not was_there and not ignore:
            msg = f"there is no {kind} {path!r}"
            raise SqlError(msg)
        return was_there


def _check(name: str, known: str) -> None:
    if name != known:
        msg = f"there is one catalog, {CATALOG}, with {DATABASE}; got {name!r}"
        raise SqlError(msg)
