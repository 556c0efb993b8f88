"""Schemas and records for the tests of Avro."""

import json

from windrow.connectors.avro.schema import AvroSchema


def schema_of(**fields):
    """A schema of records with these fields, by name; a type is a name or what JSON says of it."""
    listed = [{"name": name, "type": kind} for name, kind in fields.items()]
    return AvroSchema.parse_string(json.dumps({"type": "record", "name": "R", "fields": listed}))
