"""The columns that an expression can name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from windrow.sql.errors import nearest, sql_error
from windrow.sql.plan import Column


@dataclass
class Scope:
    """The columns of what stands in FROM, with the name of the table that each is of.

    Attributes:
        columns: In their order.
        tables: The name of the table, or its alias, of each column.
        text: The statement, for errors.
    """

    columns: Sequence[Column]
    tables: Sequence[str | None]
    text: str
    #: Columns that ``*`` does not show, by place.
    hidden: set[int] = field(default_factory=set)
    #: From which place on columns are those of a query in another one, which are found first.
    inner: int = 0
    #: What queries within expressions have become, by how they are written.
    values: Sequence[tuple[Any, Any]] = ()

    def find(self, name: str, table: str | None, node: Any) -> int:
        """The place of a column.

        Raises:
            SqlError: there is none of that name, or several.
        """
        found = [
            place
            for place, (column, of) in enumerate(zip(self.columns, self.tables, strict=True))
            if column.name == name and (table is None or of == table) and place not in self.hidden
        ]
        found = [place for place in found if place >= self.inner] or found
        if len(found) == 1:
            return found[0]
        if found:
            tables = " and ".join(str(self.tables[place]) for place in found)
            raise sql_error(self.text, node, f"column {name!r} is in {tables}: write which table it is of")
        if table is not None and table not in self.tables:
            raise sql_error(self.text, node, f"there is no table {table!r} here: {nearest(table, self.named_tables)}")
        names = [c.name for c, of in zip(self.columns, self.tables, strict=True) if table is None or of == table]
        raise sql_error(self.text, node, f"there is no column {name!r}: {nearest(name, names)}")

    def has_table(self, name: str) -> bool:
        """Tell whether a table of that name stands in FROM."""
        return name in self.tables

    def has_column(self, name: str) -> bool:
        """Tell whether a column of that name can be named."""
        return any(column.name == name and place not in self.hidden for place, column in enumerate(self.columns))

    @property
    def named_tables(self) -> list[str]:
        """The names of the tables in FROM."""
        return [each for each in dict.fromkeys(self.tables) if each is not None]

    def value_of(self, query: Any) -> Any:
        """Give what a query within an expression has become; None: nothing."""
        return next((value for known, value in self.values if known == query), None)

    def joined(self, other: Scope) -> Scope:
        """The columns of both."""
        hidden = self.hidden | {len(self.columns) + place for place in other.hidden}
        return Scope([*self.columns, *other.columns], [*self.tables, *other.tables], self.text, hidden)

    def around(self, inner: Scope) -> Scope:
        """The columns of both, for what stands in a query in this one: a name is looked for there first."""
        both = self.joined(inner)
        both.inner = len(self.columns)
        return both
