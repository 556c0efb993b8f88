"""Records of jobs as JSON, in the shape of Flink's REST interface. What Flink does not have is said where it stands."""
