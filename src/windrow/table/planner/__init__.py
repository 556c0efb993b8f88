"""From relations to streams."""
