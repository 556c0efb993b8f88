"""A scene as SVG: on dark paper where the reader likes it dark, moving if it is asked to; the same bytes every time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from xml.sax.saxutils import escape

from windrow.viz.drawing.palette import DARK, PALETTES, Theme
from windrow.viz.drawing.scene import Box, Dot, Label, Line, Region, Scene, Shape

_FONT = "system-ui, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"


def svg_of(scene: Scene, theme: Theme | None = None, seconds_per_step: float | None = None) -> str:
    """The scene as an SVG document.

    Args:
        scene: What is drawn.
        theme: Which paper; None: what the reader's system prefers.
        seconds_per_step: How long an animation stays at each step; None: it does not move.
    """
    body = "\n".join(_body(scene, seconds_per_step))
    # Styles of one picture must not reach into another one on the same page.
    name = "w" + hashlib.sha256(f"{theme}{body}".encode()).hexdigest()[:8]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{name}" viewBox="0 0 {scene.width:g} {scene.height:g}" '
        f'width="{scene.width:g}" height="{scene.height:g}" role="img" font-family="{_FONT}">'
    )
    parts = [head, f"<title>{escape(scene.title)}</title>", f"<style>\n{_styles(name, theme)}</style>"]
    parts += [f'<rect class="paper" width="{scene.width:g}" height="{scene.height:g}"/>', body.replace("@", name)]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _styles(name: str, theme: Theme | None) -> str:
    lines = [f".{name} .paper{{fill:{PALETTES[theme or 'light']['paper']}}}"]
    lines += _colors(name, PALETTES[theme or "light"])
    lines.append(f".{name} text{{stroke:none}}")
    lines += _halo(name, PALETTES[theme or "light"])
    if theme is None:
        dark = [f".{name} .paper{{fill:{DARK['paper']}}}", *_colors(name, DARK), *_halo(name, DARK)]
        lines += ["@media (prefers-color-scheme: dark) {", *dark, "}"]
    return "".join(f"{line}\n" for line in lines)


def _colors(name: str, palette: dict[str, str]) -> Iterator[str]:
    for color, value in palette.items():
        yield f".{name} .f-{color}{{fill:{value}}} .{name} .s-{color}{{stroke:{value}}}"


def _halo(name: str, palette: dict[str, str]) -> Iterator[str]:
    yield f".{name} .halo{{stroke:{palette['paper']};stroke-width:3px;paint-order:stroke;stroke-linejoin:round}}"


def _body(scene: Scene, seconds_per_step: float | None) -> Iterator[str]:
    for shape in scene.still:
        yield _shape(shape)
    for number, region in enumerate(scene.regions):
        if seconds_per_step is None:
            yield from map(_shape, region.shapes)
        else:
            yield from _moving(region, number, seconds_per_step)


def _moving(region: Region, number: int, seconds_per_step: float) -> Iterator[str]:
    """The region through a window that opens from below, step by step, and then stays open for a while."""
    bottom = region.y + region.height
    stops = [bottom, *region.stops, region.y]
    rest = 5  # as many steps as the whole picture is shown before it begins again
    total = len(stops) - 1 + rest
    times = ";".join(f"{index / total:.4f}" for index in range(len(stops))) + ";1"
    tops = ";".join(f"{stop:.1f}" for stop in [*stops, stops[-1]])
    heights = ";".join(f"{bottom - stop:.1f}" for stop in [*stops, stops[-1]])
    timing = f'keyTimes="{times}" dur="{total * seconds_per_step:g}s" repeatCount="indefinite"'
    # What is written above and beside the region belongs to it as well.
    yield (
        f'<clipPath id="@{number}"><rect x="{region.x - 8:.1f}" y="{region.y:.1f}" width="{region.width + 16:.1f}" '
        f'height="{region.height:.1f}"><animate attributeName="y" values="{tops}" {timing}/>'
        f'<animate attributeName="height" values="{heights}" {timing}/></rect></clipPath>'
    )
    yield f'<g clip-path="url(#@{number})">'
    yield from map(_shape, region.shapes)
    yield "</g>"
    yield (
        f'<line class="s-muted" x1="{region.x:.1f}" x2="{region.x + region.width:.1f}" y1="0" y2="0" '
        f'stroke-width="1" opacity="0.6" transform="translate(0,{region.y:.1f})">'
        f'<animateTransform attributeName="transform" type="translate" '
        f'values="{";".join(f"0,{stop:.1f}" for stop in [*stops, stops[-1]])}" {timing}/></line>'
    )


def _shape(shape: Shape) -> str:
    match shape:
        case Box():
            inner = _title(shape.title)
            place = f'x="{shape.x:.1f}" y="{shape.y:.1f}" width="{shape.width:.1f}" height="{shape.height:.1f}"'
            return f'<rect class="f-{shape.fill}" {place}{_opacity(shape.opacity)}>{inner}</rect>'
        case Line():
            return _line(shape)
        case Dot():
            return _dot(shape)
        case Label():
            return _label(shape)


def _line(line: Line) -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in line.points)
    if line.fill:
        return f'<polygon class="f-{line.color}" points="{points}"{_opacity(line.opacity)}/>'
    dashes = ' stroke-dasharray="5 4"' if line.dashed else ""
    return (
        f'<polyline class="s-{line.color}" points="{points}" fill="none" stroke-width="{line.width:g}"'
        f'{dashes}{_opacity(line.opacity)} stroke-linejoin="round"/>'
    )


def _dot(dot: Dot) -> str:
    x, y, radius = dot.x, dot.y, dot.radius
    if dot.form == "cross":
        far = radius * 0.9
        left, right, upper, lower = (f"{place:.1f}" for place in (x - far, x + far, y - far, y + far))
        strokes = f"M{left},{upper}L{right},{lower}M{left},{lower}L{right},{upper}"
        return f'<path class="s-{dot.color}" d="{strokes}" fill="none" stroke-width="2.4">{_title(dot.title)}</path>'
    paint = f'class="f-paper s-{dot.color}" stroke-width="1.8"' if dot.hollow else f'class="f-{dot.color}"'
    if dot.form == "square":
        near = radius * 0.9
        place = f'x="{x - near:.1f}" y="{y - near:.1f}" width="{2 * near:.1f}" height="{2 * near:.1f}"'
        return f"<rect {paint} {place}>{_title(dot.title)}</rect>"
    return f'<circle {paint} cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}">{_title(dot.title)}</circle>'


def _label(label: Label) -> str:
    classes = f"f-{label.color}" + (" halo" if label.halo else "")
    weight = ' font-weight="600"' if label.bold else ""
    anchor = "" if label.anchor == "start" else f' text-anchor="{label.anchor}"'
    turned = f' transform="rotate(-90 {label.x:.1f} {label.y:.1f})"' if label.upwards else ""
    place = f'x="{label.x:.1f}" y="{label.y:.1f}" font-size="{label.size:g}"'
    return f'<text class="{classes}" {place}{weight}{anchor}{turned}>{escape(label.text)}</text>'


def _opacity(opacity: float) -> str:
    return "" if opacity == 1.0 else f' opacity="{opacity:g}"'


def _title(title: str | None) -> str:
    return "" if title is None else f"<title>{escape(title)}</title>"
