"""docs/sql_connectors.md: its statements about Kafka, with a broker."""

import re
from pathlib import Path

import pytest

from tests.table.connectors.kafka.building import local_tables

pytest.importorskip("confluent_kafka", reason="no Kafka client: pip install confluent-kafka")

PAGE = Path(__file__).parents[3] / "docs" / "sql_connectors.md"
BLOCK = re.compile(r"^```sql\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_the_statements_of_the_page_run(broker):
    """Rows are written, read and put into windows; a result that changes is written, and read as changes."""
    for topic in ("orders", "totals"):
        broker.topic(name=topic)
    tables = local_tables()
    found = []
    for block in BLOCK.findall(PAGE.read_text()):
        for statement in block.replace("localhost:9092", broker.servers).split(";\n"):
            if not statement.strip():
                continue
            result = tables.execute_sql(statement)
            if statement.startswith("SELECT"):
                found.append([(str(row.get_row_kind()), *row) for row in result.collect()])
            result.wait()
    windows, changes = found
    assert sorted((shop, cents) for _, _, shop, cents in windows) == [("north", 50), ("north", 250), ("south", 100)]
    assert [row for row in changes if row[1] == "north"] == [
        ("+I", "north", 250),
        ("-U", "north", 250),
        ("+U", "north", 300),
    ]
