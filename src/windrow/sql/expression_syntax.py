"""The syntax of expressions and types: functions with words among their arguments, intervals, names of types.

Functions keep the names and arguments that were written; what they mean is known to :mod:`windrow.expressions`.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp, parser
from sqlglot.tokens import TokenType

from windrow.sql.quantified import quantified
from windrow.sql.syntax import Descriptor, JsonCall, JsonMade, SpanInterval

#: What text of JSON may be asked to be.
JSON_KINDS = ("VALUE", "SCALAR", "ARRAY", "OBJECT")
_INTERVAL_UNITS = frozenset({"YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "WEEK", "QUARTER", "MILLISECOND"})


def _no_paren(name: str) -> Any:
    return lambda _self: exp.Anonymous(this=name, expressions=[])


class ExpressionSyntax(parser.Parser):
    """Expressions and types of Flink's SQL."""

    FUNCTIONS: dict[str, Any] = {}
    FUNCTION_PARSERS = {
        "CAST": lambda self: self._flink_cast(try_=False),
        "TRY_CAST": lambda self: self._flink_cast(try_=True),
        "EXTRACT": lambda self: self._flink_extract(),
        "TRIM": lambda self: self._flink_trim(),
        "SUBSTRING": lambda self: self._flink_from_for("SUBSTRING"),
        "OVERLAY": lambda self: self._flink_overlay(),
        "POSITION": lambda self: self._flink_position(),
        "CEIL": lambda self: self._flink_to_unit("CEIL"),
        "CEILING": lambda self: self._flink_to_unit("CEIL"),
        "FLOOR": lambda self: self._flink_to_unit("FLOOR"),
        "TIMESTAMPDIFF": lambda self: self._flink_unit_first("TIMESTAMPDIFF"),
        "TIMESTAMPADD": lambda self: self._flink_unit_first("TIMESTAMPADD"),
        "DESCRIPTOR": lambda self: self._flink_descriptor(),
        "JSON_VALUE": lambda self: self._flink_json("JSON_VALUE", ("NULL", "ERROR")),
        "JSON_QUERY": lambda self: self._flink_json("JSON_QUERY", ("NULL", "ERROR", "EMPTY ARRAY", "EMPTY OBJECT")),
        "JSON_EXISTS": lambda self: self._flink_json("JSON_EXISTS", ("TRUE", "FALSE", "UNKNOWN", "ERROR")),
        "JSON_OBJECT": lambda self: self._flink_json_made("JSON_OBJECT", "NULL"),
        "JSON_OBJECTAGG": lambda self: self._flink_json_aggregate("JSON_OBJECTAGG", "NULL"),
        "JSON_ARRAYAGG": lambda self: self._flink_json_aggregate("JSON_ARRAYAGG", "ABSENT"),
        "JSON_ARRAY": lambda self: self._flink_json_made("JSON_ARRAY", "ABSENT"),
    }
    NO_PAREN_FUNCTION_PARSERS = {
        "CASE": lambda self: self._parse_case(),
        **{
            name: _no_paren(name)
            for name in ("CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP")
        },
    }
    NO_PAREN_FUNCTIONS: dict[Any, Any] = {}
    INTERVAL_VARS: set[Any] = set()

    # Operators

    def _parse_equality(self) -> Any:
        return quantified(super()._parse_equality())

    def _parse_comparison(self) -> Any:
        return quantified(super()._parse_comparison())

    def _parse_is(self, this: Any) -> Any:
        """``IS JSON`` with a kind, and none of the words that other dialects have behind it."""
        index = self._index
        negated = self._match(TokenType.NOT)
        if not self._match(TokenType.JSON):
            self._retreat(index)
            return super()._parse_is(this)
        kind = next((word for word in JSON_KINDS if self._match_text_seq(word)), JSON_KINDS[0])
        made = exp.Is(this=this, expression=exp.JSON(this=kind))
        return exp.Not(this=made) if negated else made

    # Types

    def _flink_type(self) -> Any:
        """A type by its words, as ``exp.Anonymous``: name, numbers in parentheses, types in angle brackets."""
        token = self._curr
        if token is None or token.token_type == TokenType.SENTINEL:
            self.raise_error("a type is expected here")
            return None
        self._advance()
        name = token.text.upper()
        if name == "INTERVAL":
            self.raise_error("INTERVAL is not supported as a type: write n * INTERVAL '1' DAY")
        if name == "DOUBLE":
            self._match_text_seq("PRECISION")
        arguments: list[Any] = []
        if name == "ROW" and (self._match(TokenType.LT) or self._match(TokenType.L_PAREN)):
            closing = TokenType.GT if self._prev.token_type == TokenType.LT else TokenType.R_PAREN
            arguments = self._parse_csv(self._flink_field)
            self._match(closing)
        elif self._match(TokenType.L_PAREN):
            arguments = self._parse_csv(self._parse_number)
            self._match_r_paren()
        elif self._match(TokenType.LT):
            arguments = self._parse_csv(self._flink_nullable_type)
            if not self._match(TokenType.GT):
                self.raise_error("> is expected here")
        if name in ("TIMESTAMP", "TIME"):
            if self._match_text_seq("WITH", "LOCAL", "TIME", "ZONE"):
                name += "_LTZ"
            else:
                self._match_text_seq("WITHOUT", "TIME", "ZONE")
        made: Any = exp.Anonymous(this=name, expressions=arguments).update_positions(token)
        while self._match_text_seq("ARRAY") or self._match_text_seq("MULTISET"):
            made = exp.Anonymous(this=self._prev.text.upper(), expressions=[made]).update_positions(token)
        return made

    def _flink_nullable_type(self) -> Any:
        kind = self._flink_type()
        if self._match_text_seq("NOT", "NULL"):
            kind.set("not_null", True)
        else:
            self._match_text_seq("NULL")
        return kind

    def _flink_field(self) -> Any:
        name = self._parse_id_var()
        return exp.Tuple(expressions=[name, self._flink_nullable_type()])

    # Functions with words among their arguments

    def _flink_cast(self, *, try_: bool) -> Any:
        this = self._parse_disjunction()
        self._match_text_seq("AS")
        return (exp.TryCast if try_ else exp.Cast)(this=this, to=self._flink_type())

    def _flink_extract(self) -> Any:
        unit = self._flink_unit()
        self._match_text_seq("FROM")
        return exp.Anonymous(this="EXTRACT", expressions=[unit, self._parse_disjunction()])

    def _flink_unit(self) -> Any:
        token = self._curr
        self._advance()
        return exp.Var(this=token.text.upper()).update_positions(token)

    def _flink_unit_first(self, name: str) -> Any:
        unit = self._flink_unit()
        self._match(TokenType.COMMA)
        return exp.Anonymous(this=name, expressions=[unit, *self._parse_csv(self._parse_disjunction)])

    def _flink_to_unit(self, name: str) -> Any:
        arguments = [self._parse_disjunction()]
        if self._match_text_seq("TO"):
            arguments.append(self._flink_unit())
        return exp.Anonymous(this=name, expressions=arguments)

    def _flink_trim(self) -> Any:
        side = "BOTH"
        for word in ("BOTH", "LEADING", "TRAILING"):
            if self._match_text_seq(word):
                side = word
        first = None if self._match_text_seq("FROM") else self._parse_bitwise()
        if first is None:
            return exp.Anonymous(this="TRIM", expressions=[exp.Var(this=side), self._parse_bitwise()])
        if self._match_text_seq("FROM"):
            return exp.Anonymous(this="TRIM", expressions=[exp.Var(this=side), self._parse_bitwise(), first])
        return exp.Anonymous(this="TRIM", expressions=[exp.Var(this=side), first])

    def _flink_from_for(self, name: str) -> Any:
        arguments = [self._parse_bitwise()]
        for word in ("FROM", "FOR"):
            if self._match(TokenType.COMMA) or self._match_text_seq(word):
                arguments.append(self._parse_bitwise())
        return exp.Anonymous(this=name, expressions=arguments)

    def _flink_overlay(self) -> Any:
        arguments = [self._parse_bitwise()]
        for word in ("PLACING", "FROM", "FOR"):
            if self._match_text_seq(word):
                arguments.append(self._parse_bitwise())
        return exp.Anonymous(this="OVERLAY", expressions=arguments)

    def _flink_position(self) -> Any:
        needle = self._parse_bitwise()
        self._match_text_seq("IN")
        return exp.Anonymous(this="POSITION", expressions=[needle, self._parse_bitwise()])

    def _flink_json(self, name: str, words: tuple[str, ...]) -> Any:
        """Text and path, then what is returned, wrapped, and given where there is nothing or something is wrong."""
        made = JsonCall(this=name, expressions=self._parse_csv(self._parse_disjunction))
        if name == "JSON_VALUE" and self._match_text_seq("RETURNING"):
            made.set("returning", self._flink_type())
        if name == "JSON_QUERY":
            made.set("wrapper", self._flink_wrapper())
        while self._curr is not None and self._curr.token_type != TokenType.R_PAREN:
            default = None
            if name == "JSON_VALUE" and self._match_text_seq("DEFAULT"):
                does, default = "DEFAULT", self._parse_unary()
            else:
                does = next((each for each in words if self._match_text_seq(*each.split())), "")
            if not does or not self._match_text_seq("ON"):
                self.raise_error(f"{name} takes {', '.join(words)}, and then ON EMPTY or ON ERROR")
            key = "empty" if name != "JSON_EXISTS" and self._match_text_seq("EMPTY") else "error"
            if key == "error" and not self._match_text_seq("ERROR"):
                self.raise_error(f"{name} takes ON {'' if name == 'JSON_EXISTS' else 'EMPTY or ON '}ERROR")
            made.set(key, does)
            made.set(f"{key}_default", default)
        plain = not any(made.args.get(key) for key in ("returning", "wrapper", "empty", "error"))
        return exp.Anonymous(this=name, expressions=made.expressions) if plain else made

    def _flink_json_aggregate(self, name: str, on_null: str) -> Any:
        """A value, behind its key if it is an object that is made, and what becomes of NULL as the last argument."""
        made = self._flink_json_made(name, on_null)
        does = exp.Var(this=made.args["on_null"])
        return exp.Anonymous(this=name, expressions=[*made.args["keys"], *made.expressions, does])

    def _flink_json_made(self, name: str, on_null: str) -> Any:
        """Keys and values, or values alone, and what becomes of NULL."""
        made = JsonMade(this=name, keys=[], expressions=[], on_null=on_null)
        while self._curr is not None and self._curr.token_type != TokenType.R_PAREN:
            does = next((word for word in ("NULL", "ABSENT") if self._match_text_seq(word, "ON", "NULL")), None)
            if does is not None:
                made.set("on_null", does)
                break
            if name.startswith("JSON_OBJECT"):
                made.append("keys", self._flink_json_key())
            value = self._parse_disjunction()
            if value is None:
                self.raise_error(f"a value is expected here, among the arguments of {name}")
            made.append("expressions", value)
            self._match(TokenType.COMMA)
        return made

    def _flink_json_key(self) -> Any:
        if self._curr.text.upper() == "KEY" and self._next is not None and self._next.text.upper() != "VALUE":
            self._advance()
        key = self._parse_disjunction()
        if not self._match_text_seq("VALUE"):
            self.raise_error("an object takes KEY 'name' VALUE value")
        return key

    def _flink_wrapper(self) -> str:
        """Of JSON_QUERY: WRAPPER for an array around anything, CONDITIONAL around what is none; empty: as it is."""
        made = ""
        if self._match_text_seq("WITH"):
            made = "CONDITIONAL" if self._match_text_seq("CONDITIONAL") else "WRAPPER"
            self._match_text_seq("UNCONDITIONAL")
        elif not self._match_text_seq("WITHOUT"):
            return ""
        self._match_text_seq("ARRAY")
        if not self._match_text_seq("WRAPPER"):
            self.raise_error("WRAPPER is expected here")
        return made

    def _flink_descriptor(self) -> Any:
        return Descriptor(expressions=self._parse_csv(self._parse_id_var))

    def _parse_interval(self, *_: Any, **__: Any) -> Any:
        if self._next is None or self._next.token_type != TokenType.STRING:
            return None
        if not self._match(TokenType.INTERVAL):
            return None
        start = self._prev
        text = self._parse_string()
        unit = self._flink_interval_unit()
        last = self._flink_interval_unit() if self._match_text_seq("TO") else None
        return SpanInterval(this=text, unit=unit, last=last).update_positions(start)

    def _flink_interval_unit(self) -> Any:
        token = self._curr
        word = token.text.upper() if token else ""
        if word.removesuffix("S") not in _INTERVAL_UNITS:
            self.raise_error(f"a unit such as MINUTE is expected behind INTERVAL '...'; got {word}")
        self._advance()
        if self._match(TokenType.L_PAREN):  # the number of digits
            self._parse_csv(self._parse_number)
            self._match_r_paren()
        return exp.Var(this=word.removesuffix("S"))
