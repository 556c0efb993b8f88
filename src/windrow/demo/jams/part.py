"""Jams on a road, as a part of the demo."""

from __future__ import annotations

from windrow.demo import joins
from windrow.demo.arrivals import write_gateway_log
from windrow.demo.jams.picture import draw
from windrow.demo.jams.results import Results, read_results
from windrow.demo.jams.summary import summary, words
from windrow.demo.part import Part

JAMS: Part[Results] = Part(
    items="readings",
    log="readings.csv",
    write_log=write_gateway_log,
    work="interval join and jams",
    program=joins.main,
    folders=("pairs", "jams", "alerts", "late_speeds", "late_occupancies"),
    read=read_results,
    title="Jams: a road that is slow and full at once for a quarter of an hour or longer",
    summary=summary,
    words=words,
    picture="jams.png",
    draw=draw,
)
