"""The page in a browser: it loads, follows a job, says what is wrong, and bears large jobs."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.required import cannot_be_had
from tests.runtime.monitor.programs import environment, orders
from tests.ui.records import NOON, batch, of_many_splits, running, shop, wide, windowed
from windrow.connectors.discarding import DiscardingSink
from windrow.errors import JobExecutionError, UserFunctionError
from windrow.ui.job_ui import close_pages

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
#: The browser asks nobody but the page, and leaves nothing behind.
FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
#: So long the page is waited for, in milliseconds.
PATIENCE = 90_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One browser for the tests of this file; behind them no event loop is left in this thread."""
    found = subprocess.run([ROOT / "scripts" / "chromium"], capture_output=True, text=True, check=False)
    if found.returncode:
        cannot_be_had("BROWSER", found.stderr.strip())
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver, tempfile.TemporaryDirectory(prefix="windrow-browser-") as profile:
        context = driver.chromium.launch_persistent_context(
            profile, executable_path=found.stdout.strip(), args=FLAGS, headless=True
        )
        context.set_default_timeout(PATIENCE)
        yield context
        context.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page by day, of a desk's width; what goes wrong in it fails the test."""
    page = browser.new_page()
    page.set_viewport_size({"width": 1280, "height": 900})
    page.emulate_media(color_scheme="light")
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if "Content Security" in message.text else None)
    yield page
    page.close()
    assert wrong == []


@pytest.fixture
def pages(tmp_path, monkeypatch) -> Iterator[None]:
    """Pages and histories of jobs of this process go with the test."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield
    close_pages()


def picture(page: Any, tmp_path: Path, name: str) -> None:
    """A picture of the page; for the docs, if the environment variable WINDROW_PICTURES is set."""
    folder = ROOT / "docs" / "images" if os.environ.get("WINDROW_PICTURES") else tmp_path
    page.screenshot(path=folder / f"{name}.png")


def fits(page: Any) -> bool:
    """Whether nothing makes the page wider than what it is shown in."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def job_url(server: Any, record: Any) -> str:
    return str(server.url_of(record.job["id"]))


@pytest.mark.usefixtures("pages")
def test_it_follows_a_job_says_which_split_holds_it_and_cancels_it(page, tmp_path):
    """From the first records on, without being loaded again, to the state that the job ends in."""
    env = environment("local")
    orders(env, quiet=True).print()
    client = env.execute_async("orders by kind")
    page.goto(client.get_web_interface_url())
    page.get_by_text("RUNNING", exact=True).wait_for()
    page.locator(".numbers dd").first.filter(has_text="1,001").wait_for()
    page.locator("#findings", has_text="orders-1 has had no records for").wait_for()
    page.locator("#findings", has_text="holds the watermark").wait_for()
    assert page.locator(".node.held").count() == 1
    page.get_by_role("tab", name="Time").click()
    page.locator("td", has_text="orders-1").wait_for()
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("CANCELED", exact=True).wait_for()
    assert page.locator("#actions button").count() == 0
    with pytest.raises(JobExecutionError, match="was cancelled"):
        client.get_job_execution_result().result()


@pytest.mark.usefixtures("pages")
def test_it_shows_what_a_function_raised(page, tmp_path):
    """The user's own traceback, the operator, and the element."""

    def parse(text):
        return int(text)

    env = environment("local")
    env.from_collection(["1", "<b>x</b>"]).map(parse).name("parse").sink_to(DiscardingSink())
    client = env.execute_async("fails")
    with pytest.raises(UserFunctionError):
        client.get_job_execution_result().result()
    page.goto(client.get_web_interface_url())
    page.get_by_text("FAILED", exact=True).wait_for()
    page.get_by_role("tab", name="Exceptions").click()
    page.locator("pre", has_text="return int(text)").wait_for()
    assert "'<b>x</b>'" in page.locator("article").inner_text()
    assert "parse" in page.locator("article h3").inner_text()
    picture(page, tmp_path, "job-page-failed")


def test_it_draws_levels_and_lines(page, serve, tmp_path):
    """A join of two topics: chains and exchanges, side outputs, a line for each split; the picture of the docs."""
    record = shop()
    page.set_viewport_size({"width": 1780, "height": 1180})
    page.goto(job_url(serve(record, now=NOON + 121_000), record))
    page.locator("#findings", has_text="orders-3 has had no records for 43 s").wait_for()
    said = "window 12:01:00 to 12:02:00 of turnover by minute fires when the watermark reaches 12:01:59.999"
    page.locator("#findings", has_text=f"{said}; it stands at 12:01:14, held back by orders-3").wait_for()
    page.get_by_role("tab", name="Time").click()
    page.locator("path.curve").nth(9).wait_for(state="attached")
    assert page.locator("path.edge").count() == 8
    assert page.locator("path.edge.side").count() == 1
    assert page.locator(".node.held").count() == 2
    picture(page, tmp_path, "job-page")


def test_an_operators_panel_says_what_it_waits_for(page, serve):
    """The window and the watermark, and who holds that; of one that waits for none, nothing."""
    record = shop()
    page.goto(job_url(serve(record, now=NOON + 121_000), record))
    page.locator("#panel button", has_text="turnover by minute").click()
    page.locator("#detail p", has_text="fires when the watermark reaches 12:01:59.999").wait_for()
    page.locator("#detail code", has_text="orders-3").wait_for()
    page.locator("#panel button", has_text="parse orders").click()
    page.locator("#detail h2", has_text="parse orders").wait_for()
    assert page.locator("#detail p", has_text="fires when").count() == 0


def test_it_bears_200_operators(page, serve, tmp_path):
    """Each is drawn, in its level, and is a row of the table."""
    record = wide(200)
    page.goto(job_url(serve(record), record))
    page.locator(".node").nth(199).wait_for()
    assert page.locator(".node").count() == 200
    page.locator("#panel tbody tr").nth(199).wait_for()
    assert fits(page)
    picture(page, tmp_path, "job-page-200")


def test_it_bears_1000_splits(page, serve, tmp_path):
    """Lines and rows are those of the splits that are furthest behind, and how many there are is said."""
    record = of_many_splits(1000)
    page.goto(job_url(serve(record), record))
    page.get_by_role("tab", name="Time").click()
    page.locator("#panel", has_text="100 of 1,000 splits are idle").wait_for()
    assert page.locator("path.curve").count() == 40
    assert page.locator("#panel tbody tr").count() == 200
    assert page.locator("#panel tbody tr").first.locator("td").first.inner_text() == "orders-998"
    picture(page, tmp_path, "job-page-1000")


def test_it_can_be_used_with_the_keyboard_alone(page, serve):
    """Tabs are chosen with arrows, operators with Enter, and what has the focus is seen."""
    record = wide(20)
    page.goto(job_url(serve(record), record))
    page.locator(".node").first.focus()
    page.keyboard.press("Enter")
    page.locator("#detail h2", has_text="operator 0").wait_for()
    page.keyboard.press("Enter")
    page.locator("#detail").wait_for(state="hidden")
    page.locator("#tab-operators").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "tab-time"
    assert page.locator("#tab-time").get_attribute("aria-selected") == "true"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") != "tab-batches"


def test_it_fits_a_phone_in_the_dark(page, serve, tmp_path):
    """Nothing is wider than the screen, in any of its parts, and the ground is dark."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="dark")
    record = of_many_splits(20)
    page.goto(job_url(serve(record), record))
    page.locator(".node").first.wait_for()
    for name in ("operators", "time", "batches", "checkpoints", "exceptions", "settings"):
        page.locator(f"#tab-{name}").click()
        page.locator("#panel").wait_for()
        assert fits(page), name
    page.locator("#tab-time").click()
    page.locator("path.curve").first.wait_for(state="attached")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 22, 28)"
    picture(page, tmp_path, "job-page-phone")


def test_it_says_that_the_program_has_ended(page, serve):
    """Nobody answers any more: the last state stays, with a word of it, and where the history is."""
    record = running(windowed(), batch(0, NOON + 1, {}))
    server = serve(record)
    page.goto(job_url(server, record))
    page.locator(".node").first.wait_for()
    server.close()
    page.locator("#trouble", has_text="windrow history").wait_for()


def test_on_another_address_it_works_with_its_token(page, serve):
    """The printed address has it; scripts and JSON come, and without it nothing does."""
    record = wide(3)
    server = serve(record, host="0.0.0.0")
    page.goto(job_url(server, record).replace("0.0.0.0", "127.0.0.1"))
    page.locator(".node").nth(2).wait_for()
    page.goto(f"http://127.0.0.1:{server.port}/")
    assert "token is missing" in page.locator("body").inner_text()


def test_several_jobs_are_listed(page, serve):
    """A link leads to each; with one job alone its page comes at once."""
    two = running(windowed() | {"id": "f" * 32, "name": "payments"})
    page.goto(serve(running(windowed()), two).url)
    page.get_by_role("link", name="payments").click()
    page.get_by_role("heading", name="payments").wait_for()
    page.goto(serve(two).url)
    page.get_by_role("heading", name="payments").wait_for()


def test_it_asks_nobody_else(page, serve):
    """Every request goes to the program."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    record = wide(3)
    server = serve(record)
    page.goto(job_url(server, record))
    page.locator(".node").first.wait_for()
    assert asked
    assert all(url.startswith((server.base, "data:")) for url in asked)
