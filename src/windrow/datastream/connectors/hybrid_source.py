"""Several sources one after the other, under PyFlink's names."""

from windrow.connectors.hybrid.source import HybridSource, HybridSourceBuilder
from windrow.connectors.hybrid.source_list import SourceSwitchContext

__all__ = ["HybridSource", "HybridSourceBuilder", "SourceSwitchContext"]
