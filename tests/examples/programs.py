"""Running an example as its user does."""

import os
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(example: str, *arguments: object) -> None:
    """Run the program with its arguments, and fail unless it succeeds."""
    # The program starts its session itself, and its virtual environment is not activated.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYSPARK_")}
    command = [sys.executable, EXAMPLES / example, *map(str, arguments)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
