"""The sections of the site, and which pages are in them."""

from __future__ import annotations

from collections.abc import Iterable

#: By section the pages of docs/ without ".md", in the order in which they are read.
SECTIONS = {
    "Begin": ["getting_started", "from_nothing", "from_spark", "from_flink"],
    "Understand": ["semantics", "no_result", "exactly_once"],
    "Write programs": ["process_functions", "joins", "arrow", "sql", "notebooks", "pictures", "performance"],
    "Sources and sinks": ["spark_in_and_out", "files", "sources", "kafka", "jdbc", "sql_connectors", "tables"],
    "Run": ["deploying", "job_page", "settings", "errors", "trust"],
    "Look up": ["api_coverage", "sql_functions", "design"],
}
#: Where a page goes that no section names: a new page is in the site before anybody has thought of its place.
REST = "More"


def contents(pages: Iterable[str]) -> dict[str, list[str]]:
    """The sections with those of their pages that are there; what no section names comes last.

    >>> contents(["design", "joins", "zebras", "index"])
    {'Write programs': ['joins'], 'Look up': ['design'], 'More': ['zebras']}
    """
    there = [page for page in pages if page != "index"]
    named = {page for pages_of_section in SECTIONS.values() for page in pages_of_section}
    sections = {
        name: [page for page in pages_of_section if page in there] for name, pages_of_section in SECTIONS.items()
    }
    sections[REST] = sorted(page for page in there if page not in named)
    return {name: found for name, found in sections.items() if found}
