"""The example of a source of one's own."""

import pytest

from tests.examples.programs import EXAMPLES
from windrow.demo.part_files import rows


@pytest.mark.spark
@pytest.mark.slow
def test_each_file_has_a_watermark_of_its_own(tmp_path, session_of_programs):
    """A sensor whose file is read late, or is empty, makes nothing late."""
    logs, out = tmp_path / "logs", tmp_path / "out"
    logs.mkdir()
    (logs / "a.log").write_text("0,17.5\n30,19\n70,12\n600,1.5\n")
    (logs / "b.log").write_text("10,21\n59,3\n61,11\n")
    (logs / "c.log").write_text("")

    session_of_programs.run("source.py", logs, out)

    assert sorted(float(highest) for (highest,) in rows(out)) == [1.5, 12, 21]


def test_the_source_stays_short():
    """From the split to the source it is less than 60 lines, blank ones aside."""
    text = (EXAMPLES / "source.py").read_text()
    source = text[text.index("@dataclass") : text.index("def main")]
    assert len([line for line in source.splitlines() if line]) < 60
