"""Sources and sinks, in PyFlink's module layout."""

from windrow.datastream.connectors.base import DeliveryGuarantee, Sink, Source

__all__ = ["DeliveryGuarantee", "Sink", "Source"]
