"""What brings Windrow to executors is one file."""

import subprocess
import sys
import zipfile

import pytest

from windrow.errors import ConfigurationError
from windrow.package import archive as making
from windrow.package.archive import default_name, make_archive

#: What workers import first, and a function of the user's is made of.
IMPORTED = "windrow.runtime.spark.level_work", "windrow.runtime.spark.stages", "windrow.datastream", "cloudpickle"


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    return make_archive(tmp_path_factory.mktemp("archive"))


@pytest.fixture
def of_little(monkeypatch):
    """What is made has one package, and takes no time, where it matters only whether it is made."""
    monkeypatch.setattr(making, "_PACKAGES", ("cloudpickle",))


def test_workers_find_all_they_need_in_it(archive):
    """A Python that has it in front of its path imports from it, and compiles nothing."""
    code = (
        f"import sys; sys.path.insert(0, {str(archive)!r}); from importlib import import_module\n"
        f"for name in {IMPORTED}:\n"
        "    module = import_module(name)\n"
        "    print(module.__file__.startswith(sys.path[0]), module.__file__.endswith('.pyc'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["True True"] * len(IMPORTED)


def test_it_has_the_source_of_what_is_compiled(archive):
    """A Python of another version, and whoever reads a stack, need it; what no job uses is left out."""
    with zipfile.ZipFile(archive) as opened:
        names = set(opened.namelist())
    assert {name for name in names if name.endswith(".py")} == {name[:-1] for name in names if name.endswith(".pyc")}
    assert "windrow/runtime/spark/level_work.py" in names
    assert not [name for name in names if name.startswith("windrow/demo")]


def test_equal_contents_are_equal_bytes(archive, tmp_path):
    """Whoever keeps archives by what is in them, as Spark's clusters do, keeps one."""
    assert archive.name == default_name()
    assert make_archive(tmp_path / "another.zip").read_bytes() == archive.read_bytes()


@pytest.mark.usefixtures("of_little")
def test_what_spark_would_not_put_on_the_path_is_not_made(tmp_path):
    """PySpark looks at the end of the name; nothing is left where nothing could be written."""
    with pytest.raises(ConfigurationError, match=r"'.*windrow.whl': Spark puts an archive on the path of Python if"):
        make_archive(tmp_path / "windrow.whl")
    with pytest.raises(ConfigurationError, match=r"windrow.zip' cannot be written: No such file or directory"):
        make_archive(tmp_path / "nowhere" / "windrow.zip")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("of_little")
def test_nothing_half_written_is_left(tmp_path):
    """Where the name is a folder's, say, that has come in the meantime, or the disk is full."""
    (tmp_path / "windrow.zip").mkdir()
    (tmp_path / "windrow.zip" / default_name()).mkdir()
    with pytest.raises(ConfigurationError, match="cannot be written: Is a directory"):
        make_archive(tmp_path / "windrow.zip")
    assert [path.name for path in (tmp_path / "windrow.zip").iterdir()] == [default_name()]
