"""Takes a trace of an operator (docs/design.md, "Traces of windows")."""
