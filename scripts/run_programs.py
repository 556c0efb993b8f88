"""Runs programs one after the other in this process, as programs that share one Spark.

Arguments: their paths; each runs in the folder that it is in. Without any, each line of standard input is a list of
JSON, a program's path and its arguments. A line of JSON tells of each what it has printed, and the traceback of what it
has raised.
"""

import contextlib
import io
import json
import os
import runpy
import sys
import traceback
from pathlib import Path


def run(program: str, *arguments: str) -> dict[str, str]:
    """Run a program with its arguments."""
    printed, raised = io.StringIO(), ""
    sys.argv = [program, *arguments]
    with contextlib.redirect_stdout(printed):
        try:
            runpy.run_path(program, run_name="__main__")
        except BaseException:
            raised = traceback.format_exc()
    return {"printed": printed.getvalue(), "raised": raised}


if __name__ == "__main__":
    paths = sys.argv[1:]
    for path in paths:
        os.chdir(Path(path).parent)
        print(json.dumps(run(path)), flush=True)
    if not paths:
        for line in sys.stdin:
            print(json.dumps(run(*json.loads(line))), flush=True)
