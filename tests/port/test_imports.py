"""How a PyFlink program's imports become Windrow's."""

import ast
from pathlib import Path

import pytest

from windrow.port.imports import with_windrow_imports

PROGRAM = Path(__file__).parents[2] / "bench" / "programs" / "tumbling_sum.py"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import pyflink", "import windrow"),
        ("import pyflink.common as common", "import windrow.common as common"),
        ("import os, pyflink.common as c, pyflink.table as t", "import os, windrow.common as c, windrow.table as t"),
        ("from pyflink import common", "from windrow import common"),
        ("from pyflink.datastream import (A,\n    B)", "from windrow.datastream import (A,\n    B)"),
        ("def f():\n    from pyflink.common import A", "def f():\n    from windrow.common import A"),
        ("if x: from pyflink.common import A", "if x: from windrow.common import A"),
        ("x = 1; import pyflink.common as c", "x = 1; import windrow.common as c"),
        ("from pyflink \\\n    .common import A", "from windrow \\\n    .common import A"),
    ],
)
def test_imports_change(before, after):
    """Every form of import names windrow afterwards."""
    assert with_windrow_imports(before) == after


@pytest.mark.parametrize(
    "line",
    [
        'x = "from pyflink"',
        "'''\nimport pyflink\n'''",
        "# import pyflink",
        "import pyflinkish",
        "import pyflinkish.pyflink as p",
        "from .pyflink import A",
        "from other import pyflink",
        "y = pyflink_name",
        "pyflink = 1\nprint(pyflink)",
    ],
)
def test_everything_else_stays(line):
    """Texts, comments, longer names, and what others call by this name are not touched."""
    assert with_windrow_imports(line) == line


def test_the_name_that_a_plain_import_binds_changes_where_it_is_used():
    """Also behind letters that take several bytes, which Python's tree counts as such."""
    before = "import pyflink.common\nx = 'ü€', pyflink.common.Row(1), other.pyflink"
    assert with_windrow_imports(before) == "import windrow.common\nx = 'ü€', windrow.common.Row(1), other.pyflink"


def test_line_ends_and_odd_white_space_stay():
    """Windows' line ends, form feeds, tabs, no line end at the end of the file."""
    before = "from  pyflink.common  import\tA\r\n\x0c\r\nx = 1  \r\nfrom pyflink import common"
    assert with_windrow_imports(before) == before.replace("pyflink", "windrow")


def test_benchmark_program_imports_only_windrow():
    """After the change the benchmark's program has no import of PyFlink left."""
    tree = ast.parse(with_windrow_imports(PROGRAM.read_text()))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    assert "windrow.datastream" in modules
    assert not any(module.startswith("pyflink") for module in modules)
