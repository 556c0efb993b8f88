"""Answers requests by their addresses, which ``docs/job_page.md`` lists."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from typing import Any
from urllib.parse import unquote

from windrow import __version__
from windrow.errors import WindrowError
from windrow.runtime.monitor.findings import findings
from windrow.runtime.monitor.monitor import wall_clock
from windrow.runtime.monitor.record import JobRecord
from windrow.ui.operations import Operations
from windrow.ui.rest import job, past, settings, vertex
from windrow.ui.shown_jobs import ShownJob, ShownJobs

_TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
_REFRESH = 1000


@dataclass(frozen=True)
class Answer:
    """The answer to a request."""

    status: int
    body: bytes
    type: str = "application/json"


@dataclass(frozen=True)
class Asked:
    """A request, as a browser or a program has made it."""

    method: str
    #: As it stands in the address: what is quoted there is quoted here.
    path: str
    query: Mapping[str, str]
    body: bytes = b""
    #: Whether who asks has said the token.
    trusted: bool = False


class NotFoundError(Exception):
    """There is no such thing."""


class BadRequestError(Exception):
    """It cannot be done so."""


#: The parts of a job that are read: the rest of the address, and what gives it.
Read = Callable[[JobRecord, int], Any]
_OF_JOB: dict[str, Read] = {
    "plan": lambda record, _: {"plan": job.plan_of(record)},
    "config": lambda record, _: settings.config_of(record),
    "jobmanager/config": lambda record, _: settings.settings_of(record),
    "exceptions": lambda record, _: past.exceptions_of(record),
    "checkpoints": lambda record, _: past.checkpoints_of(record),
    "accumulators": lambda record, _: settings.accumulators_of(record),
    "batches": lambda record, _: past.batches_of(record),
    "timeline": lambda record, _: past.timeline_of(record),
    "splits": vertex.splits_of,
    "findings": lambda record, now: [finding.as_json() for finding in findings(record, now)],
}
_OF_VERTEX: dict[str, Callable[[JobRecord, dict[str, Any], int], Any]] = {
    "": vertex.vertex_details,
    "watermarks": lambda record, of, _: vertex.watermarks_of(record, of),
    "backpressure": vertex.backpressure_of,
}


class Routes:
    """Answers what a browser or a program asks for.

    Args:
        jobs: What is shown.
        token: What page and programs have to say to do something to a job. It is in the page for who has said it.
        clock: Now, in milliseconds.
    """

    def __init__(self, jobs: ShownJobs, token: str, clock: Callable[[], int] = wall_clock) -> None:
        self._jobs = jobs
        self._token = token
        self._clock = clock
        self._operations = Operations()

    def answer(self, asked: Asked) -> Answer:
        """The answer to a request that may be made; errors are answers, too."""
        try:
            given = self._get(asked) if asked.method == "GET" else self._do(asked)
        except NotFoundError as error:
            return _json({"errors": [str(error)]}, 404)
        except (BadRequestError, WindrowError) as error:
            return _json({"errors": [str(error)]}, 400)
        return given if isinstance(given, Answer) else _json(given)

    def _get(self, asked: Asked) -> Any:
        first, *rest = _parts(asked.path) or [""]
        if first == "jobs":
            return self._of_jobs(rest, asked)
        if first == "config" and not rest:
            return {"refresh-interval": _REFRESH, "windrow-version": __version__, "features": {"web-cancel": True}}
        if first == "overview" and not rest:
            return self._overview()
        return self._file("/".join([first, *rest]), trusted=asked.trusted)

    def _of_jobs(self, rest: list[str], asked: Asked) -> Any:
        now = self._clock()
        if not rest:
            return {"jobs": [self._read(each, _brief) for each in self._jobs]}
        if rest == ["overview"]:
            return {"jobs": [self._read(each, lambda record: job.overview_of(record, now)) for each in self._jobs]}
        shown, parts = self._job(rest[0]), "/".join(rest[1:])
        if not parts:
            return self._read(shown, lambda record: self._details(shown, record))
        if parts in _OF_JOB:
            return self._read(shown, lambda record: _OF_JOB[parts](record, now))
        if parts == "metrics":
            wanted = [name for name in asked.query.get("get", "").split(",") if name]
            return self._read(shown, lambda record: settings.metrics_of(record, wanted))
        if rest[1] == "vertices" and len(rest) in (3, 4):
            kind = rest[3] if len(rest) == 4 else ""
            return self._read(shown, partial(_of_vertex, rest[2], kind, now))
        if rest[1] in ("savepoints", "stop") and len(rest) == 3:
            status = self._operations.status(rest[2])
            if status is None:
                msg = f"nobody has asked for {rest[2]!r}"
                raise NotFoundError(msg)
            return status
        msg = f"there is no {asked.path!r}"
        raise NotFoundError(msg)

    def _do(self, asked: Asked) -> Any:
        parts = _parts(asked.path)
        if len(parts) < 2 or parts[0] != "jobs":
            msg = f"{asked.method} {asked.path!r} is nothing that can be done"
            raise NotFoundError(msg)
        shown, what = self._job(parts[1]), "/".join(parts[2:])
        if asked.method == "PATCH" and not what:
            return self._begin(shown, "cancel", lambda running: running.cancel())
        body = _body(asked)
        directory = body.get("target-directory", body.get("targetDirectory"))
        if asked.method == "POST" and what == "savepoints":
            if body.get("cancel-job"):
                return self._begin(
                    shown, "savepoint", lambda running: running.stop_with_savepoint(directory, drain=False)
                )
            return self._begin(shown, "savepoint", lambda running: running.trigger_savepoint(directory))
        if asked.method == "POST" and what == "stop":
            drain = bool(body.get("drain", False))
            action = "drain" if drain else "savepoint"
            return self._begin(shown, action, lambda running: running.stop_with_savepoint(directory, drain=drain))
        msg = f"{asked.method} {asked.path!r} is nothing that can be done"
        raise NotFoundError(msg)

    def _begin(self, shown: ShownJob, action: str, work: Callable[[Any], str | None]) -> Answer:
        running = shown.running
        if running is None or action not in shown.actions:
            allowed = " and ".join(shown.actions) or "nothing"
            msg = f"the job does not allow {action}: it allows {allowed}"
            raise BadRequestError(msg)
        return _json({"request-id": self._operations.begin(lambda: work(running))}, 202)

    def _details(self, shown: ShownJob, record: JobRecord) -> dict[str, Any]:
        actions = shown.actions
        details = job.job_details(record, self._clock(), stoppable="savepoint" in actions)
        return {**details, "actions": actions, "savepoint-directory": record.job["savepoint_dir"]}

    def _overview(self) -> dict[str, Any]:
        states = [self._read(each, lambda record: record.state) for each in self._jobs]
        return {
            "jobs-running": sum(state in ("CREATED", "RUNNING", "RESTARTING", "CANCELLING") for state in states),
            "jobs-finished": states.count("FINISHED"),
            "jobs-cancelled": states.count("CANCELED"),
            "jobs-failed": states.count("FAILED"),
            "windrow-version": __version__,
        }

    def _job(self, job_id: str) -> ShownJob:
        shown = self._jobs.get(job_id)
        if shown is None:
            msg = f"there is no job {job_id!r} here"
            raise NotFoundError(msg)
        return shown

    @staticmethod
    def _read(shown: ShownJob, read: Callable[[JobRecord], Any]) -> Any:
        with shown.watched.reading() as record:
            return read(record)

    def _file(self, name: str, *, trusted: bool) -> Answer:
        name = name or "index.html"
        kind = _TYPES.get(name.rpartition(".")[2])
        if kind is None or not re.fullmatch(r"[a-z_]+\.[a-z]+", name):
            msg = f"there is no {name!r}"
            raise NotFoundError(msg)
        found = files("windrow.ui").joinpath("page", name)
        if not found.is_file():
            msg = f"there is no {name!r}"
            raise NotFoundError(msg)
        data = found.read_bytes()
        if name == "index.html":
            data = data.replace(b"{{token}}", self._token.encode() if trusted else b"")
        return Answer(200, data, f"{kind}; charset=utf-8")


def is_part_of_page(path: str) -> bool:
    """Tell whether it is a file in which nothing stands of any job; a browser asks for these without a token."""
    return re.fullmatch(r"/[a-z_]+\.(js|css)", path) is not None


def _of_vertex(vertex_id: str, kind: str, now: int, record: JobRecord) -> Any:
    found = vertex.vertex_of(record, vertex_id)
    if found is None:
        msg = f"the job has no vertex {vertex_id!r}"
        raise NotFoundError(msg)
    if kind not in _OF_VERTEX:
        msg = f"there is no {kind!r} of a vertex"
        raise NotFoundError(msg)
    return _OF_VERTEX[kind](record, found, now)


def _parts(path: str) -> list[str]:
    """Split a path at its slashes; an id may have some of its own, which are written as %2F."""
    path = re.sub(r"^/v1(?=/)", "", path)
    return [unquote(part) for part in path.split("/") if part]


def _brief(record: JobRecord) -> dict[str, Any]:
    return {"id": record.job["id"], "status": record.state}


def _body(asked: Asked) -> dict[str, Any]:
    try:
        body = json.loads(asked.body or b"{}")
    except ValueError as error:
        msg = f"the request has no JSON: {error}"
        raise BadRequestError(msg) from error
    if not isinstance(body, dict):
        msg = f"the request has to be a JSON object; got a {type(body).__name__}"
        raise BadRequestError(msg)
    return body


def _json(value: Any, status: int = 200) -> Answer:
    return Answer(status, json.dumps(value, separators=(",", ":")).encode())
