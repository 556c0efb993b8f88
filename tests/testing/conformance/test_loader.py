import json

import pytest

from tests.testing.conformance.cases import FOLDER
from windrow.errors import ConfigurationError
from windrow.testing.conformance.loader import load_cases

CASE = {"id": "A.b", "operator": {"kind": "assigner"}, "steps": []}


def test_folder_and_files(tmp_path):
    """A folder stands for its JSON files by name, and files are read in the order given."""
    for name in ("b", "a"):
        (tmp_path / f"{name}.json").write_text(json.dumps([CASE | {"id": name}]))
    (tmp_path / "README.md").write_text("not a case")
    assert [case["id"] for case in load_cases([tmp_path])] == ["a", "b"]
    assert [case["id"] for case in load_cases([tmp_path / "b.json", tmp_path / "a.json"])] == ["b", "a"]


def test_numbers_keep_64_bits(tmp_path):
    """Integers at the ends of 64 bits are read without loss."""
    file = tmp_path / "a.json"
    file.write_text(json.dumps([CASE | {"steps": [{"watermark": 2**63 - 1}, {"watermark": -(2**63)}]}]))
    assert [step["watermark"] for step in load_cases([file])[0]["steps"]] == [2**63 - 1, -(2**63)]


@pytest.mark.parametrize(
    ("content", "message"),
    [("{", "is not JSON"), ("{}", "is not a list of cases"), ('[{"id": "A"}]', "is not a list of cases")],
)
def test_broken_files(tmp_path, content, message):
    """A file that holds no cases is named."""
    file = tmp_path / "broken.json"
    file.write_text(content)
    with pytest.raises(ConfigurationError, match=rf"broken\.json {message}"):
        load_cases([file])


def test_missing_files(tmp_path):
    """A path that does not exist, and a folder without cases, are named."""
    with pytest.raises(ConfigurationError, match="does not exist"):
        load_cases([tmp_path / "missing.json"])
    with pytest.raises(ConfigurationError, match=r"holds no \.json file"):
        load_cases([tmp_path])


def test_ids_are_unique():
    """Every case in this repository can be told from the others by its id."""
    ids = [case["id"] for case in load_cases([FOLDER])]
    assert len(ids) == len(set(ids))
