"""What is looked for in the wheel and the source distribution."""

import sys
import tarfile
import zipfile

import pytest

from scripts.dist import faults_of_source, faults_of_wheel, python_of, supported

INFO = "windrow-1.0.dist-info"
METADATA = """Metadata-Version: 2.4
Name: windrow
Version: 1.0
License-Expression: Apache-2.0
Description-Content-Type: text/markdown

# Windrow
"""
FILES = {
    "windrow/__init__.py": "",
    "windrow/py.typed": "",
    "windrow/demo/data/traffic/a.csv": "",
    "windrow/demo/data/traffic/LICENSE.txt": "",
    f"{INFO}/METADATA": METADATA,
    f"{INFO}/licenses/LICENSE": "",
    f"{INFO}/licenses/NOTICE": "",
}


def wheel_of(folder, files):
    path = folder / "windrow-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def test_a_whole_wheel_has_no_faults(tmp_path):
    """Types, licences, metadata that an index takes."""
    assert faults_of_wheel(wheel_of(tmp_path, FILES), "1.0") == []


@pytest.mark.parametrize("name", [name for name in FILES if "LICENSE" in name or name.endswith(("py.typed", "NOTICE"))])
def test_what_is_missing_in_a_wheel_is_told(tmp_path, name):
    """The mark that the package is typed, its licence, and those of the data that it carries."""
    files = {each: text for each, text in FILES.items() if each != name}
    assert faults_of_wheel(wheel_of(tmp_path, files), "1.0") == [f"windrow-1.0-py3-none-any.whl: has no {name}"]


def test_what_would_be_installed_beside_the_package_is_told(tmp_path):
    """A folder `tests` in everybody's site-packages, say."""
    (found,) = faults_of_wheel(wheel_of(tmp_path, FILES | {"tests/a.py": ""}), "1.0")
    assert found.endswith("installs tests beside windrow")


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("\nVersion: 1.0", "\nVersion: 1.1", "version 1.1, and windrow.__version__ is 1.0"),
        ("License-Expression: Apache-2.0\n", "", "no License-Expression"),
        ("License-Expression: Apache-2.0", "License-Expression: of ours", "license"),
        ("Description-Content-Type: text/markdown\n", "", "the README is not its description"),
        ("Name: windrow\n", "", "name"),
    ],
)
def test_metadata_that_an_index_would_refuse_is_told(tmp_path, before, after, said):
    """Or that would leave the page of the project empty."""
    files = FILES | {f"{INFO}/METADATA": METADATA.replace(before, after)}
    (found,) = faults_of_wheel(wheel_of(tmp_path, files), "1.0")
    assert said in found


def test_the_source_distribution_has_what_the_wheel_is_built_of(tmp_path):
    """And the licences."""
    wheel, source = wheel_of(tmp_path, FILES), tmp_path / "windrow-1.0.tar.gz"
    package = [f"src/{name}" for name in FILES if name.startswith("windrow/")]
    (tmp_path / "empty").touch()
    with tarfile.open(source, "w:gz") as archive:
        for name in ["pyproject.toml", "README.md", "PKG-INFO", "LICENSE", *package[1:]]:
            archive.add(tmp_path / "empty", f"windrow-1.0/{name}")
    assert faults_of_source(source, wheel, "1.0") == [
        "windrow-1.0.tar.gz: has no NOTICE",
        "windrow-1.0.tar.gz: has no src/windrow/__init__.py",
    ]


def test_the_pythons_are_those_that_the_project_names():
    """It says so once, in pyproject.toml."""
    assert supported() == ["3.11", "3.12", "3.13"]


def test_a_python_that_does_not_run_is_not_there(tmp_path, monkeypatch):
    """As pyenv's stand-ins, where another version is chosen; one of pyenv's own folder does run."""
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.setenv("UV_PYTHON_INSTALL_DIR", str(tmp_path))
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    (tmp_path / f"python{version}").write_text("#!/bin/sh\nexit 127\n")
    (tmp_path / f"python{version}").chmod(0o755)
    assert python_of(version) is None
    python = tmp_path / "versions" / f"{version}.0" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    assert python_of(version) == str(python)


def test_a_python_that_uv_has_installed_is_there(tmp_path, monkeypatch):
    """It is not on the path."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.setenv("UV_PYTHON_INSTALL_DIR", str(tmp_path))
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    python = tmp_path / f"cpython-{version}.0-linux-x86_64-gnu" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    assert python_of(version) == str(python)
