"""From the text of a statement to a plan of what it asks for: names and types are known, and nothing runs."""
