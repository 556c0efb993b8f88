"""Lines of text from a socket, for demonstrations."""
