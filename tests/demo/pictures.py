"""Looking at pictures."""

from pathlib import Path

from matplotlib.image import imread


def has_colour(picture: Path, colour: str) -> bool:
    """Whether the picture has some spot of a colour, given as ``#rrggbb``."""
    rgb = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return bool((abs(imread(picture)[..., :3] * 255 - rgb) < 2).all(axis=-1).sum() > 200)
