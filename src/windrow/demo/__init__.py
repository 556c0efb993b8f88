"""The demo: windows over real road sensors."""
