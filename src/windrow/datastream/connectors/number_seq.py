"""A source of consecutive numbers, under PyFlink's name."""

from windrow.connectors.number_sequence import NumberSequenceSource

__all__ = ["NumberSequenceSource"]
