"""A job's graph as a Mermaid flow chart, which GitHub and many editors draw."""

from __future__ import annotations

from windrow.runtime.monitor.described_job import DescribedJob

_SHAPES = {"source": ('(["', '"])'), "sink": ('[("', '")]'), "operator": ('["', '"]')}


def mermaid(job: DescribedJob) -> str:
    """The chart as text: a box for each operator, in its level; thick arrows are exchanges.

    Args:
        job: The graph.
    """
    numbers = {vertex["id"]: f"v{number}" for number, vertex in enumerate(job["vertices"])}
    lines = ["flowchart LR"]
    for level in sorted({vertex["level"] for vertex in job["vertices"]}):
        lines.append(f'  subgraph level{level}["level {level}"]')
        for vertex in job["vertices"]:
            if vertex["level"] == level:
                left, right = _SHAPES[vertex["kind"]]
                lines.append(f"    {numbers[vertex['id']]}{left}{_text(vertex['name'])}{right}")
        lines.append("  end")
    for link in job["links"]:
        words = ([link["ship_strategy"]] if link["exchange"] else []) + ([link["side"]] if link["side"] else [])
        arrow = "==>" if link["exchange"] else "-->"
        label = f'|"{_text(" ".join(words))}"|' if words else ""
        lines.append(f"  {numbers[link['source']]} {arrow}{label} {numbers[link['target']]}")
    return "\n".join(lines)


def _text(words: str) -> str:
    """Words that Mermaid does not take for its own signs."""
    return words.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")
