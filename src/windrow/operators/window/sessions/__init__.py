"""Sessions of columns: what keys hold in arrays, and batches that become sessions by one sort."""
