"""From a function to columns: calling it once with stand-ins that record what it does to an element."""
