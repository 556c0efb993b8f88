"""``windrow top``: a running job as a table."""

from __future__ import annotations

import tempfile

import pytest
from click.testing import CliRunner

from tests.ui.conftest import serve  # noqa: F401  (a fixture)
from tests.ui.records import NOON, shop
from windrow.cli import main
from windrow.runtime.monitor.watching import temporary_folder
from windrow.ui.address_file import AddressFile


def shown(*arguments: str) -> str:
    result = CliRunner(env={"COLUMNS": "160"}).invoke(main, ["top", "--once", *arguments])
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def url(serve):  # noqa: F811
    record = shop()
    server = serve(record, now=NOON + 121_000)
    return server.url_of(record.job["id"])


def test_a_job_is_a_table_with_what_it_waits_for(url):
    """Its operators, what goes in and out, and the sentences of the page."""
    output = shown(url)
    assert "turnover by minute" in output
    assert "RUNNING 2 min 1 s  in 2,496,000" in output
    assert "late 660" in output
    assert "watermark 12:01:14 (47 s behind)" in output
    assert "! orders-3 has had no records for 43 s and holds the watermark at 12:01:14" in output
    assert "(waiting: paid within ten minutes, turnover by minute)" in output.replace("\n", " ").replace("  ", " ")


def test_the_address_may_be_that_of_the_program(url):
    """Then it is the newest job that runs."""
    assert "turnover of the shop" in shown(url.partition("#")[0])
    assert "turnover of the shop" in shown(url.partition("?")[0].removeprefix("http://"))


def test_without_an_address_it_is_the_newest_job_that_runs(url, tmp_path, monkeypatch):
    """Wherever its history is, if it has one; pages of programs that were killed are passed over."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    address = AddressFile(url, "1")
    (file,) = temporary_folder().iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    gone = AddressFile("http://127.0.0.1:9/?token=x#/jobs/1", "2")
    killed = temporary_folder() / "999999999-3.page"
    killed.write_text("http://127.0.0.1:9/")
    assert "turnover of the shop" in shown()
    assert not killed.exists()
    gone.remove()
    address.remove()
    assert not list(tmp_path.iterdir())


def test_where_nothing_is_shown_it_says_so(tmp_path, monkeypatch):
    """With and without an address."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for arguments, words in (((), "no job of this user"), (("127.0.0.1:9",), "there is no page of a job")):
        result = CliRunner().invoke(main, ["top", *arguments])
        assert result.exit_code == 1
        assert words in result.output
