"""What Spark knows of a level of a streaming query."""

import subprocess
import sys

LISTED = "import sys, windrow.runtime.spark.processor; print(*sys.modules)"


def test_a_python_that_only_asks_what_state_there_is_loads_nothing_of_the_work():
    """Spark starts one on the driver for each level of each query."""
    done = subprocess.run([sys.executable, "-c", LISTED], capture_output=True, text=True, check=True)
    modules = done.stdout.split()
    assert "windrow.runtime.spark.level_work" not in modules
    assert not [name for name in modules if name.startswith(("windrow.operators", "windrow.graph", "windrow.elements"))]
