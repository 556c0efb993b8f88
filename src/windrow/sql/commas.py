"""Commas with nothing on one side, which sqlglot reads as if they were not there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot.tokens import TokenType

from windrow.sql.errors import Place, syntax_error

#: What cannot stand before a comma, and what cannot stand behind one.
_BEFORE = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.SELECT, TokenType.COMMA})
_BEHIND = frozenset(
    {
        *(TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.COMMA, TokenType.SEMICOLON, TokenType.FROM),
        *(TokenType.WHERE, TokenType.GROUP_BY, TokenType.HAVING, TokenType.ORDER_BY),
    }
)


def check_commas(chunk: Sequence[Any], text: str) -> None:
    """Look through the tokens of a statement.

    Raises:
        SqlError: a comma has nothing before it, or behind it.
    """
    for before, token, behind in zip([None, *chunk], chunk, [*chunk[1:], None], strict=False):
        if token.token_type != TokenType.COMMA:
            continue
        side = None
        if behind is None or behind.token_type in _BEHIND:
            side = "behind"
        elif before is None or before.token_type in _BEFORE:
            side = "before"
        if side is not None:
            raise syntax_error(text, Place(token.line, max(token.col, 1)), f"something is missing {side} this comma")
