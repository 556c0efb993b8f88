"""Runs programs one after the other in this process, as programs that share one Spark.

Arguments: their paths. A line of JSON tells of each what it has printed, and the traceback of what it has raised.
"""

import contextlib
import io
import json
import os
import runpy
import sys
import traceback
from pathlib import Path


def run(program: Path) -> dict[str, str]:
    """Run a program in the folder that it is in."""
    printed, raised = io.StringIO(), ""
    os.chdir(program.parent)
    sys.argv = [str(program)]
    with contextlib.redirect_stdout(printed):
        try:
            runpy.run_path(str(program), run_name="__main__")
        except BaseException:
            raised = traceback.format_exc()
    return {"printed": printed.getvalue(), "raised": raised}


if __name__ == "__main__":
    for path in sys.argv[1:]:
        print(json.dumps(run(Path(path))), flush=True)
