"""HTML that objects show of themselves in a notebook: small tables, in the colours that the notebook has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from typing import Any

from windrow.errors import shorten

#: Names of settings whose values are shown to nobody, as Spark and Flink take them.
_SECRET = re.compile(r"secret|passw|token|credential|\bkey\b|api_?key", re.IGNORECASE)
_CELL = 'style="text-align:left;vertical-align:top"'


def html_table(title: str, fields: Mapping[str, Any]) -> str:
    """A table of names and values; a value of None is left out, and a mapping is a table within.

    Example:
        >>> html_table("Job", {"state": "RUNNING", "late": None}).count("<tr>")
        1
    """
    shown = [
        f"<tr><th {_CELL}>{escape(name)}</th><td {_CELL}>{_value(value)}</td></tr>" for name, value in _given(fields)
    ]
    return f"<div><b>{escape(title)}</b><table>{''.join(shown)}</table></div>"


def without_secrets(settings: Mapping[str, str]) -> dict[str, str]:
    """Settings as they may be shown: a notebook is given away more easily than a program.

    Example:
        >>> without_secrets({"parallelism.default": "2", "spark.hadoop.fs.s3a.secret.key": "abc"})
        {'parallelism.default': '2', 'spark.hadoop.fs.s3a.secret.key': '***'}
    """
    return {name: "***" if _SECRET.search(name) else value for name, value in settings.items()}


def _given(fields: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [(str(name), value) for name, value in fields.items() if value is not None and value != {}]


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        rows = (
            f"<tr><td {_CELL}>{escape(name)}</td><td {_CELL}>{_value(each)}</td></tr>" for name, each in _given(value)
        )
        return f"<table>{''.join(rows)}</table>"
    return escape(value if isinstance(value, str) else shorten(value))
