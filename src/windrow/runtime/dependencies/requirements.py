"""Installs the packages of a requirements file into a folder."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

from windrow.errors import ConfigurationError
from windrow.runtime.dependencies.named import Requirements

_MISSING = re.compile(r"No matching distribution found for (\S+)")


def install(requirements: Requirements, target: Path) -> None:
    """Install them with pip, from their folder of packages alone if there is one.

    Raises:
        ConfigurationError: one of them cannot be installed; it is named.
    """
    if importlib.util.find_spec("pip") is None:
        msg = f"python.requirements: {requirements.path} is installed with pip, which {sys.executable} has not"
        raise ConfigurationError(msg)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    command += ["--no-warn-script-location", "--target", str(target), "--requirement", str(requirements.path)]
    if requirements.packages is not None:
        command += ["--no-index", "--find-links", str(requirements.packages)]
        if importlib.util.find_spec("setuptools") is not None:
            # What builds a package from its sources is here, and seldom among the packages.
            command.append("--no-build-isolation")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ConfigurationError(_why(requirements, done.stderr))


def _why(requirements: Requirements, said: str) -> str:
    missing = _MISSING.search(said)
    where = "what pip looks through" if requirements.packages is None else str(requirements.packages)
    if missing is not None:
        return f"python.requirements: {requirements.path} asks for {missing[1]!r}, and {where} has none that fits"
    errors = [line.strip() for line in said.splitlines() if line.strip()]
    reason = next((line for line in errors if line.startswith("ERROR:")), errors[-1] if errors else "without a word")
    return f"python.requirements: pip does not install {requirements.path}: {reason.removeprefix('ERROR:').strip()}"
