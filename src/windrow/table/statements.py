"""Does what each kind of statement says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from windrow.common.types import RowKind
from windrow.datastream.streams.data_stream import DataStream
from windrow.errors import ConfigurationError, ConfigurationTypeError, SqlError, UsageError, WindrowError
from windrow.expressions import logical_types as lt
from windrow.expressions.logical_types import may_be_null, name_of
from windrow.expressions.nodes import Expression, InputRef
from windrow.operators.table.calc import CalcOperator
from windrow.operators.table.not_null import NotNullOperator
from windrow.sql import dialect as d
from windrow.sql import syntax as s
from windrow.sql.catalog import CATALOG, DATABASE, TableDefinition, View, name_of_table
from windrow.sql.errors import nearest, sql_error
from windrow.sql.expression_binder import ExpressionBinder, cast_to
from windrow.sql.plan import Column, Relation, upsert_keys
from windrow.sql.plan_text import producer_of_changes
from windrow.sql.query_binder import QueryBinder
from windrow.sql.scope import Scope
from windrow.sql.table_binder import relation_of, table_of
from windrow.sql.table_changes import altered, made_as
from windrow.sql.table_like import merged
from windrow.table.changelog_mode import ROW_KIND
from windrow.table.connectors.places import placed
from windrow.table.connectors.tables import connector_of
from windrow.table.planner.emit_settings import emit_of
from windrow.table.showing import describe, show, use
from windrow.table.streams import without_old_rows
from windrow.table.table_result import TableResult
from windrow.table.udf import wrapped
from windrow.table.written_columns import fits, in_order

if TYPE_CHECKING:
    from windrow.table.table_environment import TableEnvironment


class Statements:
    """Runs statements in a table environment."""

    def __init__(self, environment: TableEnvironment) -> None:
        self._environment = environment
        self._catalog = environment._catalog
        self._zone = environment.get_config().get_local_timezone()

    def query(self, text: str) -> Relation:
        """The relation of a query.

        Raises:
            SqlError: it is none.
        """
        return self.binder(text).bind(_only(text))

    def inserts(self, text: str) -> list[tuple[str, Relation, Any]]:
        """Bind what an ``INSERT INTO``, or several in a statement set, write.

        Raises:
            SqlError: it is none.
        """
        node = _only(text)
        nodes = node.expressions if isinstance(node, s.StatementSet) else [node]
        found = []
        for each in nodes:
            if not isinstance(each, s.InsertStatement):
                raise sql_error(text, each, "a statement set takes INSERT INTO")
            found.append(self._insert_of(each, text))
        return found

    def execute(self, text: str) -> TableResult:
        """Run a statement.

        Raises:
            SqlError: it cannot be run.
        """
        node = _only(text)
        match node:
            case s.CreateTable():
                return self._create_table(node, text)
            case s.AlterTable():
                return self._alter_table(node, text)
            case s.CreateView():
                return self._create_view(node, text)
            case s.AlterView():
                return self._alter_view(node, text)
            case s.DropStatement():
                return self._drop(node, text)
            case s.CreateFunction():
                return self._create_function(node, text)
            case s.DropFunction():
                return self._drop_function(node, text)
            case s.InsertStatement() | s.StatementSet():
                return self._environment._insert(self.inserts(text), text)
            case s.ShowStatement():
                own = self._environment.list_user_defined_functions()
                return show(self._catalog, own, node, text, streaming=self._environment._streaming)
            case s.DescribeStatement():
                return describe(self._catalog, node, text, streaming=self._environment._streaming)
            case s.ExplainStatement():
                return self._explain(node, text)
            case s.SetStatement():
                return self._set(node, text)
            case s.ResetStatement():
                key = node.args.get("key")
                self._environment.get_config().reset(None if key is None else key.name)
                return TableResult([])
            case s.UseStatement():
                return use(node, text)
        return self._environment._execute(self.binder(text).bind(node))

    def write(self, name: str, relation: Relation, stream: DataStream, text: str, node: Any) -> None:
        """Send a relation's rows to a table.

        Raises:
            SqlError: columns do not fit, or the table cannot be written.
        """
        from windrow.datastream.streams.program import factory

        found, expressions = self._written(name, relation, text, node)
        with placed(text, node):
            connector = connector_of(found)
        insert = None if node is None else node.parent
        if isinstance(insert, s.InsertStatement) and insert.args.get("overwrite"):
            if self._environment._streaming:
                message = "INSERT OVERWRITE is for batch mode, as in Flink: INSERT INTO adds the rows of a stream"
                raise sql_error(text, node, message)
            with placed(text, node):
                connector.overwrite(self._fixed_values(insert, found, text))
        targets = found.writable
        kind = [ROW_KIND] * relation.changes
        if not all(isinstance(each, InputRef) for each in expressions):
            types = [*[column.type for column in relation.columns], *kind]
            every = [*expressions, *[InputRef(len(relation.columns), ROW_KIND)] * relation.changes]
            make = factory(CalcOperator, types, every, None, None)
            stream = stream._transform("Calc", make, None, stateless=True, convert=False)
        full = {
            place: target.name
            for place, (column, target) in enumerate(zip(relation.columns, targets, strict=True))
            if may_be_null(column.type) and not may_be_null(target.type)
        }
        if full:
            make = factory(NotNullOperator, [*[each.type for each in expressions], *kind], full)
            stream = stream._transform("NotNull", make, None, stateless=True, convert=False)
        types = connector.written_types()
        if relation.changes and not connector.changelog_mode().contains(RowKind.UPDATE_BEFORE):
            stream = without_old_rows(stream, relation)
        with placed(text, node):
            if relation.changes:
                connector.write_changes(stream, types)
            else:
                connector.write(stream, types)

    def _written(
        self, name: str, relation: Relation, text: str, node: Any
    ) -> tuple[TableDefinition, Sequence[Expression]]:
        """The table that is written, and its columns over those of the relation."""
        found = self._catalog.find(name, text, node)
        if isinstance(found, View):
            raise sql_error(text, node, f"{name!r} is a view: INSERT INTO takes a table")
        if relation.changes:
            self._check_changes(found, relation, text, node)
        with placed(text, node):
            connector = connector_of(found)
            connector.check_writable()
        targets = found.writable
        if len(relation.columns) != len(targets):
            shown = f"the query has {len(relation.columns)} columns, and the table {len(targets)}"
            raise sql_error(text, node, f"INSERT INTO {name}: {shown}: {_listed(relation.columns)}; {_listed(targets)}")
        expressions: list[Expression] = []
        for place, (column, target) in enumerate(zip(relation.columns, targets, strict=True)):
            if not fits(column.type, target.type):
                kinds = name_of(column.type), name_of(target.type)
                shown = f"{column.name!r} is {kinds[0]}, and {target.name!r} of the table {kinds[1]}"
                raise sql_error(text, node, f"INSERT INTO {name}: incompatible types: {shown}: CAST it")
            if isinstance(column.type, lt.NullType) and not may_be_null(target.type):
                raise sql_error(
                    text, node, f"INSERT INTO {name}: {target.name!r} is NOT NULL, and would always be NULL"
                )
            expressions.append(cast_to(InputRef(place, column.type), target.type, time_zone=self._zone))
        kinds_written = connector.written_types()
        for place, kind in enumerate(kinds_written):
            expressions[place] = cast_to(expressions[place], kind, time_zone=self._zone)
        return found, expressions

    def _check_changes(self, table: TableDefinition, relation: Relation, text: str, node: Any) -> None:
        mode = connector_of(table).changelog_mode()
        if not mode.contains(RowKind.UPDATE_AFTER):
            sink = f"{CATALOG}.{DATABASE}.{table.name}"
            message = f"Table sink '{sink}' doesn't support consuming {producer_of_changes(relation)}"
            raise sql_error(
                text,
                node,
                f"{message}: group by the windows of a window table function, or take a table "
                "whose connector takes changes",
            )
        if mode.contains(RowKind.UPDATE_BEFORE):
            return
        places = [[column.name for column in table.writable].index(name) for name in table.primary_key]
        found = upsert_keys(relation)
        if set(places) not in found:
            named = [", ".join(relation.columns[place].name for place in sorted(key)) for key in found]
            known = " or ".join(named) or "none"
            keys = ", ".join(table.primary_key) or "none"
            message = (
                f"table {table.name!r} keeps the last row of each PRIMARY KEY ({keys}), and the key of the query's "
            )
            raise sql_error(text, node, f"{message}changes is {known}: declare it as the PRIMARY KEY")

    # Each kind of statement

    def binder(self, text: str) -> QueryBinder:
        """Make the binder of a text's queries."""
        streaming = self._environment._streaming
        config = self._environment.get_config()
        emit, ttl = emit_of(config.get_configuration()), config.state_ttl()
        return QueryBinder(
            text, self._catalog, self._relation_of, self._zone, streaming=streaming, emit=emit, state_ttl=ttl
        )

    def _relation_of(self, table: TableDefinition) -> Relation:
        if table.relation is None:
            connector = connector_of(table)
            if connector.changes and not self._environment._streaming:
                msg = f"table {table.name!r} gives changes, which batch mode does not read: take streaming mode"
                raise SqlError(msg)
            table.relation = relation_of(table, connector, self._zone)
        return table.relation

    def _create_table(self, node: Any, text: str) -> TableResult:
        if node.args.get("query") is not None:
            return self._create_table_as(node, text)
        like, where = node.args.get("like"), _places(node)
        if like is not None:
            name = name_of_table(like.this, text)
            base = self._catalog.find(name, text, like.this)
            if isinstance(base, View):
                raise sql_error(text, like.this, f"{name!r} is a view: LIKE takes a table")
            node = merged(node, base.node, text)
        table = table_of(node, text, self._zone, self._catalog)
        with placed(text, node.this, **where):
            connector_of(table)  # what is wrong with the options is said here
        self._catalog.put(table.name, table, exists=bool(node.args.get("exists")), text=text, node=node.this)
        return TableResult([])

    def _create_table_as(self, node: Any, text: str) -> TableResult:
        """A table with the columns of a query, and its rows."""
        name = name_of_table(node.this, text)
        replaced = self._replaced(node, name, text)
        if self._catalog.has(name) and node.args.get("exists"):
            return TableResult([])
        if node.args.get("like") is not None:
            raise sql_error(text, node.this, "CREATE TABLE takes LIKE or AS: name the columns in the query")
        relation = self.binder(text).bind(node.args["query"])
        table = table_of(made_as(node, relation.columns, text), text, self._zone, self._catalog)
        with placed(text, node.this, **_places(node)):
            connector_of(table).check_writable()
        self._catalog.put(name, table, exists=False, replace=replaced is not None, text=text, node=node.this)
        try:
            names = [column.name for column in relation.columns]
            written = in_order(relation, names, {}, table, text, node)
            begun = self._environment._begun([(name, written, node.this)], text)
        except WindrowError:  # nothing has run: the table is as little there as its rows
            self._catalog.drop(name, exists=True)
            if replaced is not None:
                self._catalog.put(name, replaced, exists=False)
            raise
        return self._environment._ended(begun)

    def _replaced(self, node: Any, name: str, text: str) -> TableDefinition | None:
        """The table whose place another one takes by OR REPLACE; None: there is none."""
        if not node.args.get("replace"):
            return None
        if node.args.get("exists"):
            raise sql_error(text, node.this, "CREATE TABLE takes OR REPLACE or IF NOT EXISTS, not both")
        found = self._catalog.find(name, text, node.this) if self._catalog.has(name) else None
        if isinstance(found, View):
            raise sql_error(text, node.this, f"{name!r} is a view: write CREATE OR REPLACE VIEW, or DROP VIEW first")
        return found

    def _drop(self, node: Any, text: str) -> TableResult:
        exists, temporary = bool(node.args.get("exists")), bool(node.args.get("temporary"))
        kind = View if node.args["kind"] == "VIEW" else TableDefinition
        name = name_of_table(node.this, text)
        self._catalog.drop(name, exists=exists, kind=kind, temporary=temporary, text=text, node=node.this)
        return TableResult([])

    def _alter_table(self, node: Any, text: str) -> TableResult:
        name = name_of_table(node.this, text)
        if node.args.get("exists") and not self._catalog.has(name):
            return TableResult([])
        found = self._catalog.find(name, text, node.this)
        if isinstance(found, View):
            raise sql_error(text, node.this, f"{name!r} is a view: write ALTER VIEW")
        if node.args["action"] == "RENAME" and node.args.get("renamed") is None:
            table = replace(found, name=name_of_table(node.args["name"], text), relation=None)
        else:
            table = table_of(altered(node, found.node, text), text, self._zone, self._catalog)
            options = node.expressions if node.args["action"] == "SET" else ()
            with placed(text, node.this, options=options):
                connector_of(table)  # what is wrong with the options is said here
        self._catalog.change(name, table, text=text, node=node.args.get("name"))
        return TableResult([])

    def _alter_view(self, node: Any, text: str) -> TableResult:
        name = name_of_table(node.this, text)
        found = self._catalog.find(name, text, node.this)
        if not isinstance(found, View):
            raise sql_error(text, node.this, f"{name!r} is a table: write ALTER TABLE")
        if node.args.get("name") is not None:
            view = replace(found, name=name_of_table(node.args["name"], text))
        else:
            relation = self.binder(text).bind(node.expression)
            view = replace(found, relation=relation, query=node.args["source"].name)
        self._catalog.change(name, view, text=text, node=node.args.get("name"))
        return TableResult([])

    def _create_view(self, node: Any, text: str) -> TableResult:
        name = name_of_table(node.this, text)
        binder = self.binder(text)
        relation = binder.bind(node.expression)
        relation = binder.renamed(relation, node.args.get("columns") or (), node)
        comment = node.args.get("comment")
        view = View(
            name,
            relation,
            node.args["source"].name,
            temporary=bool(node.args.get("temporary")),
            comment="" if comment is None else comment.name,
        )
        exists, anew = bool(node.args.get("exists")), bool(node.args.get("replace"))
        self._catalog.put(name, view, exists=exists, replace=anew, text=text, node=node.this)
        return TableResult([])

    def _create_function(self, node: Any, text: str) -> TableResult:
        language = node.args.get("language")
        if language is None or language.name.upper() != "PYTHON":
            given = "Java, which LANGUAGE PYTHON would change" if language is None else language.name
            raise sql_error(text, node, f"a function is written in Python; got {given}")
        target = str(node.args["target"].name)
        try:
            function = wrapped(resolved(target), "AS")
        except (ImportError, AttributeError, ConfigurationTypeError, UsageError) as error:
            raise sql_error(text, node.args["target"], f"{target!r} names no function: {error}") from error
        exists, system = bool(node.args.get("exists")), bool(node.args.get("system"))
        self._catalog.add_function(name_of_table(node.this, text), function, system=system, exists=exists)
        return TableResult([])

    def _drop_function(self, node: Any, text: str) -> TableResult:
        name = name_of_table(node.this, text)
        dropped = self._catalog.drop_function(name, system=bool(node.args.get("system")))
        if not (dropped or node.args.get("exists")):
            known = self._environment.list_user_defined_functions()
            message = f"there is no function {name!r} of the program's own: {nearest(name, known)}"
            raise sql_error(text, node.this, message)
        return TableResult([])

    def _insert_of(self, node: Any, text: str) -> tuple[str, Relation, Any]:
        name = name_of_table(node.this, text)
        found = self._catalog.find(name, text, node.this)
        relation = self.binder(text).bind(node.expression)
        if isinstance(found, TableDefinition):
            fixed = self._fixed(node, found, text)
            named = [each.name for each in node.args.get("columns") or ()]
            if fixed and not named:
                named = [column.name for column in found.writable if column.name not in fixed]
            if named:
                relation = in_order(relation, named, fixed, found, text, node)
        return name, relation, node.this

    def _fixed(self, node: Any, table: TableDefinition, text: str) -> dict[str, Expression]:
        """The values of the columns that PARTITION fixes."""
        binder = ExpressionBinder(Scope([], [], text), self._zone)
        fixed: dict[str, Expression] = {}
        for pair in node.args.get("partition") or ():
            column, *value = pair.expressions
            if column.name not in table.partitioned:
                known = nearest(column.name, table.partitioned)
                raise sql_error(text, column, f"PARTITION: {column.name!r} is no column of PARTITIONED BY: {known}")
            if value:
                fixed[column.name] = binder.bind(value[0])
        return fixed

    def _fixed_values(self, node: Any, table: TableDefinition, text: str) -> dict[str, Any]:
        """The same as values of the columns' types."""
        import numpy as np

        from windrow.expressions.evaluation import Input, evaluate

        kinds = {column.name: column.type for column in table.writable}
        nothing = Input([], np.zeros(1, np.int64))
        return {
            name: evaluate(cast_to(value, kinds[name], time_zone=self._zone), nothing).to_pylist()[0]
            for name, value in self._fixed(node, table, text).items()
        }

    def explained(self, text: str) -> str:
        """The plan of a query, or of one that is inserted.

        Raises:
            SqlError: it is neither, or cannot be had.
        """
        return self._plan_of(_only(text), text)

    def _explain(self, node: Any, text: str) -> TableResult:
        return TableResult([Column("result", lt.STRING)], lines=[[self._plan_of(node.this, text)]], plain=True)

    def plan_of_inserts(self, inserts: Sequence[tuple[str, Relation, Any]], text: str) -> str:
        """The plan of the one job that does some inserts.

        Raises:
            UsageError: there are none.
            SqlError: one of them cannot be had.
        """
        if not inserts:
            msg = "the statement set has no INSERT INTO: add_insert_sql and add_insert add one"
            raise UsageError(msg)
        for name, relation, at in inserts:
            self._written(name, relation, text, at)  # what is wrong is said here
        return self._environment._explained([(f"Sink: {name}", relation) for name, relation, _ in inserts])

    def _plan_of(self, inner: Any, text: str) -> str:
        if isinstance(inner, s.StatementSet):
            return self.plan_of_inserts([self._insert_of(each, text) for each in inner.expressions], text)
        if isinstance(inner, s.InsertStatement):
            return self.plan_of_inserts([self._insert_of(inner, text)], text)
        return self._environment._explained([("Collect", self.binder(text).bind(inner))])

    def _set(self, node: Any, text: str) -> TableResult:
        config = self._environment.get_config()
        key = node.args.get("key")
        if key is None:
            pairs = sorted(config.get_configuration().to_dict().items())
            return TableResult([Column("key", lt.STRING), Column("value", lt.STRING)], lines=[list(p) for p in pairs])
        try:
            config.set(key.name, node.args["value"].name)
        except ConfigurationError as error:
            raise sql_error(text, key, str(error)) from error.__cause__
        return TableResult([])


def overwriting(name: str) -> Any:
    """The table that an ``INSERT OVERWRITE`` names, as a part of that."""
    table = exp.Table(this=exp.Identifier(this=name, quoted=True))
    return s.InsertStatement(this=table, overwrite=True).this


def resolved(target: str) -> Any:
    """Import what a module has under a name: ``package.module.attribute``.

    Raises:
        ImportError: there is no such module.
        AttributeError: it has nothing of that name.

    Example:
        >>> resolved("math.floor")
        <built-in function floor>
    """
    module, _, attribute = target.rpartition(".")
    if not module:
        msg = "write 'module.attribute'"
        raise ImportError(msg)
    return getattr(import_module(module), attribute)


def _places(node: Any) -> dict[str, Any]:
    """The options and definitions that stand in a statement, as :func:`placed` takes them."""
    return {"options": node.args.get("options") or (), "definitions": node.args.get("expressions") or ()}


def _only(text: str) -> Any:
    found = d.parse(text)
    if len(found) != 1:
        msg = f"one statement is expected; got {len(found)}"
        raise SqlError(msg)
    return found[0]


def _listed(columns: Sequence[Column]) -> str:
    return ", ".join(f"{column.name} {name_of(column.type)}" for column in columns)
