"""The syntax of tables: CREATE TABLE and ALTER TABLE, with columns, keys, watermarks and options."""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.tokens import TokenType

from windrow.sql.catalog import CATALOG, DATABASE
from windrow.sql.expression_syntax import ExpressionSyntax
from windrow.sql.syntax import (
    AlterTable,
    AlterView,
    ColumnDef,
    CreateTable,
    LikeOption,
    LikeTable,
    PlacedDefinition,
    PrimaryKeyDef,
    WatermarkDef,
)


class TableSyntax(ExpressionSyntax):
    """Statements about tables, and about views that are there."""

    def _flink_query(self) -> Any:
        return self._parse_query_modifiers(self._parse_set_operations(self._parse_select(nested=True)))

    def _flink_if_not_exists(self) -> bool:
        return bool(self._match_text_seq("IF", "NOT", "EXISTS"))

    def _flink_create_table(self, *, temporary: bool, replace: bool) -> Any:
        exists = self._flink_if_not_exists()
        name = self._parse_table_parts(schema=True)
        definitions = None
        if self._match(TokenType.L_PAREN, advance=False):
            definitions = self._parse_wrapped_csv(self._flink_definition)
        comment = self._flink_comment()
        partitioned = None
        if self._match(TokenType.PARTITION_BY):
            partitioned = self._parse_wrapped_id_vars()
        options = self._flink_options() if self._match_text_seq("WITH") else None
        like = None
        if self._match_text_seq("LIKE"):
            table = self._parse_table_parts(schema=True)
            like = LikeTable(this=table, options=self._flink_like_options())
        made = CreateTable(
            this=name, expressions=definitions, options=options, exists=exists, partitioned=partitioned, like=like,
            temporary=temporary, comment=comment, replace=replace,
        )  # fmt: skip
        if self._match_text_seq("AS"):
            if replace and temporary:
                self.raise_error("CREATE OR REPLACE TABLE ... AS takes no TEMPORARY")
            made.set("query", self._flink_query())
        return made

    def _flink_comment(self) -> Any:
        return self._parse_string() if self._match_text_seq("COMMENT") else None

    def _flink_like_options(self) -> list[Any]:
        options: list[Any] = []
        if not self._match(TokenType.L_PAREN):
            return options
        while self._curr is not None and not self._match(TokenType.R_PAREN):
            rule = self._curr.text.upper()
            if rule not in ("INCLUDING", "EXCLUDING", "OVERWRITING"):
                self.raise_error("LIKE takes INCLUDING, EXCLUDING or OVERWRITING, and a part of the table")
            self._advance()
            options.append(LikeOption(rule=rule, what=self._curr.text.upper() if self._curr else ""))
            self._advance()
        return options

    def _flink_options(self) -> list[Any]:
        return list(self._parse_wrapped_csv(self._flink_option))

    def _flink_option(self) -> Any:
        key = self._parse_string()
        if key is None or not self._match(TokenType.EQ):
            self.raise_error("options are written 'key' = 'value'")
        value = self._parse_string()
        if value is None:
            self.raise_error("options are written 'key' = 'value'")
        return exp.Tuple(expressions=[key, value])

    def _flink_definition(self) -> Any:
        if self._match_text_seq("WATERMARK", "FOR"):
            column = self._parse_id_var()
            self._match_text_seq("AS")
            return WatermarkDef(this=column, expression=self._parse_disjunction())
        constraint = self._parse_id_var() if self._match_text_seq("CONSTRAINT") else None
        if self._match(TokenType.PRIMARY_KEY):
            names = self._parse_wrapped_id_vars()
            not_enforced = bool(self._match_text_seq("NOT", "ENFORCED"))
            return PrimaryKeyDef(this=constraint, expressions=names, not_enforced=not_enforced)
        name = self._parse_id_var()
        if self._match_text_seq("AS"):
            computed = self._parse_disjunction()
            return ColumnDef(this=name, computed=computed, comment=self._flink_comment())
        if self._curr is not None and self._curr.token_type in (TokenType.COMMA, TokenType.R_PAREN):
            return ColumnDef(this=name)  # a column of the query behind AS
        kind = self._flink_type()
        not_null = bool(self._match_text_seq("NOT", "NULL"))
        if not not_null:
            self._match_text_seq("NULL")
        primary = bool(self._match(TokenType.PRIMARY_KEY))
        not_enforced = bool(self._match_text_seq("NOT", "ENFORCED"))
        metadata = key = None
        virtual = False
        if self._match_text_seq("METADATA"):
            metadata = exp.true()
            key = self._parse_string() if self._match_text_seq("FROM") else None
            virtual = bool(self._match_text_seq("VIRTUAL"))
        return ColumnDef(
            this=name,
            kind=kind,
            not_null=not_null,
            metadata=metadata,
            key=key,
            virtual=virtual,
            primary=primary,
            not_enforced=not_enforced,
            comment=self._flink_comment(),
        )

    def _flink_refuse_kind(self, takes: str) -> None:
        """Say what a statement is about, and that it is not about what it names."""
        kind = self._curr.text if self._curr else "nothing"
        one = f": there is one catalog, {CATALOG}, with {DATABASE}" if kind.upper() in ("CATALOG", "DATABASE") else ""
        self.raise_error(f"{takes}; got {kind}{one}")

    def _flink_alter(self) -> Any:
        kind = "VIEW" if self._match_text_seq("VIEW") else "TABLE"
        if kind == "TABLE" and not self._match_text_seq("TABLE"):
            self._flink_refuse_kind("ALTER takes TABLE or VIEW")
        exists = bool(self._match_text_seq("IF", "EXISTS"))
        name = self._parse_table_parts(schema=True)
        if kind == "VIEW":
            return self._flink_alter_view(name)
        made = AlterTable(this=name, exists=exists)
        if self._match_text_seq("RENAME"):
            of_column = not self._match_text_seq("TO")
            if of_column:
                made.set("renamed", self._parse_id_var())
                if not self._match_text_seq("TO"):
                    self.raise_error("RENAME is written RENAME TO table, or RENAME column TO column")
            made.set("action", "RENAME")
            made.set("name", self._parse_id_var() if of_column else self._parse_table_parts(schema=True))
        elif self._match_text_seq("SET"):
            made.set("action", "SET")
            made.set("expressions", self._flink_options())
        elif self._match_text_seq("RESET"):
            made.set("action", "RESET")
            made.set("expressions", self._parse_wrapped_csv(self._parse_string))
        elif self._match_text_seq("DROP"):
            made.set("action", "DROP")
            made.set("expressions", self._flink_dropped())
        else:
            action = next((word for word in ("ADD", "MODIFY") if self._match_text_seq(word)), None)
            if action is None:
                self.raise_error("ALTER TABLE takes ADD, MODIFY, DROP, RENAME, SET or RESET")
            made.set("action", action)
            in_parentheses = self._match(TokenType.L_PAREN, advance=False)
            parse = self._flink_placed_definition
            made.set("expressions", self._parse_wrapped_csv(parse) if in_parentheses else [parse()])
        return made

    def _flink_alter_view(self, name: Any) -> Any:
        if self._match_text_seq("RENAME", "TO"):
            return AlterView(this=name, name=self._parse_table_parts(schema=True))
        if not self._match_text_seq("AS"):
            self.raise_error("ALTER VIEW takes RENAME TO, or AS and a query")
        return AlterView(this=name, **self._flink_query_and_source())

    def _flink_query_and_source(self) -> dict[str, Any]:
        """A query, and how it is written."""
        first = self._curr
        query = self._flink_query()
        return {"expression": query, "source": exp.Var(this=self._find_sql(first, self._prev) if first else "")}

    def _flink_placed_definition(self) -> Any:
        """A part of a table, and of a column where it stands: FIRST, or AFTER another one."""
        definition = self._flink_definition()
        if self._match_text_seq("FIRST"):
            return PlacedDefinition(this=definition)
        if self._match_text_seq("AFTER"):
            return PlacedDefinition(this=definition, after=self._parse_id_var())
        return definition

    def _flink_dropped(self) -> list[Any]:
        """Columns, or words for what there is one of."""
        if self._match(TokenType.L_PAREN, advance=False):
            return list(self._parse_wrapped_id_vars())
        if self._match(TokenType.PRIMARY_KEY) or self._match_text_seq("PRIMARY", "KEY"):
            return [exp.Var(this="PRIMARY KEY")]
        if self._match_text_seq("CONSTRAINT"):
            self._parse_id_var()  # there is one, whatever its name
            return [exp.Var(this="PRIMARY KEY")]
        if self._match_text_seq("WATERMARK"):
            return [exp.Var(this="WATERMARK")]
        return [self._parse_id_var()]
