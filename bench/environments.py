"""What the peers need that this project's own environment does not have: built once, under ``.bench/``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

FLINK_VERSION = "2.3.0"
ROOT = Path(__file__).resolve().parents[1]
BENCH = ROOT / ".bench"


class SetupError(Exception):
    """Something a peer needs could not be had; the message is one line that says what and why."""


@dataclass(frozen=True)
class FlinkEnvironment:
    """A virtual environment of its own with the PyPI package apache-flink, which carries Flink's jars."""

    folder: Path

    @property
    def python(self) -> Path:
        """The environment's interpreter."""
        return self.folder / "bin" / "python"

    @property
    def package(self) -> Path:
        """The folder of the installed package ``pyflink``."""
        return next(self.folder.glob("lib/python*/site-packages/pyflink"))

    @property
    def jars(self) -> str:
        """A Java class path with Flink's own jars."""
        return f"{self.package}/lib/*"

    def variables(self) -> dict[str, str]:
        """The process environment PyFlink needs: it starts its workers with the first ``python`` of the path."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("FLINK_", "PYTHON"))}
        return inherited | {"PATH": f"{self.python.parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"}


def installed_flink() -> FlinkEnvironment | None:
    """The environment with apache-flink if it was built before."""
    environment = FlinkEnvironment(BENCH / f"flink-{FLINK_VERSION}")
    # pip writes a package's metadata last, after all that it depends on: an interrupted build is continued.
    done = any(environment.folder.glob(f"lib/python*/site-packages/apache_flink-{FLINK_VERSION}.dist-info/RECORD"))
    return environment if done else None


def flink_environment() -> FlinkEnvironment:
    """The environment with apache-flink, built by pip where it is missing.

    Raises:
        SetupError: pip could not install it (no network, or no package for this Python).
    """
    installed = installed_flink()
    if installed is not None:
        return installed
    environment = FlinkEnvironment(BENCH / f"flink-{FLINK_VERSION}")
    pip = pip_of(environment)
    checked([*pip, "install", f"apache-flink=={FLINK_VERSION}"], f"apache-flink {FLINK_VERSION} from PyPI")
    return environment


def pip_of(environment: FlinkEnvironment) -> list[str]:
    """The environment's own pip; the environment is created first where there is none.

    Raises:
        SetupError: this Python cannot create virtual environments.
    """
    if not environment.python.exists():
        environment.folder.parent.mkdir(exist_ok=True)
        checked([sys.executable, "-m", "venv", str(environment.folder)], "a virtual environment for apache-flink")
    return [str(environment.python), "-m", "pip", "--disable-pip-version-check", "--quiet"]


def flink_wheel() -> Path:
    """The wheel of apache-flink alone, downloaded where it is missing: enough to read its example programs.

    Raises:
        SetupError: pip could not download it.
    """
    folder = BENCH / "wheels"
    found = list(folder.glob(f"apache_flink-{FLINK_VERSION}-*.whl"))
    if not found:
        pip = pip_of(FlinkEnvironment(BENCH / f"flink-{FLINK_VERSION}"))
        # Any wheel will do, whatever this machine is: nothing of it is run.
        tags = ["--python-version", "3.11", "--implementation", "cp", "--platform", "manylinux2014_x86_64"]
        options = ["--no-deps", "--only-binary=:all:", *tags, "--dest", str(folder)]
        checked(
            [*pip, "download", *options, f"apache-flink=={FLINK_VERSION}"], f"the wheel of apache-flink {FLINK_VERSION}"
        )
        found = list(folder.glob(f"apache_flink-{FLINK_VERSION}-*.whl"))
    return found[0]


def java_classes(
    environment: FlinkEnvironment, folder: str, sources: Sequence[Path], jars: Sequence[Path] = ()
) -> Path:
    """The folder below ``.bench/`` with compiled Java programs.

    Args:
        environment: Whose jars the programs are compiled against.
        folder: The folder's name.
        sources: The programs.
        jars: More jars that they need.

    Raises:
        SetupError: there is no Java compiler, or it refused the job.
    """
    home = os.environ.get("JAVA_HOME")
    compiler = shutil.which("javac", path=f"{home}/bin" if home else None)
    if compiler is None:
        message = "Flink's Java jobs need javac: install a Java development kit, version 17 or newer"
        raise SetupError(message)
    classes = BENCH / folder
    classes.mkdir(parents=True, exist_ok=True)
    class_path = os.pathsep.join([environment.jars, *map(str, jars)])
    command = [compiler, "-d", str(classes), "-cp", class_path, *map(str, sources)]
    checked(command, "the compiled Java jobs")
    return classes


def maven_jar(group: str, artifact: str, release: str) -> Path:
    """A jar of Maven's central repository, downloaded where it is missing.

    Raises:
        SetupError: there is no ``mvn``, or it could not download the jar.
    """
    folder = BENCH / "jars"
    jar = folder / f"{artifact}-{release}.jar"
    if not jar.exists():
        coordinates = f"-Dartifact={group}:{artifact}:{release}"
        command = ["mvn", "-q", "dependency:copy", coordinates, f"-DoutputDirectory={folder}"]
        checked(command, f"{artifact} {release} with Maven")
    return jar


def java() -> str:
    """The ``java`` command Spark would use as well."""
    home = os.environ.get("JAVA_HOME")
    return f"{home}/bin/java" if home else "java"


def checked(command: list[str], purpose: str) -> str:
    """Run a command that builds something and return its output.

    Raises:
        SetupError: it failed; the message has the last line it wrote.
    """
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        message = f"cannot have {purpose}: {error}"
        raise SetupError(message) from error
    if done.returncode != 0:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        reasons = [line for line in lines if line.lower().startswith("error")] or lines or [f"exit {done.returncode}"]
        message = f"cannot have {purpose}: {reasons[-1]}"
        raise SetupError(message)
    return done.stdout
