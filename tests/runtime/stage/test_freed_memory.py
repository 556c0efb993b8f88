"""Memory of arrays that are no longer needed."""

import platform
import resource
import subprocess
import sys

import pytest

PROGRAM = """
import resource
import numpy as np
from windrow.runtime.stage.freed_memory import keep_freed_memory
if {keep}:
    keep_freed_memory()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(200):
    arrays = [np.ones(1 << 13) for _ in range(40)]
    del arrays
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(*, keep):
    """How often the system had to give 40 arrays of 64 KiB new memory, 200 times."""
    done = subprocess.run([sys.executable, "-c", PROGRAM.format(keep=keep)], capture_output=True, check=True)
    return int(done.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries are left as they are")
def test_arrays_are_made_where_others_were():
    """All of them are made in little more memory than 40 take at once; without it at least some take new memory."""
    pages = 40 * (1 << 16) // resource.getpagesize()
    assert faults(keep=True) < 2 * pages < faults(keep=False)
