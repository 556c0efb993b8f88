"""docs/sql_connectors.md: its tables have the options that there are."""

import re
from pathlib import Path

import pytest

from windrow.connectors.files.file_info import FILE_INFO
from windrow.expressions.logical_types import STRING
from windrow.sql.catalog import TableDefinition
from windrow.sql.plan import Column
from windrow.table.connectors.kafka.messages import METADATA
from windrow.table.connectors.tables import CONNECTORS, connector_of

PAGE = Path(__file__).parents[2] / "docs" / "sql_connectors.md"
COLUMNS = [Column("a", STRING.not_null()), Column("b", STRING)]
KAFKA = {"topic": "t", "properties.bootstrap.servers": "s:1"}
OPTIONS = {
    "filesystem": {"path": "/x", "format": "csv"},
    "kafka": {**KAFKA, "value.format": "csv", "key.format": "csv", "key.fields": "a"},
    "upsert-kafka": {**KAFKA, "key.format": "csv", "value.format": "csv"},
    "jdbc": {"url": "jdbc:sqlite:/x.db", "table-name": "t"},
    "spark": {"table-name": "t"},
}


def section(title):
    """The part of the page below a heading."""
    return PAGE.read_text().split(f"\n## {title}\n")[1].split("\n## ")[0]


def named(title):
    """The names in the first columns of a section's tables."""
    rows = re.findall(r"^\| (`.*?) \|", section(title), re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


def known(connector):
    """What a connector asks for, but for the options of formats."""
    keys = ("a",) if connector == "upsert-kafka" else ()
    options = {"connector": connector, **OPTIONS.get(connector, {})}
    table = TableDefinition("t", COLUMNS, COLUMNS, {}, None, options, keys)
    asked = connector_of(table).options.known()
    plain = [re.sub(r"^fields\.a\.", "fields.NAME.", key) for key in asked if not key.startswith("fields.b.")]
    return {
        "properties.*" if key.startswith("properties.") else key
        for key in plain
        if not re.match(r"(key\.|value\.)?(csv|json)\.", key)
    }


@pytest.mark.parametrize("connector", CONNECTORS)
def test_a_section_has_the_options_of_its_connector(connector):
    """All of them, and no others."""
    made_up = {f"fields.NAME.{key}" for key in ("min", "max", "start", "end", "max-past")}  # of other types than text
    metadata = {"kafka": set(METADATA) - {"topic"}, "filesystem": set(FILE_INFO)}.get(connector, set())
    found = named(f"`{connector}`") - metadata
    assert found - (made_up if connector == "datagen" else set()) == known(connector) - made_up


def test_the_metadata_of_the_page_is_that_of_the_connector():
    """Of the same names."""
    assert set(METADATA) <= named("`kafka`")
    assert set(FILE_INFO) <= named("`filesystem`")


def test_the_formats_have_the_options_of_the_page():
    """CSV, JSON and Avro."""
    found = set()
    for name in ("csv", "json", "avro"):
        options = {"connector": "filesystem", "path": "/x", "format": name}
        asked = connector_of(TableDefinition("t", COLUMNS, COLUMNS, {}, None, options)).options.known()
        found |= {key for key in asked if key.startswith(f"{name}.")}
    assert named("Formats") == found
