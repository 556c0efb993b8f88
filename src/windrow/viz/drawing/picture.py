"""A picture of a trace: shown in notebooks, written into files."""

from __future__ import annotations

from pathlib import Path

from windrow.errors import ConfigurationError
from windrow.viz.drawing.palette import PALETTES, Theme
from windrow.viz.drawing.png import png_of
from windrow.viz.drawing.scene import Scene
from windrow.viz.drawing.svg import svg_of

_SECONDS_PER_STEP = 0.6


class Picture:
    """The picture that :meth:`windrow.viz.Trace.draw` makes; a notebook shows it."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    def svg(self, theme: Theme | None = None, *, animated: bool = False) -> str:
        """The picture as an SVG document.

        Args:
            theme: ``"light"`` or ``"dark"`` paper; None: what the reader's system prefers.
            animated: Whether elements come one after the other, again and again. What shows no animations shows the
                whole picture.

        Raises:
            ConfigurationError: there is no such theme.
        """
        return svg_of(self._scene, _checked(theme), _SECONDS_PER_STEP if animated else None)

    def png(self, theme: Theme = "light") -> bytes:
        """The picture as a PNG file.

        Raises:
            UsageError: matplotlib is not installed (``pip install "windrow[viz]"``).
            ConfigurationError: there is no such theme.
        """
        return png_of(self._scene, _checked(theme) or "light")

    def save(self, path: str | Path, theme: Theme | None = None, *, animated: bool = False) -> Path:
        """Write the picture into a file; the path's end says in which form.

        Args:
            path: Ends with ``.svg`` or ``.png``.
            theme: As for :meth:`svg`; a PNG file is light, unless this says dark.
            animated: As for :meth:`svg`; a PNG file does not move.

        Returns:
            The path.

        Raises:
            ConfigurationError: the path ends with something else, or a PNG file is to move.
            UsageError: matplotlib is not installed, and it is to be a PNG file.
        """
        target = Path(path)
        if target.suffix == ".svg":
            target.write_text(self.svg(theme, animated=animated), encoding="utf-8")
        elif target.suffix == ".png" and not animated:
            target.write_bytes(self.png(theme or "light"))
        else:
            msg = f"a picture is written as .svg, or as .png if it does not move; got {str(path)!r}"
            raise ConfigurationError(msg)
        return target

    def _repr_svg_(self) -> str:
        return self.svg()


def _checked(theme: Theme | None) -> Theme | None:
    if theme is not None and theme not in PALETTES:
        msg = f"theme is 'light', 'dark' or None; got {theme!r}"
        raise ConfigurationError(msg)
    return theme
