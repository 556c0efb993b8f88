"""The JSON of jobs, in the shape of Flink's REST interface."""

from __future__ import annotations

import json
from concurrent.futures import Future
from urllib.parse import quote

import pytest

from tests.runtime.monitor.programs import wait_until
from tests.ui.conftest import ask
from tests.ui.records import NOON, batch, job_entry, of_splits, running, vertex, windowed
from windrow.errors import UsageError
from windrow.runtime.monitor.record import JobRecord
from windrow.ui.routes import Asked, Routes
from windrow.ui.shown_jobs import ShownJobs, Stored

JID = "0123456789abcdef0123456789abcdef"
JOB = f"/jobs/{JID}"


def a_job() -> JobRecord:
    splits = {"orders-0": [NOON, False, False], "orders-1": [None, True, False]}
    measured = {
        **of_splits(splits, {"orders-0": NOON}, {"0": [NOON, True, True]}),
        "print": {"records_in": {"0": 12}},
    }
    measured["windows"] |= {
        "busy_nanos": {"0": 250_000_000},
        "input_watermark": {"0": NOON},
        "dropped": {"num_late_records_dropped": 3},
    }
    return running(windowed(), batch(0, NOON + 1000, measured, accumulators={"lines": ["IntCounter", "7"]}))


def get(path: str, record: JobRecord | None = None, query: dict[str, str] | None = None):
    jobs = ShownJobs()
    jobs.add(Stored(record or a_job()))
    answer = Routes(jobs, "t", lambda: NOON + 5000).answer(Asked("GET", path, query or {}))
    return json.loads(answer.body) if answer.status == 200 else answer.status


def test_jobs_are_listed():
    """By id and state, and with their times."""
    assert get("/jobs") == {"jobs": [{"id": JID, "status": "RUNNING"}]}
    (row,) = get("/jobs/overview")["jobs"]
    assert row["jid"] == JID
    assert row["duration"] == 5000
    assert row["end-time"] == -1
    assert row["tasks"]["running"] == row["tasks"]["total"] == 4


def test_a_job_has_flinks_fields():
    """Those of JobDetailsInfo; vertices with their metrics."""
    details = get(JOB)
    of_job = "jid name isStoppable state job-type start-time end-time duration maxParallelism now timestamps"
    assert {*of_job.split(), "vertices", "status-counts", "plan"} <= set(details)
    windows = next(vertex for vertex in details["vertices"] if vertex["name"] == "windows")
    wanted = "id name maxParallelism parallelism status start-time end-time duration tasks metrics"
    assert set(wanted.split()) <= set(windows)
    assert windows["metrics"]["read-records"] == 100
    assert windows["metrics"]["accumulated-busy-time"] == 250.0
    assert windows["windrow"]["dropped"] == {"num_late_records_dropped": 3}
    assert windows["windrow"]["share"] == 1.0


def test_the_plan_says_how_elements_get_there():
    """Inputs with Flink's ship strategies."""
    nodes = {node["id"]: node for node in get(f"{JOB}/plan")["plan"]["nodes"]}
    assert [(each["id"], each["ship_strategy"]) for each in nodes["windows"]["inputs"]] == [("orders", "HASH")]
    assert "inputs" not in nodes["orders"]


def test_watermarks_are_flinks_numbers():
    """-2^63 where there is none yet; a source's are those that go out of it."""
    assert get(f"{JOB}/vertices/windows/watermarks") == [{"id": "0.currentInputWatermark", "value": str(NOON)}]
    outgoing = get(f"{JOB}/vertices/orders/watermarks")
    assert outgoing == [{"id": f"{n}.currentOutputWatermark", "value": str(-(2**63))} for n in range(2)]


def test_subtasks_and_how_busy_they_are():
    """A quarter of the second that the job ran."""
    details = get(f"{JOB}/vertices/windows")
    assert [subtask["metrics"]["read-records"] for subtask in details["subtasks"]] == [100]
    pressure = get(f"{JOB}/vertices/windows/backpressure")
    assert pressure["status"] == "ok"
    assert pressure["subtasks"][0]["busyRatio"] == 0.25
    assert pressure["subtasks"][0]["idleRatio"] == 0.75


def test_splits_are_listed():
    """Active ones first; idle ones are said to be so."""
    splits = get(f"{JOB}/splits")
    assert [(split["split"], split["idle"], split["watermark-lag"]) for split in splits] == [
        ("orders-0", False, 5000),
        ("orders-1", True, None),
    ]


def test_what_an_operator_waits_for_is_there():
    """Of all subtasks the one whose time comes first; null where nothing waits."""
    waiting = {"0": [NOON + 9_999, NOON, NOON + 10_000], "1": [NOON + 500, None, None], "2": ["end", None, None]}
    record = running(windowed(), batch(0, NOON, {"windows": {"waiting": waiting}, "orders": {"waiting": {}}}))
    assert get(f"{JOB}/vertices/orders", record)["waits-for"] is None
    text = "`windows` waits for the watermark to reach 12:00:00.500; there is none yet"
    found = {"watermark": NOON + 500, "window-start": None, "window-end": None, "text": text}
    assert get(f"{JOB}/vertices/windows", record)["waits-for"] == found


def test_what_sources_have_still_to_read_is_there():
    """By split, of the source, and behind each batch; null where its readers do not know it."""
    splits = {f"orders-{number}": [NOON, False, False] for number in range(3)}
    measured = of_splits(splits, dict.fromkeys(splits, NOON), {"0": [NOON, True, True]})
    later = {"orders": {"pending": {"0": {"orders-0": 5}, "1": {"orders-1": 40}}}}
    progress = {"unassigned_splits": {"orders": 7}}
    record = running(windowed(), batch(0, NOON, measured), batch(1, NOON + 1000, later, progress=progress))
    pending = {split["split"]: split["pending-records"] for split in get(f"{JOB}/splits", record)}
    assert pending == {"orders-0": 5, "orders-1": None, "orders-2": None}
    assert [each["pending-records"] for each in get(f"{JOB}/batches", record)] == [None, 45]
    shown = {vertex["name"]: vertex["windrow"] for vertex in get(JOB, record)["vertices"]}
    assert (shown["orders"]["pending-records"], shown["orders"]["unassigned-splits"]) == (45, 7)
    assert (shown["windows"]["pending-records"], shown["windows"]["unassigned-splits"]) == (None, None)


def test_accumulators_settings_metrics():
    """By their names."""
    assert get(f"{JOB}/accumulators")["user-task-accumulators"] == [
        {"name": "lines", "type": "IntCounter", "value": "7"}
    ]
    assert get(f"{JOB}/config")["execution-config"]["job-parallelism"] == 1
    assert get(f"{JOB}/jobmanager/config") == [{"key": "windrow.runtime", "value": "local"}]
    assert {"id": "windows.num_records_in"} in get(f"{JOB}/metrics")
    asked = {"get": "windows.num_late_records_dropped,nothing"}
    assert get(f"{JOB}/metrics", query=asked) == [{"id": "windows.num_late_records_dropped", "value": "3"}]


def test_exceptions_are_listed_newest_first():
    """Flink's exceptionHistory, with the element beside it."""
    record = a_job()
    for number in range(2):
        record.add(
            {
                "type": "failure",
                "at": NOON + number,
                "name": "ValueError",
                "message": "no number",
                "traceback": f"ValueError: no number {number}",
                "operator": "parse",
                "element": "'x'",
            }
        )
    given = get(f"{JOB}/exceptions", record)
    assert given["root-exception"] == "ValueError: no number 1"
    assert [entry["timestamp"] for entry in given["exceptionHistory"]["entries"]] == [NOON + 1, NOON]
    assert given["exceptionHistory"]["entries"][0]["element"] == "'x'"


@pytest.mark.parametrize(
    "path", ["/jobs/other", f"{JOB}/weather", f"{JOB}/vertices/other", f"{JOB}/vertices/windows/weather"]
)
def test_what_is_not_there_is_not_found(path):
    """With a word in Flink's form of errors."""
    assert get(path) == 404


def test_ids_with_any_letters_are_found(serve):
    """A uid may have slashes and spaces in it."""
    server = serve(running(job_entry([vertex("a/b c?", "source")], [])))
    assert ask(server, f"{JOB}/vertices/{quote('a/b c?', safe='')}").json["name"] == "a/b c?"


class Running:
    """A job that notes what it is asked to do."""

    def __init__(self, *, makes_savepoints: bool = True) -> None:
        self.makes_savepoints = makes_savepoints
        self.result: Future[object] = Future()
        self.asked: list[object] = []

    def cancel(self) -> None:
        self.asked.append("cancel")

    def trigger_savepoint(self, directory: str | None) -> str:
        self.asked.append(("savepoint", directory))
        return "/savepoints/1"

    def stop_with_savepoint(self, directory: str | None, *, drain: bool) -> str:
        self.asked.append(("stop", directory, drain))
        raise UsageError("no room")


def acting(job: Running) -> Routes:
    jobs = ShownJobs()
    jobs.add(Stored(a_job())).running = job
    return Routes(jobs, "t")


def do(routes: Routes, method: str, path: str, body: str = ""):
    answer = routes.answer(Asked(method, path, {}, body.encode()))
    return answer.status, json.loads(answer.body)


def outcome(routes: Routes, path: str):
    wait_until(lambda: do(routes, "GET", path)[1]["status"]["id"] == "COMPLETED")
    return do(routes, "GET", path)[1]["operation"]


def test_a_savepoint_is_asked_for_and_followed():
    """As in Flink: the answer is a number, and under that the savepoint's place when it is there."""
    job = Running()
    routes = acting(job)
    status, given = do(routes, "POST", f"{JOB}/savepoints", '{"target-directory": "/savepoints"}')
    assert status == 202
    assert outcome(routes, f"{JOB}/savepoints/{given['request-id']}") == {"location": "/savepoints/1"}
    assert job.asked == [("savepoint", "/savepoints")]


def test_what_goes_wrong_is_said():
    """The error is the outcome."""
    job = Running()
    routes = acting(job)
    _, given = do(routes, "POST", f"{JOB}/stop", '{"drain": true}')
    cause = outcome(routes, f"{JOB}/stop/{given['request-id']}")["failure-cause"]
    assert cause == {"class": "UsageError", "stack-trace": "no room"}
    assert job.asked == [("stop", None, True)]


def test_a_job_that_has_ended_allows_nothing():
    """Its record says so a moment before its result is there."""
    record = a_job()
    record.add({"type": "state", "state": "CANCELED", "at": NOON})
    jobs = ShownJobs()
    shown = jobs.add(Stored(record))
    shown.running = Running()
    assert shown.actions == []


def test_only_what_the_job_allows_can_be_done():
    """A job without checkpoints is cancelled, and makes no savepoint; one that is over does nothing."""
    job = Running(makes_savepoints=False)
    routes = acting(job)
    assert do(routes, "POST", f"{JOB}/savepoints") == (
        400,
        {"errors": ["the job does not allow savepoint: it allows cancel"]},
    )
    assert do(routes, "PATCH", JOB)[0] == 202
    job.result.set_result(None)
    assert do(routes, "PATCH", JOB) == (400, {"errors": ["the job does not allow cancel: it allows nothing"]})


@pytest.mark.parametrize("body", ["{", "[]"])
def test_a_request_that_is_no_object_is_refused(body):
    """It is no error of the server."""
    assert do(acting(Running()), "POST", f"{JOB}/savepoints", body)[0] == 400


def test_two_vertices_of_one_name_have_metrics_of_their_own():
    """Their ids stand beside the name, as in JobClient.get_metrics."""
    vertices = [vertex("3", name="Map"), vertex("4", name="Map"), vertex("5", name="Filter")]
    measured = {tag: {"records_in": {"0": int(tag)}} for tag in "345"}
    record = running(job_entry(vertices, []), batch(0, NOON, measured))
    names = ["Map (3)", "Map (4)", "Filter"]
    asked = {"get": ",".join(f"{name}.num_records_in" for name in names)}
    assert [each["value"] for each in get(f"{JOB}/metrics", record, asked)] == ["3", "4", "5"]


def test_a_watermark_that_is_no_time_of_day_has_no_lag():
    """A program that counts from 0 is not half a century behind."""
    record = running(windowed(), batch(0, NOON, of_splits({"a": [700, False, False]}, {"a": NOON}, {})))
    assert [split["watermark-lag"] for split in get(f"{JOB}/splits", record)] == [None]
