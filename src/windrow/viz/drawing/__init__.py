"""How a trace becomes a picture: shapes with names of colours first, then SVG or PNG."""
