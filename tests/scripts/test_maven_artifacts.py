import pytest

from scripts.maven_artifacts import UnavailableError, resolve

MVN = """#!/bin/sh
for argument; do case $argument in -DoutputDirectory=*) folder=${argument#*=};; esac; done
echo run >> "$(dirname "$0")/runs"
[ -e "$(dirname "$0")/broken" ] && { echo "no such artifact"; exit 1; }
mkdir -p "$folder" && touch "$folder/kafka.jar"
"""


@pytest.fixture
def mvn(tmp_path, monkeypatch):
    """A folder with a Maven that writes down its runs; it fails where there is a file ``broken``."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "mvn").write_text(MVN)
    (folder / "mvn").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder


@pytest.fixture
def pom(tmp_path):
    pom = tmp_path / "pom.xml"
    pom.write_text("<project/>")
    return pom


def test_artifacts_are_resolved_once(mvn, pom, tmp_path):
    """The second time they are there already; nothing else is left in the cache."""
    folder = resolve(pom, tmp_path / "cache")
    assert [jar.name for jar in folder.iterdir()] == ["kafka.jar"]
    assert resolve(pom, tmp_path / "cache") == folder
    assert (mvn / "runs").read_text() == "run\n"
    assert list((tmp_path / "cache").iterdir()) == [folder]


def test_another_pom_is_another_folder(mvn, pom, tmp_path):
    """Another version of a server does not find the old one's jars."""
    first = resolve(pom, tmp_path / "cache")
    pom.write_text("<project><!-- newer --></project>")
    assert resolve(pom, tmp_path / "cache") != first


def test_what_maven_cannot_get_is_said(mvn, pom, tmp_path):
    """With what it printed, and without a folder that looks whole."""
    (mvn / "broken").touch()
    with pytest.raises(UnavailableError, match="no such artifact"):
        resolve(pom, tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


def test_without_maven_it_says_what_to_install(pom, tmp_path, monkeypatch):
    """Where there is no mvn on the path."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UnavailableError, match="install mvn"):
        resolve(pom, tmp_path / "cache")
