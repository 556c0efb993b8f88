"""Elements with an event time, for tables of streams."""

from windrow.common import Types
from windrow.table import DataTypes, Schema

EVENT = Types.ROW_NAMED(["ts", "k", "n"], [Types.LONG(), Types.STRING(), Types.INT()])
EVENTS = [(1_000, "a", 1), (2_000, "b", 5), (61_000, "a", 3), (62_000, "a", 4)]


def schema_of_events():
    """Their columns, and an event time that is computed."""
    return (
        Schema.new_builder()
        .column("ts", DataTypes.BIGINT())
        .column("k", DataTypes.STRING())
        .column("n", DataTypes.INT())
        .column_by_expression("rt", "CAST(TO_TIMESTAMP_LTZ(ts, 3) AS TIMESTAMP(3))")
        .watermark("rt", "rt - INTERVAL '5' SECOND")
        .build()
    )
