"""Looks at the Python packages: those that are needed, and those that some connectors want."""

from __future__ import annotations

import platform
import re
import sys
from importlib import import_module, metadata

from windrow.doctor.finding import Finding, fail, note, ok

#: What every program needs: module, distribution, and the first major version that will not do.
_NEEDED = [
    ("numpy", "numpy", None),
    ("pandas", "pandas", 3),
    ("pyarrow", "pyarrow", None),
    ("cloudpickle", "cloudpickle", None),
    ("google.protobuf", "protobuf", None),
]
#: What an extra brings, and what for: extra, module, distribution, purpose.
_EXTRAS = [
    ("kafka", "confluent_kafka", "confluent-kafka", "Kafka"),
    ("avro", "fastavro", "fastavro", "Avro"),
    ("jdbc", "sqlalchemy", "sqlalchemy", "JDBC sinks"),
    ("demo", "matplotlib", "matplotlib", "pictures of 'windrow demo'"),
]
_OLDEST_PYTHON = (3, 11)
_PYSPARK = (4, 2)


def python() -> Finding:
    """Check that this program's Python is new enough."""
    text = f"{platform.python_version()}, {sys.executable}"
    if sys.version_info[:2] < _OLDEST_PYTHON:
        return fail("Python", f"{text}: Windrow needs {'.'.join(map(str, _OLDEST_PYTHON))} or newer")
    return ok("Python", text)


def pyspark() -> Finding:
    """PySpark itself; the Spark behind it is another check."""
    problem = _import_problem("pyspark")
    if problem is not None:
        return fail("PySpark", f"{problem}; pip install pyspark")
    version = metadata.version("pyspark")
    numbers = tuple(int(number) for number in re.findall(r"\d+", version)[:2])
    if numbers < _PYSPARK:
        oldest = ".".join(map(str, _PYSPARK))
        return fail("PySpark", f"{version}: Windrow needs {oldest} or newer; pip install 'pyspark>={oldest}'")
    return ok("PySpark", version)


def needed() -> list[Finding]:
    """Packages without which no job runs."""
    findings = []
    for module, distribution, too_new in _NEEDED:
        problem = _import_problem(module)
        if problem is not None:
            findings.append(fail(distribution, f"{problem}; pip install {distribution}"))
            continue
        version = metadata.version(distribution)
        if too_new is not None and int(version.split(".")[0]) >= too_new:
            bound = f"{distribution}<{too_new}"
            findings.append(fail(distribution, f"{version}: PySpark needs {bound}; pip install '{bound}'"))
        else:
            findings.append(ok(distribution, version))
    return findings


def extras() -> list[Finding]:
    """Packages that some connectors want."""
    findings = []
    for extra, module, distribution, purpose in _EXTRAS:
        problem = _import_problem(module)
        if problem is None:
            findings.append(ok(purpose, f"{distribution} {metadata.version(distribution)}"))
        else:
            findings.append(note(purpose, f"{problem}; needed for it only: pip install '.[{extra}]' in a clone"))
    return findings


def _import_problem(module: str) -> str | None:
    try:
        import_module(module)
    except ModuleNotFoundError as error:
        return f"not installed ({error})"
    except Exception as error:  # a library that is installed and broken: a shared library that is missing
        return f"cannot be imported ({type(error).__name__}: {error})"
    return None
