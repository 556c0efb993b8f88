"""Flights that are known late, as a part of the demo."""

from __future__ import annotations

from windrow.demo import late_flights
from windrow.demo.flights.flight_log import write_flight_log
from windrow.demo.flights.picture import draw
from windrow.demo.flights.results import Results, read_results
from windrow.demo.flights.summary import summary, words
from windrow.demo.part import Part

FLIGHTS: Part[Results] = Part(
    items="flights",
    log="flights.csv",
    write_log=write_flight_log,
    work="windows and corrections",
    program=late_flights.main,
    folders=("delays", "too_late"),
    read=read_results,
    title="Mean delay of a month's flights in minutes, by the hour of their schedule",
    summary=summary,
    words=words,
    picture="late-flights.png",
    draw=draw,
)
