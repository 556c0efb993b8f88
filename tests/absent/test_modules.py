"""Modules of PyFlink that Windrow does not have."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from windrow.absent.modules import BELOW, AbsentModules, explain_absent_modules, reason_for_module
from windrow.absent.names import MODULES

DATA = json.loads((Path(__file__).parents[1] / "signatures" / "pyflink.json").read_text())
NAMES = [name.replace("pyflink", "windrow", 1) for name in (*DATA["modules"], *DATA["other_modules"])]


@pytest.mark.parametrize("name", NAMES)
def test_every_module_of_pyflink_is_there_or_says_why(name):
    """Importing it either works, or ends with the reason and what works instead."""
    error = import_error(name)
    if error is not None:
        # Of a module in a package that is not there, the package is told.
        assert name == error.name or name.startswith(f"{error.name}.")
        assert str(error) == f"{error.name} is deliberately not here: {reason_for_module(error.name)}"
        assert type(error) is ImportError


def import_error(name):
    """What importing a module ends with; None if it works."""
    try:
        importlib.import_module(name)
    except ImportError as error:
        return error
    return None


def test_the_list_of_modules_is_long():
    """All of PyFlink's are in it."""
    assert len(NAMES) > 140


@pytest.mark.parametrize("name", sorted(MODULES))
def test_what_is_explained_is_not_there(name):
    """An explanation goes with the module that it is about."""
    with pytest.raises(ImportError, match=r"is deliberately not here"):
        importlib.import_module(name)


def test_every_beginning_is_of_a_module_of_pyflinks():
    """None is kept for what PyFlink does not have."""
    known = [*NAMES, "windrow.bin"]
    assert [each for each in BELOW if not any(name == each or name.startswith(f"{each}.") for name in known)] == []


@pytest.mark.parametrize(
    "statement",
    [
        "import windrow.datastream.connectors.pulsar",
        "from windrow.datastream.connectors.pulsar import PulsarSource",
        "from windrow.datastream.connectors import pulsar",
    ],
)
def test_programs_are_told_at_their_import(statement):
    """Whichever way they import it; the last line of the traceback has the reason."""
    done = subprocess.run([sys.executable, "-c", statement], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1].startswith(
        "ImportError: windrow.datastream.connectors.pulsar is deliberately not here: from_dataframe(spark.readStream"
    )


def test_a_table_program_is_told_what_there_is_of_the_table_api():
    """A name of pyflink.table's, and a module below it."""
    with pytest.raises(ImportError, match=r"windrow\.table\.CompiledPlan is deliberately .*: a statement is planned"):
        from windrow.table import CompiledPlan  # noqa: F401
    with pytest.raises(ImportError, match=r"windrow\.table\.catalog is deliberately .*: there is one catalog"):
        importlib.import_module("windrow.table.catalog")
    with pytest.raises(ImportError, match=r"windrow\.table\.functions is deliberately .*: of the Table API there is"):
        importlib.import_module("windrow.table.functions")
    import windrow.table

    with pytest.raises(AttributeError, match="there is SQL"):
        windrow.table.BatchTableEnvironment  # noqa: B018
    assert not hasattr(windrow.table, "__nothing__")


def test_other_modules_are_not_found_as_ever():
    """A name that is none of PyFlink's, and modules that are not Windrow's."""
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'windrow\.datastreams'"):
        importlib.import_module("windrow.datastreams")
    assert AbsentModules().find_spec("pulsar", None) is None


def test_the_finder_is_there_once():
    """However often it is asked for."""
    explain_absent_modules()
    assert sum(type(finder).__name__ == "AbsentModules" for finder in sys.meta_path) == 1
