"""Writes the checkpoints that later versions are to read, as this version writes them: tests/golden says when."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.golden import formats

if __name__ == "__main__":
    formats.write()
    print(f"wrote {formats.CHECKPOINTS} and {formats.SCHEMA}")
