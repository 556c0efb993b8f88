"""Who may look at a page, and who may do something to a job."""

from __future__ import annotations

import socket

import pytest

from tests.ui.conftest import ask
from tests.ui.records import job_entry, running, vertex, windowed
from windrow.errors import ConfigurationError
from windrow.ui.server import PageServer
from windrow.ui.shown_jobs import ShownJobs

JOB = "/jobs/0123456789abcdef0123456789abcdef"


def test_anybody_on_this_machine_may_look(serve):
    """The page and its JSON are there without a token, but then it is not in the page: nothing can be done with it."""
    server = serve(running(windowed()))
    assert server.token.encode() not in ask(server, "/").body
    assert server.token.encode() not in ask(server, "/?token=wrong").body
    assert server.token.encode() in ask(server, f"/?token={server.token}").body
    assert server.url == f"{server.base}?token={server.token}"
    assert ask(server, JOB).json["name"] == "orders"


def test_on_another_address_a_token_is_asked_for(serve):
    """As with Jupyter it is in the address that is printed; nothing of a job is shown without it."""
    server = serve(running(windowed()), host="0.0.0.0")
    assert server.url == f"http://0.0.0.0:{server.port}/?token={server.token}"
    for path in ("/", "/jobs", JOB, "/index.html"):
        assert ask(server, path).status == 403
        assert ask(server, path, Authorization="token wrong").status == 403
        assert ask(server, f"{path}?token={server.token}").status == 200
        assert ask(server, path, Authorization=f"token {server.token}").status == 200
    assert ask(server, "/page.js").status == 200


@pytest.mark.parametrize("name", ["up.js", "look.css"])
def test_what_is_named_like_a_file_of_the_page_is_guarded(serve, name):
    """A uid may end like one."""
    server = serve(running(job_entry([vertex(name, "source")], [])), host="0.0.0.0")
    assert ask(server, f"{JOB}/vertices/{name}").status == 403
    assert ask(server, f"{JOB}/vertices/{name}?token={server.token}").status == 200


def test_a_fault_of_the_page_is_answered_and_logged(serve, caplog):
    """The browser does not wait for an answer that never comes, and the fault is not swallowed."""
    record = running(windowed())
    del record.job["vertices"]
    said = ask(serve(record), JOB)
    assert (said.status, "KeyError" in said.body.decode()) == (500, True)
    assert "the page of jobs cannot answer GET" in caplog.text


def test_a_browser_that_goes_away_is_no_fault(serve, caplog):
    """All that else goes wrong outside of an answer is logged."""
    server = serve()._server
    for error, count in ((ConnectionResetError(), 0), (TimeoutError(), 0), (ZeroDivisionError(), 1)):
        try:
            raise error
        except Exception:
            server.handle_error(None, None)
        assert len(caplog.records) == count


def test_no_name_server_is_asked(serve, monkeypatch):
    """Where there is none it would take seconds until a job starts."""

    def fails(name=""):
        raise AssertionError(name)

    monkeypatch.setattr(socket, "getfqdn", fails)
    assert ask(serve(), "/jobs").status == 200


def test_another_name_of_this_machine_is_refused(serve):
    """A page of the internet whose name was made to point to this machine (DNS rebinding) learns nothing."""
    server = serve(running(windowed()))
    assert ask(server, "/jobs", Host="example.org").status == 403
    assert ask(server, "/jobs", Host=f"localhost:{server.port}").status == 200


def test_who_does_something_to_a_job_says_the_token(serve):
    """A form of another site cannot know it; a token in the address alone is not enough."""
    server = serve(running(windowed()))
    assert ask(server, JOB, "PATCH").status == 403
    assert ask(server, f"{JOB}?token={server.token}", "PATCH").status == 403
    assert ask(server, JOB, "PATCH", Authorization=f"token {server.token}").status == 400  # there is no job to cancel


@pytest.mark.parametrize("origin", ["http://example.org", "null"])
def test_another_sites_page_is_refused(serve, origin):
    """Even if it says the token."""
    server = serve(running(windowed()))
    said = ask(server, f"{JOB}/stop", "POST", {}, Authorization=f"token {server.token}", Origin=origin)
    assert said.status == 403


def test_the_page_loads_nothing_from_elsewhere(serve):
    """The browser is told so, too; and not to show it inside of another page, nor to say its address to anybody."""
    said = ask(serve(), "/")
    policy = said.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert said.headers["referrer-policy"] == "no-referrer"
    for name in ("index.html", "page.js", "graph.js", "charts.js", "format.js", "page.css"):
        body = ask(serve(), f"/{name}").body.decode().replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in body
        assert "https://" not in body


@pytest.mark.parametrize(
    "path", ["/../server.py", "/page/../../server.py", "/%2e%2e/server.py", "/server.py", "/nothing.js"]
)
def test_no_other_file_is_given_away(serve, path):
    """Only those of the page."""
    assert ask(serve(), path).status == 404


def test_a_port_that_somebody_has_is_named(serve):
    """The error says which settings to change."""
    taken = serve()
    with pytest.raises(ConfigurationError, match=rf"windrow\.ui\.port {taken.port}"):
        PageServer(ShownJobs(), "127.0.0.1", taken.port)


def test_what_is_no_port_is_named():
    """It is a setting like any other."""
    with pytest.raises(ConfigurationError, match=r"windrow\.ui\.port 70000.*65535"):
        PageServer(ShownJobs(), "127.0.0.1", 70_000)
