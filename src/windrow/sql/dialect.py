"""Flink's SQL for sqlglot, which has no dialect of that name: statements, and a text that has some."""

from __future__ import annotations

import re
from typing import Any

try:
    from sqlglot import exp, generator, tokens
    from sqlglot.dialects.dialect import Dialect
    from sqlglot.errors import ParseError, TokenError
    from sqlglot.tokens import TokenType
except ImportError as error:
    _msg = "SQL needs the package sqlglot, which is not installed: pip install 'windrow[sql]'"
    raise ImportError(_msg) from error

from windrow.errors import SqlError
from windrow.sql.beginnings import check_beginning
from windrow.sql.clauses import refuse_unread
from windrow.sql.commas import check_commas
from windrow.sql.errors import Place, refused, syntax_error
from windrow.sql.syntax import (
    CreateFunction,
    CreateView,
    DescribeStatement,
    DropFunction,
    DropStatement,
    ExplainStatement,
    InsertStatement,
    Named,
    ResetStatement,
    SetStatement,
    ShowStatement,
    StatementSet,
    UseStatement,
    WindowTable,
)
from windrow.sql.table_syntax import TableSyntax
from windrow.sql.writing import FORMS

#: What sqlglot reads as signs and words of their own, which are none in Flink.
_NAMES = frozenset(
    {"==", "GLOB", "ISNULL", "LOCK", "NOTNULL", "PARTITIONED_BY", "REGEXP", "RETURNING", "UNCACHE", "XOR"}
)
#: How sqlglot shows a token, and what it says of something that does not end.
_TOKEN = re.compile(r"<Token token_type: TokenType\.(\w+), text: (.*?), line: [^>]*>")
_BROKEN = re.compile(r"(.*) from \d+:(\d+)")
#: What EXPLAIN may be asked for: it shows the same.
_DETAILS = ("ESTIMATED_COST", "CHANGELOG_MODE", "JSON_EXECUTION_PLAN", "PLAN_ADVICE")
_COMMENT = "a comment that begins with /* does not end with */"
_UNENDED = {
    "Missing '": "a text that begins with an apostrophe does not end with one",
    "Missing `": "a name that begins with a backtick does not end with one",
    "Numeric string contains invalid characters": "x'...' takes the digits 0 to 9 and A to F",
}


class Flink(Dialect):
    """Backticks around names, apostrophes around text, names keep their case."""

    NORMALIZATION_STRATEGY = "case_sensitive"

    class Tokenizer(tokens.Tokenizer):
        """Backticks, apostrophes, and no statement that is taken as it is."""

        IDENTIFIERS = ["`"]
        QUOTES = ["'"]
        STRING_ESCAPES = ["'"]
        HEX_STRINGS = [("x'", "'"), ("X'", "'")]
        COMMENTS = ["--", ("/*", "*/")]
        TOKENS_PRECEDING_HINT = set(TokenType)  # elsewhere hints would be taken for comments
        # Statements that sqlglot would take as they are, and words that Flink lets be names.
        KEYWORDS = {
            name: kind
            for name, kind in tokens.Tokenizer.KEYWORDS.items()
            if name
            not in {
                "==",
                "GLOB",
                "ISNULL",
                "LOCK",
                "NOTNULL",
                "PARTITIONED_BY",
                "REGEXP",
                "RETURNING",
                "UNCACHE",
                "XOR",
            }
            and kind
            not in {
                TokenType.COMMAND,
                TokenType.SHOW,
                TokenType.DESCRIBE,
                TokenType.DESC,
                TokenType.USE,
                TokenType.BEGIN,
                TokenType.END,
                TokenType.CURRENT_DATE,
                TokenType.CURRENT_TIME,
                TokenType.CURRENT_TIMESTAMP,
                TokenType.SESSION,
                TokenType.EXECUTE,
            }
        } | {"DESC": TokenType.DESC, "END": TokenType.END}

    class Parser(TableSyntax):
        """Statements of Flink's."""

        # END is no name, unless in backticks: it ends CASE and statement sets.
        ID_VAR_TOKENS = TableSyntax.ID_VAR_TOKENS - {TokenType.END}
        ALIAS_TOKENS = TableSyntax.ALIAS_TOKENS - {TokenType.END}
        TABLE_ALIAS_TOKENS = TableSyntax.TABLE_ALIAS_TOKENS - {TokenType.END}

        # Statements

        def _parse_statement(self) -> Any:
            if self._curr is None:
                return None
            for words, parse in self._statements():
                if self._match_text_seq(*words):
                    return parse()
            if self._match_text_seq("EXECUTE", "STATEMENT", "SET"):
                return self._flink_statement_set()
            if self._match_text_seq("EXECUTE", "INSERT"):
                return self._flink_insert()
            if self._match_text_seq("BEGIN", "STATEMENT", "SET"):
                return self._flink_statement_set(begun=True)
            return self._flink_query()

        def _statements(self) -> list[tuple[tuple[str, ...], Any]]:
            return [
                (("CREATE",), self._flink_create),
                (("ALTER",), self._flink_alter),
                (("DROP",), self._flink_drop),
                (("SHOW",), self._flink_show),
                (("DESCRIBE",), self._flink_describe),
                (("DESC",), self._flink_describe),
                (("EXPLAIN",), self._flink_explain),
                (("SET",), self._flink_set),
                (("RESET",), self._flink_reset),
                (("USE",), self._flink_use),
                (("INSERT",), self._flink_insert),
            ]

        def _flink_create(self) -> Any:
            replace = bool(self._match_text_seq("OR", "REPLACE"))
            temporary = bool(self._match_text_seq("TEMPORARY"))
            if self._match_text_seq("TABLE"):
                return self._flink_create_table(temporary=temporary, replace=replace)
            if self._match_text_seq("VIEW"):
                exists = self._flink_if_not_exists()
                name = self._parse_table_parts(schema=True)
                columns = self._parse_wrapped_id_vars() if self._match(TokenType.L_PAREN, advance=False) else None
                comment = self._flink_comment()
                if not self._match_text_seq("AS"):
                    self.raise_error("CREATE VIEW is written CREATE VIEW name AS query: AS is expected here")
                made = CreateView(
                    this=name, columns=columns, exists=exists, replace=replace, temporary=temporary, comment=comment
                )
                for key, part in self._flink_query_and_source().items():
                    made.set(key, part)
                return made
            system = bool(self._match_text_seq("SYSTEM"))
            if self._match_text_seq("FUNCTION"):
                return self._flink_create_function(temporary=temporary, system=system)
            self._flink_refuse_kind("CREATE takes TABLE, VIEW or FUNCTION")
            return None

        def _flink_create_function(self, *, temporary: bool, system: bool) -> Any:
            exists = self._flink_if_not_exists()
            name = self._parse_table_parts(schema=True)
            if not self._match_text_seq("AS"):
                self.raise_error("CREATE FUNCTION is written name AS 'module.attribute' LANGUAGE PYTHON")
            target = self._parse_string()
            language = self._parse_id_var() if self._match_text_seq("LANGUAGE") else None
            return CreateFunction(
                this=name, target=target, language=language, exists=exists, system=system, temporary=temporary
            )

        def _flink_drop(self) -> Any:
            temporary = bool(self._match_text_seq("TEMPORARY"))
            system = bool(self._match_text_seq("SYSTEM"))
            if self._match_text_seq("FUNCTION"):
                exists = bool(self._match_text_seq("IF", "EXISTS"))
                name = self._parse_table_parts(schema=True)
                return DropFunction(this=name, exists=exists, system=system, temporary=temporary)
            if system:
                self.raise_error("SYSTEM stands before FUNCTION")
            kind = "VIEW" if self._match_text_seq("VIEW") else "TABLE"
            if kind == "TABLE" and not self._match_text_seq("TABLE"):
                self._flink_refuse_kind("DROP takes TABLE, VIEW or FUNCTION")
            exists = bool(self._match_text_seq("IF", "EXISTS"))
            name = self._parse_table_parts(schema=True)
            return DropStatement(this=name, kind=kind, exists=exists, temporary=temporary)

        def _flink_show(self) -> Any:
            words: list[str] = []
            made = ShowStatement()
            while self._curr is not None and self._curr.token_type not in (TokenType.SEMICOLON, TokenType.SENTINEL):
                is_named = words in (["CREATE", "TABLE"], ["CREATE", "VIEW"])
                if is_named or (words and (self._match_text_seq("FROM") or self._match_text_seq("IN"))):
                    made.set("this", self._parse_table_parts(schema=True))
                elif words and self._curr.text.upper() in ("NOT", "LIKE", "ILIKE"):
                    made.set("negated", bool(self._match_text_seq("NOT")))
                    made.set("any_case", not self._match_text_seq("LIKE") and bool(self._match_text_seq("ILIKE")))
                    made.set("pattern", self._parse_string())
                else:
                    words.append(self._curr.text.upper())
                    self._advance()
            made.set("kind", " ".join(words))
            return made

        def _flink_describe(self) -> Any:
            if self._next is not None and self._next.token_type not in (TokenType.SEMICOLON, TokenType.SENTINEL):
                self._match_text_seq("EXTENDED")  # shows no more
            return DescribeStatement(this=self._parse_table_parts(schema=True))

        def _flink_explain(self) -> Any:
            while any(self._match_text_seq(each) for each in _DETAILS):
                self._match(TokenType.COMMA)
            if not self._match_text_seq("PLAN", "FOR"):
                self._match_text_seq("AST", "FOR")
            of_set = self._match_text_seq("STATEMENT", "SET")
            return ExplainStatement(this=self._flink_statement_set() if of_set else self._parse_statement())

        def _flink_set(self) -> Any:
            key = self._parse_string()
            if key is None:
                return SetStatement()
            if not self._match(TokenType.EQ):
                self.raise_error("SET is written SET 'key' = 'value'")
            value = self._parse_string()
            if value is None:
                self.raise_error("SET is written SET 'key' = 'value'")
            return SetStatement(key=key, value=value)

        def _flink_reset(self) -> Any:
            return ResetStatement(key=self._parse_string())

        def _flink_use(self) -> Any:
            catalog = bool(self._match_text_seq("CATALOG"))
            return UseStatement(this=self._parse_table_parts(schema=True), catalog=catalog)

        def _flink_insert(self) -> Any:
            overwrite = bool(self._match_text_seq("OVERWRITE"))
            if not overwrite and not self._match_text_seq("INTO"):
                self.raise_error("INSERT is followed by INTO or OVERWRITE, and a table")
            name = self._parse_table_parts(schema=True)
            partition = None
            if self._match_text_seq("PARTITION"):
                partition = self._parse_wrapped_csv(self._flink_partition)
            columns = None
            if self._match(TokenType.L_PAREN, advance=False) and self._next.text.upper() not in ("SELECT", "VALUES"):
                columns = self._parse_wrapped_id_vars()
            query = self._flink_query()
            return InsertStatement(
                this=name, columns=columns, expression=query, overwrite=overwrite, partition=partition
            )

        def _flink_partition(self) -> Any:
            name = self._parse_id_var()
            if not self._match(TokenType.EQ):
                return exp.Tuple(expressions=[name])
            return exp.Tuple(expressions=[name, self._parse_unary()])

        def _flink_statement_set(self, *, begun: bool = False) -> Any:
            if not (begun or self._match_text_seq("BEGIN")):
                self.raise_error("BEGIN is expected behind STATEMENT SET")
            inserts = []
            while self._match_text_seq("INSERT"):
                inserts.append(self._flink_insert())
                # Semicolons within a set are no tokens: they would end it.
                is_last = self._curr is None or self._curr.token_type == TokenType.SENTINEL
                if not is_last and ";" not in self.sql[self._prev.end + 1 : self._curr.start]:
                    self.raise_error("a semicolon is expected behind each INSERT INTO of a statement set")
            if not inserts or not self._match_text_seq("END"):
                self.raise_error("END is expected behind the last INSERT INTO of a statement set")
            return StatementSet(expressions=inserts)

        # Queries

        def _parse_table(self, *arguments: Any, **options: Any) -> Any:
            """``TABLE(TUMBLE(...))`` is the function without the word around it."""
            if self._curr and self._curr.text.upper() == "TABLE" and self._next.token_type == TokenType.L_PAREN:
                self._advance(2)
                function = self._parse_function()
                self._match_r_paren()
                made = exp.Table(this=function)
                alias = self._parse_table_alias()
                if alias:
                    made.set("alias", alias)
                for join in self._parse_joins() if options.get("joins") else ():
                    made.append("joins", join)
                return made
            return super()._parse_table(*arguments, **options)

        def _parse_version(self) -> Any:
            """``FOR SYSTEM_TIME AS OF``, and nothing that other dialects write in its place."""
            if not self._match_text_seq("FOR", "SYSTEM_TIME"):
                return None
            if not self._match_text_seq("AS", "OF"):
                self.raise_error("AS OF is expected behind FOR SYSTEM_TIME")
            return exp.Version(this="TIMESTAMP", kind="AS OF", expression=self._parse_bitwise())

        def _parse_table_parts(self, schema: bool = False, *arguments: Any, **options: Any) -> Any:
            """The name of a table, and behind one that is read options in place of its own."""
            made = super()._parse_table_parts(schema, *arguments, **options)
            if not schema and self._match(TokenType.HINT):
                hint = self._prev.comments[0]
                try:
                    given: Any = Flink.Parser(dialect=Flink())._parse(Flink.Parser._flink_hint, _tokens(hint), hint)
                except (ParseError, SqlError):
                    self.raise_error("a hint is written /*+ OPTIONS('key' = 'value') */")
                else:
                    for each in given[0].walk():  # their places are those in the hint, and not in the statement
                        each.meta.pop("start", None)
                    made.set("hints", given[0].expressions)
            return made

        def _flink_hint(self) -> Any:
            if not self._match_text_seq("OPTIONS"):
                self.raise_error("OPTIONS is expected here")
            return exp.Tuple(expressions=self._flink_options())

        def _parse_lambda(self, alias: bool = False) -> Any:
            if self._next.token_type == TokenType.FARROW:
                name = self._curr.text
                self._advance(2)
                return Named(this=exp.Identifier(this=name), expression=self._parse_lambda())
            if self._curr and self._curr.text.upper() == "TABLE" and self._next.token_type != TokenType.L_PAREN:
                self._advance()
                return self._flink_window_table()
            return super()._parse_lambda(alias)

        def _flink_window_table(self) -> Any:
            table = self._parse_table_parts()
            partition = None
            if self._match(TokenType.PARTITION_BY):
                if self._match(TokenType.L_PAREN):
                    partition = self._parse_csv(self._parse_column)
                    self._match_r_paren()
                else:  # the comma behind a name may begin the next argument
                    partition = [self._parse_column()]
                    while self._flink_another_name():
                        self._advance()
                        partition += [self._parse_column()]
            return WindowTable(this=table, partition=partition)

        def _flink_another_name(self) -> bool:
            if self._curr is None or self._curr.token_type != TokenType.COMMA or self._next is None:
                return False
            after = self._tokens[self._index + 2] if self._index + 2 < len(self._tokens) else None
            return after is not None and after.token_type in (TokenType.COMMA, TokenType.R_PAREN)

    class Generator(generator.Generator):
        """Writes expressions of tables as SQL again."""

        TRANSFORMS = generator.Generator.TRANSFORMS | dict(FORMS)


def parse_type(text: str) -> Any:
    """A type by itself, as parts of statements name them.

    Example:
        >>> parse_type("DECIMAL(10, 2)").this
        'DECIMAL'
    """
    return parse(f"SELECT CAST(NULL AS {text})")[0].expressions[0].args["to"]


def written(node: exp.Expression) -> str:
    """An expression as text, with all names between backticks."""
    return node.sql(dialect=Flink, identify=True)


def parse(text: str) -> list[exp.Expression]:
    """The statements of a text, which end with semicolons.

    Raises:
        SqlError: the text is no SQL, with the place where it stops to be, or it has a clause that nothing reads.

    Example:
        >>> [type(each).__name__ for each in parse("SHOW TABLES; SELECT 1")]
        ['ShowStatement', 'Select']
    """
    try:
        statements = [each for each in _statements_of(text) if each is not None]
    except ParseError as error:
        first = error.errors[0] if error.errors else {}
        highlight = str(first.get("highlight") or "")
        place = Place(int(first.get("line") or 1), max(int(first.get("col") or 1) - len(highlight) + 1, 1))
        raise syntax_error(text, place, _in_words(str(first.get("description") or error), highlight)) from None
    for statement in statements:
        refuse_unread(statement, text)
    return statements


def _in_words(description: str, highlight: str) -> str:
    """Say what the parser says, without its own words for tokens."""
    if description.startswith("Invalid expression") and highlight:
        return f"{highlight!r} is not expected here"
    if description.startswith("Required keyword"):
        return "something is missing here"
    return _TOKEN.sub(lambda found: "the end" if found[1] == "SENTINEL" else repr(found[2]), description)


def _tokens(text: str) -> list[Any]:
    """The words and signs of a text.

    Raises:
        SqlError: something in it has no end.
    """
    try:
        return list(Flink().tokenize(text))
    except TokenError as error:
        said = _BROKEN.fullmatch(str(error.__cause__))
        what = _COMMENT if said is None else said[1]
        before = text[: text.rfind("/*") if said is None else int(said[2])]
        place = Place(before.count("\n") + 1, len(before) - before.rfind("\n"))
        raise syntax_error(text, place, _UNENDED.get(what, what)) from None


def _statements_of(text: str) -> list[Any]:
    reading = _Statements(dialect=Flink())
    found = _tokens(text)
    for token in found:
        if token.token_type == TokenType.HEX_STRING and text[token.start] == "0":
            place = Place(token.line, max(token.col - (token.end - token.start), 1))
            raise syntax_error(text, place, "bytes are written x'...'")
        if token.token_type == TokenType.HINT and not token.comments[0].strip().upper().startswith("OPTIONS"):
            place = Place(token.line, max(token.col - 2, 1))
            raise refused(
                text, place, "of hints there is OPTIONS: /*+ OPTIONS('key' = 'value') */ behind a table that is read"
            )
        if token.text.upper() == "MATCH_RECOGNIZE" and token.token_type not in (TokenType.IDENTIFIER, TokenType.STRING):
            place = Place(token.line, max(token.col - len(token.text) + 1, 1))
            message = "MATCH_RECOGNIZE is not supported: look for patterns in a KeyedProcessFunction"
            raise refused(text, place, message)
    chunks = _chunks(found)
    for chunk in chunks:
        check_beginning(chunk[0], text)
        check_commas(chunk, text)
    return [each for chunk in chunks for each in reading.of(chunk, text)]


def statements_of(text: str) -> list[str]:
    """The statements of a text by themselves, each behind so much space that places in it are those in the text.

    Raises:
        SqlError: the text is no SQL.

    Example:
        >>> statements_of("SHOW VIEWS; SHOW TABLES")
        ['SHOW VIEWS', '            SHOW TABLES']
    """
    made = []
    for chunk in _chunks(_tokens(text)):
        start, end = chunk[0].start, chunk[-1].end + 1
        before = text[:start]
        made.append("\n" * before.count("\n") + " " * (start - before.rfind("\n") - 1) + text[start:end])
    return made


def is_complete(text: str) -> bool:
    """Tell whether a text ends where a statement does: with a semicolon, but not one within a statement set.

    Example:
        >>> [is_complete(each) for each in ("SELECT 1", "SELECT 1; -- one", "SELECT ';")]
        [False, True, False]
        >>> is_complete("EXECUTE STATEMENT SET BEGIN INSERT INTO t SELECT 1;")
        False
    """
    try:
        chunks = _split(_tokens(text))
    except SqlError:
        return False
    return len(chunks) > 1 and not chunks[-1]


def _chunks(all_tokens: list[Any]) -> list[list[Any]]:
    """The tokens of each statement."""
    return [chunk for chunk in _split(all_tokens) if chunk]


def _split(all_tokens: list[Any]) -> list[list[Any]]:
    """The tokens of each statement, and those behind the last semicolon; what stands between BEGIN and END is one."""
    chunks: list[list[Any]] = [[]]
    in_set = after_semicolon = False
    for token in all_tokens:
        word = token.text.upper()
        if word == "SET" and chunks[-1] and chunks[-1][-1].text.upper() == "STATEMENT":
            in_set = True
        if in_set and word == "END" and after_semicolon:
            in_set = False
        is_end = token.token_type == TokenType.SEMICOLON
        if is_end and not in_set:
            chunks.append([])
        elif is_end:
            after_semicolon = True  # the word that follows begins the next statement of the set
        else:
            chunks[-1].append(token)
            after_semicolon = False
    return chunks


class _Statements(Flink.Parser):
    """Reads one statement."""

    def of(self, chunk: list[Any], text: str) -> list[Any]:
        """The statement that tokens are, as nodes."""
        return list(self._parse(Flink.Parser._parse_statement, chunk, text))
