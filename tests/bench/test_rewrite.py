"""How a PyFlink program becomes a Windrow program."""

import ast
from pathlib import Path

import pytest

from bench.rewrite import with_windrow_imports

PROGRAM = Path(__file__).parents[2] / "bench" / "programs" / "tumbling_sum.py"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import pyflink", "import windrow"),
        ("import pyflink.common as common", "import windrow.common as common"),
        ("from pyflink.datastream import (A,\n    B)", "from windrow.datastream import (A,\n    B)"),
        ("def f():\n    from pyflink.common import A", "def f():\n    from windrow.common import A"),
    ],
)
def test_imports_change(before: str, after: str) -> None:
    """Every form of import names windrow afterwards."""
    assert with_windrow_imports(before) == after


@pytest.mark.parametrize("line", ['x = "from pyflink"', "# import pyflink", "import pyflinkish", "y = pyflink_name"])
def test_everything_else_stays(line: str) -> None:
    """Strings, comments and longer names are not touched."""
    assert with_windrow_imports(line) == line


def test_benchmark_program_imports_only_windrow() -> None:
    """After the change the benchmark's program has no import of PyFlink left."""
    tree = ast.parse(with_windrow_imports(PROGRAM.read_text()))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    assert "windrow.datastream" in modules
    assert not any(module.startswith("pyflink") for module in modules)
