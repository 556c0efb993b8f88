"""The imports of a PyFlink program as imports of Windrow, and nothing else of its text."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator

_PYFLINK, _WINDROW = "pyflink", "windrow"
#: Tokens that are no part of a statement.
_BETWEEN = {tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.NEWLINE, tokenize.ENCODING}


def with_windrow_imports(program: str) -> str:
    r"""Replace ``pyflink`` by ``windrow`` in imports, and where ``import pyflink.x`` has brought in that name.

    All else stays as it is, to the byte: strings, comments, layout, line ends, and names that merely contain the word.

    Raises:
        SyntaxError: the program's text is no Python.

    Example:
        >>> with_windrow_imports("from pyflink.common import Types  # as in pyflink")
        'from windrow.common import Types  # as in pyflink'
        >>> with_windrow_imports("import pyflink.common\nrow = pyflink.common.Row(1)")
        'import windrow.common\nrow = windrow.common.Row(1)'
    """
    places = sorted({*_places_in_imports(program), *_places_of_the_name(program)}, reverse=True)
    lines = list(_lines(program))
    for row, column in places:
        line = lines[row - 1]
        lines[row - 1] = line[:column] + _WINDROW + line[column + len(_PYFLINK) :]
    return "".join(lines)


def _lines(program: str) -> Iterator[str]:
    """The lines as Python counts them, with their ends."""
    return iter(io.StringIO(program, newline=""))


def _places_in_imports(program: str) -> Iterator[tuple[int, int]]:
    """Line and column of the package's name in import statements."""
    lines = _lines(program)
    statement: str | None = None  # its first word
    before = ""
    for token in tokenize.generate_tokens(lambda: next(lines, "")):
        if token.type == tokenize.NEWLINE or token.string == ";":
            statement, before = None, ""
        elif token.type in _BETWEEN:
            continue
        else:
            starts = statement is None or before == ":"
            if starts or (token.string == "import" and statement != "from"):
                statement = token.string
            named = {"from": {"from"}, "import": {"import", ","}}.get(statement or "", set())
            if token.string == _PYFLINK and before in named:
                yield token.start
            before = token.string


def _places_of_the_name(program: str) -> Iterator[tuple[int, int]]:
    """Line and column of the name, where a plain import has bound it."""
    tree = ast.parse(program)
    if not any(_binds(node) for node in ast.walk(tree)):
        return
    lines = [line.encode() for line in _lines(program)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == _PYFLINK:
            yield node.lineno, len(lines[node.lineno - 1][: node.col_offset].decode())


def _binds(node: ast.AST) -> bool:
    return isinstance(node, ast.Import) and any(
        each.asname is None and each.name.split(".")[0] == _PYFLINK for each in node.names
    )
