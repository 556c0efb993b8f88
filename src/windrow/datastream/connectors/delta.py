"""Tables of Delta Lake, as sinks of DataFrames that streams have become."""

from windrow.connectors.delta import DeltaSink

__all__ = ["DeltaSink"]
