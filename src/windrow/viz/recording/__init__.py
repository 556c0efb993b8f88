"""How a trace is taken (docs/design.md, "Traces of windows")."""
