"""Shared by all connectors, under PyFlink's names."""

from windrow.absent.explained import module_getattr
from windrow.connectors.interfaces import DeliveryGuarantee, Sink, Source

__all__ = ["DeliveryGuarantee", "Sink", "Source"]

__getattr__ = module_getattr(__name__)
