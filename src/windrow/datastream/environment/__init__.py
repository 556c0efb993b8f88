"""Parts of ``StreamExecutionEnvironment``."""
