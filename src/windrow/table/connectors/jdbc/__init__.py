"""Tables of databases."""
