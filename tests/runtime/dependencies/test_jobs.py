"""Functions import the files and packages that a program names, and read its archives, on every runtime."""

import sys

import pytest

from tests.runtime.dependencies.packages import wheel, zipped
from windrow.common import Configuration
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import ConfigurationError

SUM = """
class Sum:
    def __init__(self, x):
        self.x = x

    def __repr__(self):
        return f"={self.x}"
"""


def _adds_from_everywhere(number):
    import windrow_by_file
    import windrow_by_folder
    import windrow_by_requirements
    import windrow_by_zip

    with open("data/data.txt") as file:
        read = int(file.read())
    return windrow_by_file.Sum(number + windrow_by_folder.x + windrow_by_zip.x + windrow_by_requirements.x + read)


def _write(path, text):
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return str(path)


def test_files_archives_and_requirements_reach_functions(env, tmp_path):
    """A file, a folder, a zip, an archive of data, a package; and an object of a class in one of them comes back."""
    env.add_python_file(_write(tmp_path / "by_file" / "windrow_by_file.py", SUM))
    _write(tmp_path / "by_folder" / "windrow_by_folder.py", "x = 10")
    env.add_python_file(str(tmp_path / "by_folder"))
    env.add_python_file(f"file://{zipped(tmp_path / 'lib.zip', {'windrow_by_zip.py': 'x = 100'})}")
    env.add_python_archive(str(zipped(tmp_path / "data.zip", {"data.txt": "1000"})), "data")
    packages = tmp_path / "packages"
    packages.mkdir()
    wheel(packages, "windrow_by_requirements", "x = 10000")
    env.set_python_requirements(_write(tmp_path / "requirements.txt", "windrow_by_requirements==1.0"), str(packages))
    env.set_python_executable(sys.executable)

    results = env.from_collection([1, 2]).map(_adds_from_everywhere).execute_and_collect(limit=3)

    assert sorted(map(repr, results)) == ["=11111", "=11112"]


def test_two_jobs_have_each_their_own_file_of_one_name(env, tmp_path, runtime):
    """A worker that has imported the one imports the other for the next job, a streaming query on Spark."""

    def reads(_):
        import windrow_same_name

        return windrow_same_name.x

    path = tmp_path / "windrow_same_name.py"
    found = []
    for x in (1, 2):
        other = StreamExecutionEnvironment.get_execution_environment(env.get_configuration(), env._spark_session)
        other.add_python_file(_write(path, f"x = {x}"))
        if x == 2:
            other.configure(Configuration.from_dict({"execution.checkpointing.dir": str(tmp_path / "checkpoint")}))
        found += other.set_parallelism(1).from_collection([0]).map(reads).execute_and_collect(limit=2)
    assert found == [1, 2]
    assert "windrow_same_name" not in sys.modules


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("python.files", "/nowhere/a.py", r"python.files names '/nowhere/a.py', and there is nothing at /nowhere/a.py"),
        ("python.files", "hdfs://host/a.py", "got 'hdfs://host/a.py': hdfs: is another file system"),
        ("python.archives", "/etc/hostname#../a", "to '../a', which is not in the functions' working directory"),
        ("python.archives", "/etc/hostname#a,/etc/passwd#a", "extracts two archives to one folder: a, a"),
        ("python.archives", "/etc", "names '/etc', which is no file; python.files takes folders"),
        ("python.executable", "/nowhere/python", "'/nowhere/python', and the local runtime runs functions in the"),
    ],
)
def test_what_cannot_be_had_is_named(key, value, said):
    """The error names the setting, and what it names."""
    local = Configuration.from_dict({"windrow.runtime": "local", key: value})
    env = StreamExecutionEnvironment.get_execution_environment(local)
    env.from_collection([1]).print()
    with pytest.raises(ConfigurationError, match=said):
        env.execute()


def test_a_requirement_that_is_nowhere_is_named(tmp_path):
    """What pip does not find among the packages is named, with the file that asks for it."""
    env = StreamExecutionEnvironment.create_local_environment()
    requirements = _write(tmp_path / "requirements.txt", "windrow-is-not-there==7")
    env.set_python_requirements(requirements, str(tmp_path))
    env.from_collection([1]).print()
    said = f"{requirements} asks for 'windrow-is-not-there==7', and {tmp_path} has none that fits"
    with pytest.raises(ConfigurationError, match=said):
        env.execute()
