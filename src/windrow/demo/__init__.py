"""The demos, over real data: windows of road sensors, jams from joined readings, flights that are known late."""
