"""Running Flink-style sources: readers in their subtasks, and the coordinator that runs the enumerator."""
