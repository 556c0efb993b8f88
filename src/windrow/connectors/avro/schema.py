"""Avro's schemas."""

from __future__ import annotations

import importlib
import json
from functools import cached_property
from os import PathLike
from pathlib import Path
from types import ModuleType
from typing import Any

from windrow.errors import ConfigurationError, ConfigurationTypeError, WindrowError


class MissingAvroError(WindrowError, ImportError):
    """fastavro is not installed."""

    def __init__(self) -> None:
        super().__init__("Avro needs the package fastavro, which is not installed: pip install fastavro")


def avro() -> ModuleType:
    """The library.

    Raises:
        MissingAvroError: it is not installed.
    """
    try:
        return importlib.import_module("fastavro")
    except ImportError as error:
        raise MissingAvroError from error


class AvroSchema:
    """The schema of Avro records (PyFlink's ``AvroSchema``); made by :meth:`parse_string` or :meth:`parse_file`.

    Example:
        >>> AvroSchema.parse_string('{"type": "record", "name": "R", "fields": [{"name": "n", "type": "int"}]}')
        AvroSchema({"type":"record","name":"R","fields":[{"name":"n","type":"int"}]})
    """

    def __init__(self, json_schema: str) -> None:
        self._text = json_schema

    @staticmethod
    def parse_string(json_schema: str) -> AvroSchema:
        """The schema that a JSON text describes.

        Raises:
            ConfigurationError: it is no JSON, or describes no schema.
            MissingAvroError: fastavro is not installed.
        """
        if not isinstance(json_schema, str):
            msg = f"AvroSchema.parse_string takes a str; got {json_schema!r} ({type(json_schema).__name__})"
            raise ConfigurationTypeError(msg)
        return _checked(json_schema, "AvroSchema.parse_string")

    @staticmethod
    def parse_file(file_path: str | PathLike[str]) -> AvroSchema:
        """The schema that a file of JSON describes.

        Raises:
            ConfigurationError: the file cannot be read, is no JSON, or describes no schema.
            MissingAvroError: fastavro is not installed.
        """
        try:
            text = Path(file_path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            msg = f"AvroSchema.parse_file cannot read {str(file_path)!r}: {error}"
            raise ConfigurationError(msg) from None
        return _checked(text, f"AvroSchema.parse_file of {str(file_path)!r}")

    @cached_property
    def parsed(self) -> Any:
        """Give the schema as fastavro has parsed it."""
        return avro().parse_schema(json.loads(self._text))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AvroSchema) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"AvroSchema({self._text})"

    def __reduce__(self) -> tuple[Any, ...]:
        return AvroSchema, (self._text,)


def checked_schema(schema: Any, call: str) -> AvroSchema:
    """The schema, if it is one of records.

    Raises:
        ConfigurationTypeError: it is no ``AvroSchema``.
        ConfigurationError: it is not of records.
    """
    if not isinstance(schema, AvroSchema):
        msg = f"{call} takes an AvroSchema, as AvroSchema.parse_string makes it; got {schema!r}"
        raise ConfigurationTypeError(msg)
    kind = json.loads(str(schema))
    if not isinstance(kind, dict) or kind.get("type") != "record":
        msg = f"{call} takes a schema of records; got {schema}"
        raise ConfigurationError(msg)
    return schema


def _checked(text: str, what: str) -> AvroSchema:
    try:
        schema = AvroSchema(json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False))
        schema.parsed  # noqa: B018  (parsed to be checked)
    except MissingAvroError:
        raise
    except Exception as error:  # fastavro has several kinds, with no common base
        msg = f"{what}: this is no schema of Avro: {type(error).__name__}: {error}"
        raise ConfigurationError(msg) from None
    return schema
