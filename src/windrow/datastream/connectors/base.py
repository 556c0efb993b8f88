"""What all connectors share, under PyFlink's names."""

from enum import Enum

from windrow.absent.explained import module_getattr
from windrow.connectors.interfaces import Sink, Source

__all__ = ["DeliveryGuarantee", "Sink", "Source"]


class DeliveryGuarantee(Enum):
    """How often an element may show in a sink after a failure.

    A sink that cannot give less than it is asked for gives more.
    """

    EXACTLY_ONCE = 0
    AT_LEAST_ONCE = 1
    NONE = 2


__getattr__ = module_getattr(__name__)
