"""A program's graph as a drawing in HTML, for notebooks, in the colours that the notebook has."""

from __future__ import annotations

import json
from collections.abc import Iterable
from html import escape
from typing import Any

from windrow.datastream.environment.execution_plan import execution_plan
from windrow.datastream.streams.program import ancestors
from windrow.graph.job_graph import JobGraph
from windrow.graph.transformations import SinkTransformation, Transformation

_WIDTH, _HEIGHT, _ACROSS, _DOWN, _MARGIN = 210, 64, 70, 18, 6
_LONGEST = 30


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
    places = _places(nodes)
    width = max((x for x, _ in places.values()), default=0) + _WIDTH + _MARGIN
    height = max((y for _, y in places.values()), default=0) + _HEIGHT + _MARGIN
    parts = [
        f'<div style="overflow-x:auto"><svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="system-ui, sans-serif" fill="currentColor">'
    ]
    for node in nodes:
        for edge in node.get("predecessors", ()):
            parts += _edge(places[edge["id"]], places[node["id"]], edge["ship_strategy"])
    for node in nodes:
        parts += _node(node, places[node["id"]], known[node["id"]])
    return "".join([*parts, "</svg></div>"])


def _places(nodes: list[dict[str, Any]]) -> dict[int, tuple[int, int]]:
    """A node stands one column behind the last of those in front of it."""
    columns: dict[int, int] = {}
    by_number = {node["id"]: node for node in nodes}

    def column(number: int) -> int:
        if number not in columns:
            before = [edge["id"] for edge in by_number[number].get("predecessors", ())]
            columns[number] = 1 + max((column(each) for each in before), default=-1)
        return columns[number]

    taken: dict[int, int] = {}
    places = {}
    for node in nodes:
        across = column(node["id"])
        down = taken[across] = taken.get(across, -1) + 1
        places[node["id"]] = (_MARGIN + across * (_WIDTH + _ACROSS), _MARGIN + down * (_HEIGHT + _DOWN))
    return places


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
    yield f'<text x="{x + 10}" y="{y + 21}" font-size="13" font-weight="600">{escape(_short(node["type"]))}</text>'
    yield f'<text x="{x + 10}" y="{y + 38}" font-size="11" opacity="0.75">{escape(_short(kind))}</text>'
    yield f'<text x="{x + 10}" y="{y + 54}" font-size="11" opacity="0.75">{escape(last)}</text></g>'


def _edge(start: tuple[int, int], end: tuple[int, int], strategy: str) -> Iterable[str]:
    x1, y1, x2, y2 = start[0] + _WIDTH, start[1] + _HEIGHT / 2, end[0], end[1] + _HEIGHT / 2
    half = (x1 + x2) / 2
    yield (
        f'<path d="M{x1},{y1:g} C{half:g},{y1:g} {half:g},{y2:g} {x2},{y2:g}" fill="none" stroke="currentColor" '
        'stroke-opacity="0.6"/>'
    )
    yield f'<path d="M{x2 - 6},{y2 - 4:g} L{x2},{y2:g} L{x2 - 6},{y2 + 4:g}" fill="none" stroke="currentColor"/>'
    if strategy != "FORWARD":
        y = y2 - 7 if y1 == y2 else (y1 + y2) / 2
        yield f'<text x="{x2 - _ACROSS / 2:g}" y="{y:g}" font-size="9.5" text-anchor="middle">{escape(strategy)}</text>'


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "\u2026"
