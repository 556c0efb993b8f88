"""The tables in pages."""

from pathlib import Path

import pytest

from bench.readme import PAGES, filled
from bench.suite import results
from bench.suite.measuring import Measured, Timing

ROWS = {
    "running": {"batch": results.entry(Measured("1", Timing(9, [1.0], 0.1)), Measured("2", Timing(3, [1.0], 0.1)), 0.0)}
}


def test_page_gets_chart_and_tables_between_its_markers() -> None:
    """What stood between them is gone, what stands around them stays."""
    page = "above\n<!-- suite:begin -->\nold\n<!-- suite:end -->\nbelow\n"
    text = filled(page, ROWS, "docs/chart.svg")
    assert text.startswith("above\n<!-- suite:begin -->\n\nMeasured with `make bench` on ")
    assert "\n![Windrow beside Flink Java, job by job](docs/chart.svg)\n" in text
    assert "| running reduce | " in text
    assert text.endswith("\n\n<!-- suite:end -->\nbelow\n")
    assert "old" not in text
    assert filled(text, ROWS, "docs/chart.svg") == text


def test_page_without_markers_is_refused() -> None:
    """Nobody would find the tables at the end of a page."""
    with pytest.raises(ValueError, match="suite:begin"):
        filled("above\n<!-- suite:end -->", ROWS, "chart.svg")


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_pages_have_the_place(page: Path) -> None:
    """Both pages that show the tables have the markers."""
    filled(page.read_text(), ROWS, "chart.svg")
