"""Makes a picture of a trace: shapes with names of colours first, then SVG or PNG."""
