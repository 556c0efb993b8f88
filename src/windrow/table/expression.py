"""Expressions of the Table API: what is written of columns, before anybody knows their types."""

from __future__ import annotations

from enum import Enum
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any

from windrow.absent.explained import ExplainsAbsentMethods
from windrow.common.checks import instance_of, text
from windrow.errors import ConfigurationTypeError
from windrow.table.expression_options import (
    JsonExistsOnError,
    JsonOnNull,
    JsonQueryOnEmptyOrError,
    JsonQueryWrapper,
    JsonType,
    JsonValueOnEmptyOrError,
    TimeIntervalUnit,
    TimePointUnit,
)

if TYPE_CHECKING:
    from windrow.table.data_types import DataType

__all__ = [
    "Expression",
    "JsonExistsOnError",
    "JsonOnNull",
    "JsonQueryOnEmptyOrError",
    "JsonQueryWrapper",
    "JsonType",
    "JsonValueOnEmptyOrError",
    "TimeIntervalUnit",
    "TimePointUnit",
]


def _operator(name: str, *, reverse: bool = False) -> Any:
    def made(self: Expression, other: Any) -> Expression:
        return Expression(name, other, self) if reverse else Expression(name, self, other)

    return made


def _value(name: str, doc: str, kind: str = "call") -> Any:
    """A property: a function of the expression alone."""

    def made(self: Expression) -> Expression:
        return Expression(kind, name, self)

    made.__doc__ = doc
    return property(made)


def _function(name: str, doc: str, parameters: str = "") -> Any:
    """A method: a function of the expression and more arguments.

    Args:
        name: SQL's.
        doc: Its docstring.
        parameters: What it takes besides, by PyFlink's names: ``x=`` may be left out, and ``*x`` takes any number.
    """
    takes = parameters.split(", ") if parameters else []
    signature = Signature([_parameter("self"), *[_parameter(each) for each in takes]])

    def made(self: Expression, *given: Any, **named: Any) -> Expression:
        arguments = list(signature.bind(self, *given, **named).args[1:])
        while arguments and arguments[-1] is None and len(arguments) > required:
            arguments.pop()
        return Expression("call", name, self, *arguments)

    required = sum(not each.endswith("=") and not each.startswith("*") for each in takes)
    made.__doc__, made.__signature__ = doc, signature  # type: ignore[attr-defined]
    return made


def _parameter(spelt: str) -> Parameter:
    if spelt.startswith("*"):
        return Parameter(spelt[1:], Parameter.VAR_POSITIONAL)
    default = None if spelt.endswith("=") else Parameter.empty
    return Parameter(spelt.removesuffix("="), Parameter.POSITIONAL_OR_KEYWORD, default=default)


def _span(unit: str) -> Any:
    """A property: as many units of time as a number says."""

    def made(self: Expression) -> Expression:
        return Expression("interval", self, unit)

    made.__doc__ = f"A span of so many units of time: {unit}."
    return property(made)


class Expression(ExplainsAbsentMethods):
    """An expression of columns (PyFlink's class of the same name): ``col("a") + 1``, ``col("b").sum.alias("total")``.

    Operators are ``+ - * / % **``, ``== != < <= > >=``, and for conditions ``& | ~``, which bind tighter than
    comparisons, so that these stand in parentheses. Values beside an operator are literals.

    Args:
        kind: What it is.
        parts: Of what it is made: expressions, values, names.

    Example:
        >>> from windrow.table.expressions import col
        >>> (col("a") > 1) & col("b").is_null
        AND(>(col(a), 1), IS NULL(col(b)))
    """

    def __init__(self, kind: str, *parts: Any) -> None:
        self._kind = kind
        self._parts = parts

    __eq__ = _operator("=")
    __ne__ = _operator("<>")
    __lt__ = _operator("<")
    __gt__ = _operator(">")
    __le__ = _operator("<=")
    __ge__ = _operator(">=")
    __and__ = _operator("AND")
    __rand__ = _operator("AND", reverse=True)
    __or__ = _operator("OR")
    __ror__ = _operator("OR", reverse=True)
    __add__ = _operator("+")
    __radd__ = _operator("+", reverse=True)
    __sub__ = _operator("-")
    __rsub__ = _operator("-", reverse=True)
    __mul__ = _operator("*")
    __rmul__ = _operator("*", reverse=True)
    __truediv__ = _operator("/")
    __rtruediv__ = _operator("/", reverse=True)
    __mod__ = _operator("%")
    __rmod__ = _operator("%", reverse=True)
    __hash__ = object.__hash__

    def __invert__(self) -> Expression:
        return Expression("IS NOT TRUE", self)

    def __neg__(self) -> Expression:
        return Expression("NEGATE", self)

    def __pow__(self, exponent: Any) -> Expression:
        return Expression("call", "POWER", self, exponent)

    def __rpow__(self, base: Any) -> Expression:
        return Expression("call", "POWER", base, self)

    def __abs__(self) -> Expression:
        return Expression("call", "ABS", self)

    def __getitem__(self, index: Any) -> Expression:
        return self.at(index)

    def __iter__(self) -> Any:
        # Without it Python would take elements by __getitem__ for ever.
        msg = f"an expression is no sequence: {self!r}"
        raise ConfigurationTypeError(msg)

    def __bool__(self) -> bool:
        msg = f"an expression is neither true nor false: join conditions by & | ~ and not by and, or, not: {self!r}"
        raise ConfigurationTypeError(msg)

    def __repr__(self) -> str:
        shown = [str(part) if isinstance(part, str) else repr(part) for part in self._parts]
        if self._kind in ("call", "aggregate", "property", "test"):
            return f"{shown[0]}({', '.join(shown[1:])})"
        return f"{self._kind}({', '.join(shown)})"

    # Names and types

    def alias(self, name: str, *extra_names: str) -> Expression:
        """The expression by a name; a table function takes a name for each of its columns."""
        return Expression("alias", self, text(name, "name"), *[text(each, "extra_names") for each in extra_names])

    def cast(self, data_type: DataType) -> Expression:
        """The expression as another type; a value that does not fit fails the job."""
        return Expression("CAST", self, _type(data_type))

    def try_cast(self, data_type: DataType) -> Expression:
        """The expression as another type; NULL for a value that does not fit."""
        return Expression("TRY_CAST", self, _type(data_type))

    def get(self, name_or_index: str | int) -> Expression:
        """A field of a row, by its name."""
        return Expression("FIELD", self, name_or_index)

    def at(self, index: Any) -> Expression:
        """An element of an array, counted from 1, or of a map by its key."""
        return Expression("ITEM", self, index)

    # Conditions

    def between(self, lower_bound: Any, upper_bound: Any) -> Expression:
        """True if it is from one value to another, both included."""
        return Expression("BETWEEN", self, lower_bound, upper_bound)

    def not_between(self, lower_bound: Any, upper_bound: Any) -> Expression:
        """True if it is less than one value or greater than another."""
        return Expression("NOT", self.between(lower_bound, upper_bound))

    def in_(self, first_element_or_table: Any, *remaining_elements: Any) -> Expression:
        """True if it is one of some values."""
        return Expression("IN", self, first_element_or_table, *remaining_elements)

    def like(self, pattern: Any, escape: Any = None) -> Expression:
        """True if text fits a pattern of ``%`` and ``_``."""
        return Expression("LIKE", self, pattern) if escape is None else Expression("LIKE", self, pattern, escape)

    def similar(self, pattern: Any) -> Expression:
        """True if text fits a regular expression of SQL."""
        return Expression("SIMILAR TO", self, pattern)

    def then(self, if_true: Any, if_false: Any) -> Expression:
        """One value where the expression is true, and else another one."""
        return Expression("call", "IF", self, if_true, if_false)

    def if_null(self, null_replacement: Any) -> Expression:
        """The expression, or a value in place of NULL."""
        return Expression("call", "IFNULL", self, null_replacement)

    is_null = _value("IS NULL", "True if it is NULL.", "test")
    is_not_null = _value("IS NOT NULL", "True if it is not NULL.", "test")
    is_true = _value("IS TRUE", "True if it is true: not false, and not NULL.", "test")
    is_false = _value("IS FALSE", "True if it is false: not true, and not NULL.", "test")
    is_not_true = _value("IS NOT TRUE", "True if it is false or NULL.", "test")
    is_not_false = _value("IS NOT FALSE", "True if it is true or NULL.", "test")

    # Aggregates

    sum = _value("SUM", "The sum; NULL where there is no value.", "aggregate")
    sum0 = _value("SUM0", "The sum; 0 where there is no value.", "aggregate")
    min = _value("MIN", "The least value.", "aggregate")
    max = _value("MAX", "The greatest value.", "aggregate")
    count = _value("COUNT", "The number of values that are not NULL.", "aggregate")
    avg = _value("AVG", "The mean.", "aggregate")
    first_value = _value("FIRST_VALUE", "The first value.", "aggregate")
    last_value = _value("LAST_VALUE", "The last value.", "aggregate")
    stddev_pop = _value("STDDEV_POP", "The standard deviation of a population.", "aggregate")
    stddev_samp = _value("STDDEV_SAMP", "The standard deviation of a sample.", "aggregate")
    var_pop = _value("VAR_POP", "The variance of a population.", "aggregate")
    var_samp = _value("VAR_SAMP", "The variance of a sample.", "aggregate")
    collect = _value("COLLECT", "All values.", "aggregate")
    array_agg = _value("ARRAY_AGG", "All values as an array.", "aggregate")

    def percentile(self, percentage: Any, frequency: Any = None) -> Expression:
        """The value below which a part of the values is, or several, from 0 to 1; each counts ``frequency`` times."""
        return Expression("aggregate", "PERCENTILE", self, percentage, *([] if frequency is None else [frequency]))

    def list_agg(self, separator: str | None = None) -> Expression:
        """All texts as one, with a separator between them; without one a comma."""
        more = () if separator is None else (separator,)
        return Expression("aggregate", "LISTAGG", self, *more)

    @property
    def distinct(self) -> Expression:
        """Of an aggregate: each value counts once."""
        return Expression("distinct", self)

    def over(self, alias: Any) -> Expression:
        """Of an aggregate: over a window of ``Table.over_window``, by its alias."""
        return Expression("over", self, alias)

    # Of order

    @property
    def asc(self) -> Expression:
        """In ``order_by``: the least value first."""
        return Expression("order", self, False)

    @property
    def desc(self) -> Expression:
        """In ``order_by``: the greatest value first."""
        return Expression("order", self, True)

    # Of windows

    start = _value("START", "Of a window by its alias: when it begins.", "property")
    end = _value("END", "Of a window by its alias: when it ends.", "property")
    rowtime = _value("ROWTIME", "Of a window by its alias: its last millisecond, as a time attribute.", "property")
    proctime = _value("PROCTIME", "Of a window by its alias: a time attribute of processing time.", "property")

    # Numbers

    exp = _value("EXP", "e to the power of it.")
    ln = _value("LN", "The natural logarithm.")
    log2 = _value("LOG2", "The logarithm to the base 2.")
    log10 = _value("LOG10", "The logarithm to the base 10.")
    sqrt = _value("SQRT", "The square root.")
    abs = _value("ABS", "The number without its sign.")
    sign = _value("SIGN", "Its sign: -1, 0 or 1.")
    sin, cos, tan, cot = (_value(name, f"{name} of an angle in radians.") for name in ("SIN", "COS", "TAN", "COT"))
    sinh, cosh, tanh = (_value(name, f"{name} of a number.") for name in ("SINH", "COSH", "TANH"))
    asin, acos, atan = (_value(name, f"{name} of a number, in radians.") for name in ("ASIN", "ACOS", "ATAN"))
    degrees = _value("DEGREES", "Degrees of radians.")
    radians = _value("RADIANS", "Radians of degrees.")
    round = _function("ROUND", "The number with so many digits behind the point.", "places")
    truncate = _function("TRUNCATE", "The number cut off behind so many digits.", "n=")
    bin = _value("BIN", "The number in binary digits.")
    hex = _value("HEX", "The number, or text, in hexadecimal digits.")
    unhex = _value("UNHEX", "Bytes of hexadecimal digits.")

    def log(self, base: Any = None) -> Expression:
        """The logarithm to a base; without one the natural one."""
        return self.ln if base is None else Expression("call", "LOG", base, self)

    # Text

    upper_case = _value("UPPER", "Text in upper case.")
    lower_case = _value("LOWER", "Text in lower case.")
    init_cap = _value("INITCAP", "Text whose words begin in upper case.")
    char_length = _value("CHAR_LENGTH", "The number of characters of text.")
    reverse = _value("REVERSE", "Text from its end to its beginning.")
    ascii = _value("ASCII", "The number of the first character.")
    chr = _value("CHR", "The character of a number.")
    from_base64 = _value("FROM_BASE64", "Text of base 64.")
    to_base64 = _value("TO_BASE64", "Text in base 64.")
    md5 = _value("MD5", "Its MD5 hash.")
    sha1 = _value("SHA1", "Its SHA-1 hash.")
    sha224 = _value("SHA224", "Its SHA-224 hash.")
    sha256 = _value("SHA256", "Its SHA-256 hash.")
    sha384 = _value("SHA384", "Its SHA-384 hash.")
    sha512 = _value("SHA512", "Its SHA-512 hash.")
    sha2 = _function("SHA2", "Its SHA-2 hash of so many bits.", "hash_length")
    concat = _function("CONCAT", "Two texts as one.", "other")
    substring = _function(
        "SUBSTRING", "The part of text from a place on, counted from 1, of a length.", "begin_index, length="
    )
    substr = _function(
        "SUBSTR", "The part of text from a place on, counted from 1, of a length.", "begin_index, length="
    )
    replace = _function("REPLACE", "Text with one text in place of another.", "search=, replacement=")
    translate = _function("TRANSLATE", "Text with characters in place of others.", "from_str, to_str")
    overlay = _function(
        "OVERLAY",
        "Text with another one in place of a part, from a place on, counted from 1.",
        "new_string, starting, length=",
    )
    instr = _function("INSTR", "The place of another text in it, counted from 1; 0 if it is not there.", "s")
    locate = _function(
        "LOCATE", "The place of the text in another one, counted from 1; 0 if it is not there.", "s, pos="
    )
    lpad = _function("LPAD", "Text of a length, filled on its left.", "length, pad")
    rpad = _function("RPAD", "Text of a length, filled on its right.", "length, pad")
    left = _function("LEFT", "The first characters.", "length")
    right = _function("RIGHT", "The last characters.", "length")
    repeat = _function("REPEAT", "Text so many times.", "n")
    ltrim = _function("LTRIM", "Text without spaces at its beginning.", "trim_str=")
    rtrim = _function("RTRIM", "Text without spaces at its end.", "trim_str=")
    btrim = _function("BTRIM", "Text without spaces on both sides.", "trim_str=")
    regexp = _function("REGEXP", "True if a regular expression is found in text.", "regex")
    regexp_replace = _function(
        "REGEXP_REPLACE", "Text with others in place of what fits a regular expression.", "regex, replacement"
    )
    regexp_extract = _function(
        "REGEXP_EXTRACT", "The part of text that fits a group of a regular expression.", "regex, extract_index="
    )
    regexp_extract_all = _function(
        "REGEXP_EXTRACT_ALL", "All that fits a group of a regular expression, as an array.", "regex, extract_index="
    )
    regexp_count = _function("REGEXP_COUNT", "The number of times that a regular expression is found in text.", "regex")
    regexp_instr = _function(
        "REGEXP_INSTR", "The place where a regular expression is found, counted from 1; 0 if it is not.", "regex"
    )
    regexp_substr = _function("REGEXP_SUBSTR", "The first part of text that fits a regular expression.", "regex")
    split = _function("SPLIT", "The parts of text between separators, as an array.", "delimiter")
    split_index = _function("SPLIT_INDEX", "A part of text between separators, counted from 0.", "separator, index")
    starts_with = _function("STARTSWITH", "True if text begins with another one.", "start_expr")
    ends_with = _function("ENDSWITH", "True if text ends with another one.", "end_expr")
    encode = _function("ENCODE", "Bytes of text, in a character set.", "charset")
    decode = _function("DECODE", "Text of bytes, in a character set.", "charset")
    url_encode = _function("URL_ENCODE", "Text as URLs have it.")
    url_decode = _function("URL_DECODE", "Text as URLs have it, as it was.")
    parse_url = _function("PARSE_URL", "A part of a URL: its HOST, PATH, QUERY and the like.", "part_to_extract, key=")
    str_to_map = _function(
        "STR_TO_MAP", "A map of text with keys and values between separators.", "list_delimiter=, key_value_delimiter="
    )
    elt = _function("ELT", "One of some values, by the number that the expression is, counted from 1.", "expr, *exprs")
    inet_aton = _value("INET_ATON", "The number of an IPv4 address.")
    inet_ntoa = _value("INET_NTOA", "The IPv4 address of a number.")
    printf = _function("PRINTF", "The text, a format of C's, with values.", "*obj")

    def position(self, haystack: Any) -> Expression:
        """The place of the text in another one, counted from 1; 0 if it is not there."""
        return Expression("call", "POSITION", self, haystack)

    def trim(self, character: Any = None) -> Expression:
        """Text without a character, or spaces, on both sides."""
        return Expression("trim", "BOTH", self, character)

    def trim_leading(self, character: Any = None) -> Expression:
        """Text without a character, or spaces, at its beginning."""
        return Expression("trim", "LEADING", self, character)

    def trim_trailing(self, character: Any = None) -> Expression:
        """Text without a character, or spaces, at its end."""
        return Expression("trim", "TRAILING", self, character)

    # Times

    year, years = _span("YEAR"), _span("YEAR")
    quarter, quarters = _span("QUARTER"), _span("QUARTER")
    month, months = _span("MONTH"), _span("MONTH")
    week, weeks = _span("WEEK"), _span("WEEK")
    day, days = _span("DAY"), _span("DAY")
    hour, hours = _span("HOUR"), _span("HOUR")
    minute, minutes = _span("MINUTE"), _span("MINUTE")
    second, seconds = _span("SECOND"), _span("SECOND")
    milli, millis = _span("MILLISECOND"), _span("MILLISECOND")
    to_date = _value("TO_DATE", "The day that text says.")
    to_timestamp = _value("TO_TIMESTAMP", "The TIMESTAMP that text says.")

    @property
    def to_time(self) -> Expression:
        """The time of day that text says."""
        from windrow.table.data_types import TimeType

        return self.cast(TimeType(0))

    def extract(self, time_interval_unit: TimeIntervalUnit) -> Expression:
        """A part of a time, or of a span."""
        return Expression("unit first", "EXTRACT", _unit(time_interval_unit), self)

    def floor(self, time_interval_unit: TimeIntervalUnit | None = None) -> Expression:
        """The number, or time, rounded down."""
        return _rounded("FLOOR", self, time_interval_unit)

    def ceil(self, time_interval_unit: TimeIntervalUnit | None = None) -> Expression:
        """The number, or time, rounded up."""
        return _rounded("CEIL", self, time_interval_unit)

    # Collections

    cardinality = _value("CARDINALITY", "The number of elements of an array or map.")
    element = _value("ELEMENT", "The only element of an array.")
    array_contains = _function("ARRAY_CONTAINS", "True if an array has an element.", "needle")
    array_append = _function("ARRAY_APPEND", "An array with a value at its end.", "addition")
    array_prepend = _function("ARRAY_PREPEND", "An array with a value at its beginning.", "addition")
    array_remove = _function("ARRAY_REMOVE", "An array without all that equal a value.", "needle")
    array_position = _function(
        "ARRAY_POSITION", "The place of a value in an array, counted from 1; 0 if it is not there.", "needle"
    )
    array_slice = _function(
        "ARRAY_SLICE", "The part of an array from a place, counted from 1, to another one.", "start_offset, end_offset="
    )
    array_sort = _function(
        "ARRAY_SORT",
        "An array in order: ascending unless False, and where NULL stands.",
        "ascending_order=, null_first=",
    )
    array_join = _function(
        "ARRAY_JOIN", "The texts of an array as one, with a separator between them.", "delimiter, null_replacement="
    )
    array_concat = _function("ARRAY_CONCAT", "Arrays as one.", "*arrays")
    array_union = _function("ARRAY_UNION", "The values that are in one of two arrays, each once.", "array")
    array_except = _function(
        "ARRAY_EXCEPT", "The values that are in an array and not in another one, each once.", "array"
    )
    array_intersect = _function("ARRAY_INTERSECT", "The values that are in both arrays, each once.", "array")
    array_distinct = _function("ARRAY_DISTINCT", "An array with each value once.")
    array_reverse = _function("ARRAY_REVERSE", "An array from its end to its beginning.")
    array_max = _function("ARRAY_MAX", "The greatest value of an array.")
    array_min = _function("ARRAY_MIN", "The least value of an array.")
    map_union = _function("MAP_UNION", "Maps as one; of equal keys the last one counts.", "*maps")
    map_keys = _value("MAP_KEYS", "The keys of a map.")
    map_values = _value("MAP_VALUES", "The values of a map.")
    map_entries = _value("MAP_ENTRIES", "The entries of a map, as an array of rows.")

    # JSON

    json_quote = _function("JSON_QUOTE", "Text between quotation marks, as JSON has it.")
    json_unquote = _function("JSON_UNQUOTE", "Text of JSON without its quotation marks.")

    def is_json(self, json_type: JsonType | None = None) -> Expression:
        """True if text is JSON: any, or a value, an array, an object."""
        return Expression("is json", self, None if json_type is None else json_type.name)

    def json_exists(self, path: str, on_error: JsonExistsOnError | None = None) -> Expression:
        """True if there is something in text of JSON at a path, as ``$.a[0]``."""
        return Expression("json", "JSON_EXISTS", self, path, {} if on_error is None else {"error": on_error.name})

    def json_value(
        self,
        path: str,
        returning_type: DataType | None = None,
        on_empty: JsonValueOnEmptyOrError | None = None,
        default_on_empty: Any = None,
        on_error: JsonValueOnEmptyOrError | None = None,
        default_on_error: Any = None,
    ) -> Expression:
        """The one value in text of JSON at a path, as text or as a type.

        Args:
            path: As ``$.a[0]``; ``lax $.a`` takes what is not there for nothing.
            returning_type: ``STRING``, the default, ``INT``, ``DOUBLE`` or ``BOOLEAN``.
            on_empty: What is given where there is nothing.
            default_on_empty: That value, if it is ``DEFAULT``.
            on_error: What is given where something is wrong.
            default_on_error: That value, if it is ``DEFAULT``.

        Example:
            >>> from windrow.table.expressions import col
            >>> col("data").json_value("$.name")
            json(JSON_VALUE, col(data), $.name, {})
        """
        given = {"returning": returning_type, "empty": _word(on_empty), "error": _word(on_error)}
        given |= {"empty_default": default_on_empty, "error_default": default_on_error}
        return Expression("json", "JSON_VALUE", self, path, {key: v for key, v in given.items() if v is not None})

    def json_query(
        self,
        path: str,
        wrapping_behavior: JsonQueryWrapper | None = None,
        on_empty: JsonQueryOnEmptyOrError | None = None,
        on_error: JsonQueryOnEmptyOrError | None = None,
    ) -> Expression:
        """The array or object in text of JSON at a path, as text."""
        wraps = {
            None: None,
            "WITHOUT_ARRAY": None,
            "CONDITIONAL_ARRAY": "CONDITIONAL",
            "UNCONDITIONAL_ARRAY": "WRAPPER",
        }
        wrapper = wraps[None if wrapping_behavior is None else wrapping_behavior.name]
        given = {"wrapper": wrapper, "empty": _word(on_empty), "error": _word(on_error)}
        return Expression("json", "JSON_QUERY", self, path, {key: v for key, v in given.items() if v is not None})


def _word(given: Enum | None) -> str | None:
    """Give the words of SQL that stand before ON EMPTY and ON ERROR."""
    return None if given is None else given.name.replace("_", " ")


def _rounded(name: str, expression: Expression, unit: TimeIntervalUnit | None) -> Expression:
    if unit is None:
        return Expression("call", name, expression)
    return Expression("unit last", name, expression, _unit(unit))


def _unit(unit: Any) -> str:
    made: TimeIntervalUnit = instance_of(unit, TimeIntervalUnit, "time_interval_unit")
    return made.name


def _type(data_type: Any) -> DataType:
    from windrow.table.data_types import DataType

    made: DataType = instance_of(data_type, DataType, "data_type")
    return made
