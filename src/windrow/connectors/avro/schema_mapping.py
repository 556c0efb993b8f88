"""Going over an Avro schema to find what another system calls its types, and what makes values of each of the other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from windrow.errors import ConfigurationError

Convert = Callable[[Any], Any]
#: What the other system calls a type.
T = TypeVar("T")


class SchemaMapping(ABC, Generic[T]):
    """Looks up names, opens what is nested, and asks the subclass for each kind of schema."""

    #: What cannot hold a record that is within itself, for the error.
    _flat: str

    def __init__(self) -> None:
        self._named: dict[str, Any] = {}
        self._open: list[str] = []

    def _mapped(self, schema: Any) -> tuple[T, Convert, Convert]:
        """The other system's type, and what makes its values of Avro's, and Avro's of them."""
        if isinstance(schema, str) and schema in self._named:
            schema = self._named[schema]
        if isinstance(schema, list):
            return self._union(schema)
        kind = schema["type"] if isinstance(schema, dict) else schema
        if isinstance(kind, dict | list):
            return self._mapped(kind)
        if isinstance(schema, dict) and "name" in schema:
            self._named[schema["name"]] = schema
        match kind:
            case "record":
                with self._within(schema["name"]):
                    fields = [(field["name"], *self._mapped(field["type"])) for field in schema["fields"]]
                return self._record(fields)
            case "array":
                return self._array(*self._mapped(schema["items"]))
            case "map":
                return self._map(*self._mapped(schema["values"]))
        return self._single(kind, schema if isinstance(schema, dict) else {})

    @contextmanager
    def _within(self, record: str) -> Iterator[None]:
        if record in self._open:
            msg = f"the record {record!r} is within itself, which {self._flat}"
            raise ConfigurationError(msg)
        self._open.append(record)
        yield
        self._open.pop()

    @abstractmethod
    def _record(self, fields: list[tuple[str, T, Convert, Convert]]) -> tuple[T, Convert, Convert]:
        """A record of these fields."""

    @abstractmethod
    def _array(self, inner: T, from_avro: Convert, to_avro: Convert) -> tuple[T, Convert, Convert]:
        """An array of such elements."""

    @abstractmethod
    def _map(self, inner: T, from_avro: Convert, to_avro: Convert) -> tuple[T, Convert, Convert]:
        """A map from text to such values."""

    @abstractmethod
    def _union(self, branches: list[Any]) -> tuple[T, Convert, Convert]:
        """One of several schemas."""

    @abstractmethod
    def _single(self, kind: str, schema: dict[str, Any]) -> tuple[T, Convert, Convert]:
        """Map what has no parts; ``schema`` holds its logical type, size and symbols, if it has some."""
