"""``windrow top``: a running job as a table that is brought up to date."""

from __future__ import annotations

import json
import time
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qs, urlsplit
from urllib.request import ProxyHandler, Request, build_opener

import click
from rich.console import Console
from rich.live import Live

from windrow.errors import ConfigurationError

_OVER = ("FINISHED", "FAILED", "CANCELED", "SUSPENDED")
_TIMEOUT = 10


@click.command()
@click.argument("url", required=False)
@click.option("--once", is_flag=True, help="Show the job as it is now, and end.")
@click.option("--interval", default=1.0, show_default=True, help="Seconds between two looks.")
def top(url: str | None, once: bool, interval: float) -> None:
    """Show a running job: its operators, where time goes, and what it waits for.

    URL is the address that the program has printed; without it the newest job of this user that runs is shown.
    """
    from windrow.ui.status import table_of

    try:
        asked = _Asked(url or _newest())
        details, findings = asked.job()
    except ConfigurationError as error:
        raise click.ClickException(str(error)) from error
    console = Console()
    if once:
        console.print(table_of(details, findings))
        return
    with Live(table_of(details, findings), console=console, auto_refresh=False) as live:
        while details["state"] not in _OVER:
            time.sleep(interval)
            try:
                details, findings = asked.job()
            except ConfigurationError:
                break  # the program has ended
            live.update(table_of(details, findings), refresh=True)


class _Asked:
    """The page of a program, asked for one job."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url if "//" in url else f"http://{url}")
        self._base = f"{parts.scheme}://{parts.netloc}"
        token = parse_qs(parts.query).get("token", [""])[0]
        self._headers = {"Authorization": f"token {token}"} if token else {}
        # What is asked for is on this machine, or is named: no proxy stands in between.
        self._opener = build_opener(ProxyHandler({}))
        self._job = parts.fragment.removeprefix("/jobs/")

    def job(self) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The job, and what there is to know of it."""
        if not self._job:
            jobs = self._get("/jobs/overview")["jobs"]
            if not jobs:
                msg = f"the program at {self._base} has no job yet"
                raise ConfigurationError(msg)
            running = [job for job in jobs if job["state"] not in _OVER]
            self._job = (running or jobs)[0]["jid"]
        return self._get(f"/jobs/{self._job}"), self._get(f"/jobs/{self._job}/findings")

    def _get(self, path: str) -> Any:
        try:
            with self._opener.open(Request(self._base + path, headers=self._headers), timeout=_TIMEOUT) as answer:
                return json.load(answer)
        except HTTPError as error:
            said = error.read().decode(errors="replace")
            msg = f"{self._base}{path} says {error.code}: {said}"
            raise ConfigurationError(msg) from error
        except (URLError, OSError, ValueError) as error:
            msg = f"there is no page of a job at {self._base}: {error}"
            raise ConfigurationError(msg) from error


def _newest() -> str:
    """The address of the newest page of this user on which a job runs; where none does, of the newest one."""
    from windrow.ui.address_file import addresses

    ended = None
    for url in addresses():
        try:
            details, _ = _Asked(url).job()
        except ConfigurationError:
            continue  # it is just ending, or has no job
        if details["state"] not in _OVER:
            return url
        ended = ended or url
    if ended is not None:
        return ended
    msg = "no job of this user has a page now; give the address that its program has printed"
    raise ConfigurationError(msg)
