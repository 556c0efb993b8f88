"""Windows over road sensors, as a part of the demo."""

from __future__ import annotations

from windrow.demo import road_sensors
from windrow.demo.arrivals import write_gateway_log
from windrow.demo.part import Part
from windrow.demo.windows.picture import draw
from windrow.demo.windows.results import Results, read_results
from windrow.demo.windows.summary import summary, words

WINDOWS: Part[Results] = Part(
    items="readings",
    log="readings.csv",
    write_log=write_gateway_log,
    work="sliding windows and sessions",
    program=road_sensors.main,
    folders=("hours", "sessions", "late_hours", "late_sessions"),
    read=read_results,
    title="Hourly windows every 15 minutes, sessions of continuous reporting, and readings too late for them",
    summary=summary,
    words=words,
    picture="road-sensor.png",
    draw=draw,
)
