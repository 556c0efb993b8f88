"""What the page does to a job that runs on Spark: asked for at its address, with its token."""

from __future__ import annotations

import json
import tempfile
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.runtime.monitor.programs import environment, orders, wait_until
from tests.runtime.sources.running import Shown
from windrow.common.job_client import JobClient
from windrow.common.job_status import JobStatus
from windrow.errors import JobExecutionError
from windrow.ui.job_ui import close_pages

pytestmark = pytest.mark.spark


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    """Histories go to a folder of the test, and pages close behind it."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield
    close_pages()


class Page:
    """The page of a job, as somebody has opened it who was given the printed address."""

    def __init__(self, client: JobClient) -> None:
        address = urlsplit(str(client.get_web_interface_url()))
        self._at = address.netloc
        self._token = parse_qs(address.query)["token"][0]
        self._job = f"/jobs/{client.get_job_id()}"

    def ask(self, method: str, path: str = "", body: Any = None, *, token: bool = True) -> tuple[int, Any]:
        connection = HTTPConnection(self._at, timeout=60)
        try:
            headers = {"Authorization": f"token {self._token}"} if token else {}
            connection.request(method, self._job + path, json.dumps(body) if body is not None else None, headers)
            answer = connection.getresponse()
            said = answer.read()
            return answer.status, json.loads(said) if answer.status != 403 else said.decode()
        finally:
            connection.close()

    def do(self, path: str, body: Any) -> Any:
        """Ask for something, and wait for what becomes of it."""
        status, given = self.ask("POST", path, body)
        assert status == 202
        outcome = f"{path}/{given['request-id']}"
        wait_until(lambda: self.ask("GET", outcome)[1]["status"]["id"] == "COMPLETED", 120)
        return self.ask("GET", outcome)[1]["operation"]


@pytest.fixture
def started(spark_session, tmp_path):
    """Starts orders without end, with a checkpoint; what goes on is cancelled behind the test."""
    running = []

    def start(checkpoint: str, **settings: str) -> tuple[Shown, JobClient, Page]:
        folder = str(tmp_path / checkpoint)
        env = environment("spark", spark_session, execution__checkpointing__dir=folder, **settings)
        shown = Shown()
        orders(env).sink_to(shown)
        client = env.execute_async("orders")
        running.append(client)
        return shown, client, Page(client)

    yield start
    for client in running:
        client.cancel().result()


def test_a_job_is_saved_cancelled_restored_and_drained_from_its_page(started, tmp_path):
    """What the savepoint has goes on where it was; drained, the windows that were open have fired, and none twice."""
    first, client, page = started("state")
    wait_until(lambda: len(first.values) == 63, 120)  # the last of ten windows waits for a later element
    assert page.ask("GET")[1]["actions"] == ["cancel", "savepoint", "drain"]
    assert page.ask("POST", "/savepoints", {}, token=False)[0] == 403
    assert page.ask("PATCH", token=False)[0] == 403
    operation = page.do("/savepoints", {"target-directory": str(tmp_path / "savepoints")})
    location = Path(operation["location"])
    assert location.parent == tmp_path / "savepoints"
    assert page.ask("GET", "/checkpoints")[1]["latest"]["savepoint"]["external_path"] == str(location)
    assert client.get_job_status().result() is JobStatus.RUNNING

    assert page.ask("PATCH")[0] == 202
    with pytest.raises(JobExecutionError, match="was cancelled"):
        client.get_job_execution_result().result()
    assert page.ask("GET")[1]["state"] == "CANCELED"
    assert page.ask("PATCH")[0] == 400

    second, client, page = started("other", execution__savepoint__path=str(location))
    wait_until(lambda: page.ask("GET")[1]["actions"], 120)
    drained = page.do("/stop", {"drain": True, "targetDirectory": str(tmp_path / "savepoints")})
    assert Path(drained["location"]).parent == tmp_path / "savepoints"
    client.get_job_execution_result().result()
    assert page.ask("GET")[1]["state"] == "FINISHED"
    assert len(first.values) == 63
    assert len(second.values) == 7
    assert sum(count for _, count in first.values + second.values) == 2000
