"""A program's graph as a drawing in HTML, for notebooks, in the colours that the notebook has."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from html import escape
from itertools import pairwise
from typing import Any

from windrow.datastream.environment.execution_plan import execution_plan
from windrow.datastream.streams.program import ancestors
from windrow.graph.job_graph import JobGraph
from windrow.graph.transformations import SinkTransformation, Transformation

_WIDTH, _HEIGHT, _ACROSS, _DOWN, _MARGIN = 224, 64, 78, 18, 6
#: So many letters fit into the first line of a node, and into the others.
_LONGEST_NAME, _LONGEST = 26, 34


def graph_html(job: JobGraph, sinks: list[SinkTransformation], *, with_sinks: bool = True) -> str:
    """Sources, operators and sinks from left to right, with their parallelism, types and how they are connected.

    Args:
        job: The planned job.
        sinks: What it was planned from.
        with_sinks: Whether they are shown.
    """
    known = {each.id: each for each in ancestors(sinks)}
    nodes = json.loads(execution_plan(job, known.values()))["nodes"]
    if not with_sinks:
        hidden = {sink.id for sink in sinks}
        nodes = [node for node in nodes if node["id"] not in hidden]
    return _drawn(nodes, known)


def _drawn(nodes: list[dict[str, Any]], known: dict[int, Transformation]) -> str:
    layout = _Layout(nodes)
    parts = [
        f'<div style="overflow-x:auto"><svg xmlns="http://www.w3.org/2000/svg" width="{layout.width}" '
        f'height="{layout.height}" viewBox="0 0 {layout.width} {layout.height}" font-family="system-ui, sans-serif" '
        'fill="currentColor">'
    ]
    for points, strategy in layout.edges:
        parts += _edge(points, strategy)
    for node in nodes:
        parts += _node(node, layout.places[node["id"]], known[node["id"]])
    return "".join([*parts, "</svg></div>"])


class _Layout:
    """The places of nodes: each one column behind the last of those in front of it.

    An edge that passes columns has a row of its own in each of them, so that it leads through no other node.
    """

    def __init__(self, nodes: list[dict[str, Any]]) -> None:
        self._by_number = {node["id"]: node for node in nodes}
        self._columns: dict[int, int] = {}
        self._rows: Counter[int] = Counter()
        self.places: dict[int, tuple[int, int]] = {}
        #: Points that edges lead through, and how elements travel.
        self.edges: list[tuple[list[tuple[float, float]], str]] = []
        for node in nodes:
            across = self._column(node["id"])
            self.places[node["id"]] = self._next_place(across)
        for node in nodes:
            for edge in node.get("predecessors", ()):
                self._lead(edge["id"], node["id"], edge["ship_strategy"])
        columns, rows = len(self._rows), max(self._rows.values(), default=0)
        self.width = columns * (_WIDTH + _ACROSS) - _ACROSS + 2 * _MARGIN
        self.height = rows * (_HEIGHT + _DOWN) - _DOWN + 2 * _MARGIN

    def _column(self, number: int) -> int:
        if number not in self._columns:
            before = [self._column(edge["id"]) for edge in self._by_number[number].get("predecessors", ())]
            self._columns[number] = 1 + max(before, default=-1)
        return self._columns[number]

    def _next_place(self, column: int) -> tuple[int, int]:
        row = self._rows[column]
        self._rows[column] += 1
        return _MARGIN + column * (_WIDTH + _ACROSS), _MARGIN + row * (_HEIGHT + _DOWN)

    def _lead(self, start: int, end: int, strategy: str) -> None:
        (x, y), (to_x, to_y) = self.places[start], self.places[end]
        points = [(x + _WIDTH, y + _HEIGHT / 2)]
        for column in range(self._columns[start] + 1, self._columns[end]):
            between, below = self._next_place(column)
            points += [(between, below + _HEIGHT / 2), (between + _WIDTH, below + _HEIGHT / 2)]
        self.edges.append(([*points, (to_x, to_y + _HEIGHT / 2)], strategy))


def _node(node: dict[str, Any], place: tuple[int, int], transformation: Transformation) -> Iterable[str]:
    x, y = place
    kind = "" if transformation.output_type is None or node["pact"] == "Data Sink" else repr(transformation.output_type)
    form = str(node.get("form", "")).partition(":")[0].partition(" ")[0]
    last = " \u00b7 ".join(filter(None, [f"\u00d7 {node['parallelism']}", form]))
    hint = escape("\n".join(filter(None, [node["contents"], kind, str(node.get("form", ""))])))
    yield f"<g><title>{hint}</title>"
    yield (
        f'<rect x="{x}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" rx="6" fill="currentColor" fill-opacity="0.06" '
        'stroke="currentColor" stroke-opacity="0.5"/>'
    )
    name = escape(_short(node["type"], _LONGEST_NAME))
    yield f'<text x="{x + 10}" y="{y + 21}" font-size="13" font-weight="600">{name}</text>'
    yield f'<text x="{x + 10}" y="{y + 38}" font-size="11" opacity="0.75">{escape(_short(kind, _LONGEST))}</text>'
    yield f'<text x="{x + 10}" y="{y + 54}" font-size="11" opacity="0.75">{escape(last)}</text></g>'


def _edge(points: list[tuple[float, float]], strategy: str) -> Iterable[str]:
    path = f"M{points[0][0]:g},{points[0][1]:g}"
    for (x1, y1), (x2, y2) in pairwise(points):
        half = (x1 + x2) / 2
        path += f" C{half:g},{y1:g} {half:g},{y2:g} {x2:g},{y2:g}"
    x, y = points[-1]
    yield f'<path d="{path}" fill="none" stroke="currentColor" stroke-opacity="0.6"/>'
    yield f'<path d="M{x - 6:g},{y - 4:g} L{x:g},{y:g} L{x - 6:g},{y + 4:g}" fill="none" stroke="currentColor"/>'
    if strategy != "FORWARD":
        before = points[-2][1]
        place = y - 7 if before == y else (before + y) / 2
        middle = f'x="{x - _ACROSS / 2:g}" y="{place:g}" text-anchor="middle"'
        yield f'<text {middle} font-size="9.5">{escape(strategy)}</text>'


def _short(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "\u2026"
