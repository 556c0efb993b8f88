"""What tests use is fetched before somebody waits for it."""

import pytest

from scripts import prefetch
from scripts.maven_artifacts import UnavailableError
from scripts.prefetch import FETCHED, ROOT, fetch, run_script


def test_what_cannot_be_had_keeps_nothing_else_away():
    """It is said why, and the rest is fetched."""
    fetched = []

    def refuse():
        raise UnavailableError("no network")

    assert fetch({"one": refuse, "two": lambda: fetched.append(2)}) == ["one: no network", "two: there"]
    assert fetched == [2]


def test_all_that_tests_resolve_with_maven_is_fetched():
    """Each of the files has the name of its folder, and no two have the same."""
    names = [pom.parent.name for pom in (ROOT / "tests").rglob("pom.xml")]
    assert {"kafka", "hdfs", "s3a"} <= set(names)
    assert set(names) < set(FETCHED)
    assert len(names) == len(set(names))


def test_a_script_that_installs_nothing_says_why(tmp_path, monkeypatch):
    """In its last line."""
    monkeypatch.setattr(prefetch, "ROOT", tmp_path)
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "chromium").write_text("#!/bin/sh\necho looking >&2\necho 'no Chromium' >&2\nexit 1\n")
    (tmp_path / "scripts" / "chromium").chmod(0o755)
    with pytest.raises(UnavailableError, match=r"^no Chromium$"):
        run_script("chromium")
