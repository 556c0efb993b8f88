"""Builds the wheel and the source distribution into out/dist and looks at them: ``make dist``.

Then each Python that Windrow supports, if it is on this machine, installs the wheel into a new environment with what it
depends on, and runs a program there; then what it has built of the source distribution, in the wheel's place. A Python
that is not here is named.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from pathlib import Path

from packaging.metadata import Metadata
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[1]
DIST = ROOT / "out" / "dist"

#: Data of others that the package carries, and the file with their licence: NOTICE names both.
CARRIED = {"windrow/demo/data/traffic/": "windrow/demo/data/traffic/LICENSE.txt"}
LICENCES = ("LICENSE", "NOTICE")
#: What a program finds where the wheel is installed: it has to come from there, and to run a job without a JVM.
PROGRAM = """
import sys, windrow
from windrow.common import Configuration
from windrow.datastream import StreamExecutionEnvironment
assert windrow.__file__.startswith(sys.prefix), windrow.__file__
env = StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict({"windrow.runtime": "local"}))
assert list(env.from_collection([1, 2]).map(lambda n: n * 10).execute_and_collect()) == [10, 20]
"""


def faults_of_wheel(wheel: Path, version: str) -> list[str]:
    """What is wrong with a wheel, a line for each."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        info = f"windrow-{version}.dist-info"
        if f"{info}/METADATA" not in names:
            return [f"{wheel.name}: has no {info}/METADATA"]
        found = faults_of_metadata(archive.read(f"{info}/METADATA"), version)
    wanted = ["windrow/py.typed", *(f"{info}/licenses/{name}" for name in LICENCES)]
    wanted += [licence for data, licence in CARRIED.items() if any(name.startswith(data) for name in names)]
    found += [f"has no {name}" for name in wanted if name not in names]
    others = {name.split("/")[0] for name in names} - {"windrow", info}
    found += [f"installs {name} beside windrow" for name in sorted(others)]
    return [f"{wheel.name}: {each}" for each in found]


def faults_of_metadata(text: bytes, version: str) -> list[str]:
    """What an index would refuse, or a reader miss."""
    try:
        metadata = Metadata.from_email(text, validate=True)
    except ExceptionGroup as errors:
        return [f"metadata: {error}" for error in errors.exceptions]
    found = []
    if str(metadata.version) != version:
        found.append(f"metadata: version {metadata.version}, and windrow.__version__ is {version}")
    if not metadata.license_expression:
        found.append("metadata: no License-Expression")
    if metadata.description_content_type != "text/markdown" or not metadata.description:
        found.append("metadata: the README is not its description")
    return found


def faults_of_source(source: Path, wheel: Path, version: str) -> list[str]:
    """What is wrong with a source distribution, beside the wheel that was built of the same files."""
    with tarfile.open(source) as archive:
        names = {name.removeprefix(f"windrow-{version}/") for name in archive.getnames()}
    with zipfile.ZipFile(wheel) as archive:
        package = {f"src/{name}" for name in archive.namelist() if name.startswith("windrow/")}
    wanted = {"pyproject.toml", "README.md", "PKG-INFO", *LICENCES, *package}
    return [f"{source.name}: has no {name}" for name in sorted(wanted - names)]


def supported() -> list[str]:
    """The versions of Python that the project says it runs on, as ``3.11``."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    allowed = SpecifierSet(project["requires-python"])
    return [version for version in (f"3.{minor}" for minor in range(30)) if f"{version}.0" in allowed]


def python_of(version: str) -> str | None:
    """A Python of a version, on the path, pyenv's or uv's, that runs: pyenv's stand-in may be on the path and not."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    uv = Path(os.environ.get("UV_PYTHON_INSTALL_DIR") or Path.home() / ".local/share/uv/python")
    kept = [*pyenv.glob(f"versions/{version}.*/bin/python"), *uv.glob(f"cpython-{version}.*/bin/python")]
    there = [shutil.which(f"python{version}"), *map(str, sorted(kept))]
    command = ["-c", f"import sys, ensurepip; sys.exit(sys.version_info[:2] != {tuple(map(int, version.split('.')))})"]
    for python in filter(None, there):
        if subprocess.run([python, *command], capture_output=True, check=False).returncode == 0:
            return python
    return None


def tried(python: str, wheel: Path, source: Path) -> str | None:
    """Install the wheel for a Python and run the program, then the source distribution; what went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder) / "bin" / "python"
        pip = [str(there), "-m", "pip", "--disable-pip-version-check"]
        runs = [[*pip, "check"], [str(there), "-m", "windrow", "--version"], [str(there), "-c", PROGRAM]]
        commands = [
            [python, "-m", "venv", folder],
            [*pip, "--quiet", "install", str(wheel)],
            *runs,
            [*pip, "--quiet", "install", "--no-deps", "--force-reinstall", str(source)],
            *runs,
        ]
        for command in commands:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                return f"{' '.join(command[1:]).replace(PROGRAM, '...')}: {(done.stderr or done.stdout).strip()}"
    return None


def main() -> int:
    """Build, look and try; the exit code."""
    (said,) = re.findall(r'^__version__ = "(.+)"$', (ROOT / "src/windrow/__init__.py").read_text(), re.MULTILINE)
    shutil.rmtree(DIST, ignore_errors=True)
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(DIST), "-t", "sdist", "-t", "wheel"]
    subprocess.run(build, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    wheel, source = DIST / f"windrow-{said}-py3-none-any.whl", DIST / f"windrow-{said}.tar.gz"
    found = [*faults_of_wheel(wheel, said), *faults_of_source(source, wheel, said)]
    print(*found, sep="\n", end="\n" if found else "")
    for version in supported():
        python = python_of(version)
        if python is None:
            print(f"Python {version}: not on this machine, not tried")
            continue
        wrong = tried(python, wheel, source)
        print(f"Python {version}: {'both installed and run' if wrong is None else f'FAILED: {wrong}'}", flush=True)
        found += [] if wrong is None else [wrong]
    if not found:
        print(f"written: {wheel.relative_to(ROOT)} and {source.relative_to(ROOT)}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
