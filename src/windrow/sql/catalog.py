"""The tables and views that statements can name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from windrow.errors import ConfigurationError
from windrow.expressions.nodes import Expression
from windrow.sql.errors import nearest, sql_error
from windrow.sql.plan import Column, Relation
from windrow.table.udf import UserDefinedFunctionWrapper

CATALOG, DATABASE = "default_catalog", "default_database"


@dataclass(frozen=True)
class MetadataColumn:
    """A column that a connector knows of each row beside what is stored.

    Attributes:
        column: Its name and type.
        key: What the connector calls it.
        virtual: Whether it is read only.
    """

    column: Column
    key: str
    virtual: bool

    def __str__(self) -> str:
        key = "" if self.key == self.column.name else f" FROM '{self.key}'"
        return f"METADATA{key}{' VIRTUAL' if self.virtual else ''}"


@dataclass
class TableDefinition:
    """A table as ``CREATE TABLE`` defines it.

    Attributes:
        physical: The columns that are stored, in their order.
        columns: All columns, in their order.
        computed: The expressions of columns that are computed, over :attr:`readable`, by the column's name.
        metadata: The columns that the connector knows beside what is stored, in their order.
        partitioned: The stored columns whose values are folders.
        node: The statement, with what it has taken over from another table.
        watermark: The column with the rows' time, how far watermarks are behind it, and how that was written.
        options: What stands in WITH.
        primary_key: Its columns.
        relation: Its rows, once a query has named it; what names it again means the same ones.
    """

    name: str
    physical: list[Column]
    columns: list[Column]
    computed: Mapping[str, Expression]
    watermark: tuple[str, int, str] | None
    options: Mapping[str, str]
    primary_key: Sequence[str] = ()
    written: Mapping[str, str] = field(default_factory=dict)
    relation: Relation | None = None
    metadata: Sequence[MetadataColumn] = ()
    partitioned: Sequence[str] = ()
    node: Any = None

    @property
    def temporary(self) -> bool:
        """True if it was made so: it lasts no less than others."""
        return self.node is not None and bool(self.node.args.get("temporary"))

    @property
    def readable(self) -> list[Column]:
        """The columns that are read: those that are stored, and behind them those of metadata."""
        return [*self.physical, *[each.column for each in self.metadata]]

    @property
    def writable(self) -> list[Column]:
        """The columns that are written, in the order of all: all but those that are computed, or read only."""
        left_out = {*self.computed, *[each.column.name for each in self.metadata if each.virtual]}
        return [column for column in self.columns if column.name not in left_out]


@dataclass
class View:
    """A query by name.

    Attributes:
        query: As it was written; nothing where the program made it.
        temporary: Whether it was made so: it lasts no less than others.
    """

    name: str
    relation: Relation
    query: str = ""
    temporary: bool = False
    comment: str = ""


Entry = TableDefinition | View


class Catalog:
    """Tables and views by name, all in one database.

    Example:
        >>> catalog = Catalog()
        >>> catalog.put("t", View("t", Relation([])), exists=False)
        >>> catalog.names()
        ['t']
    """

    def __init__(self) -> None:
        self._entries: dict[str, Entry] = {}
        #: Functions of the program's own, by their names in upper case: those that come before Flink's, and behind.
        self.system_functions: dict[str, UserDefinedFunctionWrapper] = {}
        self.functions: dict[str, UserDefinedFunctionWrapper] = {}

    def names(self) -> list[str]:
        """The names of all that have one of their own, sorted; that of a table which has none begins with a star."""
        return sorted(name for name in self._entries if not name.startswith("*"))

    def views(self) -> list[str]:
        """The names of the views, sorted."""
        return sorted(name for name, entry in self._entries.items() if isinstance(entry, View))

    def put(
        self, name: str, entry: Entry, *, exists: bool, replace: bool = False, text: str = "", node: Any = None
    ) -> None:
        """Take an entry; ``exists``: nothing is done if there is one of that name.

        Raises:
            SqlError: there is one, and neither ``exists`` nor ``replace``.
        """
        if name in self._entries and not replace:
            if exists:
                return
            raise sql_error(text, node, f"there is a table or view {name!r} already: DROP it first")
        self._entries[name] = entry

    def forget_rows(self) -> None:
        """Have tables read anew by what names them from now on."""
        for entry in self._entries.values():
            if isinstance(entry, TableDefinition):
                entry.relation = None

    def has(self, name: str) -> bool:
        """Tell whether there is an entry of a name."""
        return name in self._entries

    def change(self, name: str, entry: Entry, *, text: str = "", node: Any = None) -> None:
        """Have an entry in the place of one that is there, perhaps by another name.

        Raises:
            SqlError: there is another one of that name.
        """
        if entry.name != name:
            self.put(entry.name, entry, exists=False, text=text, node=node)
            del self._entries[name]
        else:
            self._entries[name] = entry

    def drop(
        self,
        name: str,
        *,
        exists: bool,
        kind: type[Entry] | None = None,
        temporary: bool | None = None,
        text: str = "",
        node: Any = None,
    ) -> None:
        """Forget an entry, of one kind if that is given.

        Args:
            name: What it is called.
            exists: Whether nothing is done where there is none.
            kind: What it has to be.
            temporary: Whether it has to have been made so, or not so; None: either.
            text: The statement, for errors.
            node: The part of it that is shown.

        Raises:
            SqlError: there is none, and not ``exists``; or it is another one.
        """
        found = self._entries.get(name)
        if found is None or (temporary and not found.temporary):
            if exists:
                return
            if found is not None:
                raise sql_error(text, node, f"{name!r} is not temporary: leave out TEMPORARY")
            raise sql_error(text, node, f"there is no table or view {name!r}: {nearest(name, self._entries)}")
        if kind is not None and not isinstance(found, kind):
            word = "VIEW" if isinstance(found, View) else "TABLE"
            raise sql_error(text, node, f"{name!r} is a {word.lower()}: write DROP {word}")
        if temporary is False and found.temporary:
            word = "VIEW" if isinstance(found, View) else "TABLE"
            raise sql_error(text, node, f"{name!r} is temporary: write DROP TEMPORARY {word}")
        del self._entries[name]

    def add_function(
        self, name: str, function: UserDefinedFunctionWrapper, *, system: bool, exists: bool = False
    ) -> None:
        """Take a function of the program's own; if ``exists``, nothing is done where there is one.

        Args:
            name: In upper or lower case.
            function: What it is.
            system: Whether it comes before Flink's functions; else behind them.
            exists: Whether there may be one already.

        Raises:
            ConfigurationError: there is one, and not ``exists``.
        """
        functions = self.system_functions if system else self.functions
        if name.upper() not in functions:
            functions[name.upper()] = function
        elif not exists:
            msg = f"there is a function {name!r} already: drop it first"
            raise ConfigurationError(msg)

    def drop_function(self, name: str, *, system: bool) -> bool:
        """Forget a function of the program's own; tells whether there was one."""
        return (self.system_functions if system else self.functions).pop(name.upper(), None) is not None

    def find(self, name: str, text: str = "", node: Any = None) -> Entry:
        """The entry of a name.

        Raises:
            SqlError: there is none.
        """
        found = self._entries.get(name)
        if found is None:
            raise sql_error(text, node, f"there is no table {name!r}: {nearest(name, self._entries)}")
        return found


def name_of_table(node: Any, text: str = "") -> str:
    """The name without its catalog and database: there is one of each.

    Raises:
        SqlError: others are named.
    """
    for part, known in (("catalog", CATALOG), ("db", DATABASE)):
        given = node.args.get(part)
        if given is not None and given.name != known:
            kind = "catalog" if part == "catalog" else "database"
            raise sql_error(text, node, f"there is one {kind}, {known}; got {given.name!r}")
    return str(node.name)


def with_options(table: TableDefinition, hints: Sequence[Any]) -> TableDefinition:
    """The table with options that a query gives in place of its own: ``/*+ OPTIONS('key' = 'value') */``."""
    given = dict(tuple([each.name for each in pair.expressions]) for pair in hints)
    return replace(table, options={**table.options, **given}, relation=None)


def name_of_path(path: str) -> str:
    """The name of a table in a path that may name its catalog and database, in backticks or not.

    Example:
        >>> name_of_path("default_catalog.default_database.bids"), name_of_path("`a b`"), name_of_path("bids")
        ('bids', 'a b', 'bids')
    """
    for part in (CATALOG, DATABASE):
        for written in (part, f"`{part}`"):
            path = path.removeprefix(f"{written}.")
    inner = path[1:-1]
    return inner.replace("``", "`") if len(path) > 2 and path[0] == path[-1] == "`" else path
