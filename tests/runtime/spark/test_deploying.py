"""A program runs unchanged wherever Spark runs, and brings Windrow along where executors do not have it.

The cluster's executors have a Python that finds all packages of this one but Windrow, as links to them.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from pathlib import Path

import pytest

from tests.runtime.spark.expected import expected_lines, lines_in
from windrow.package.archive import make_archive

pytestmark = [pytest.mark.slow, pytest.mark.spark]
PROGRAM = Path(__file__).with_name("programs.py")
ROOT = Path(__file__).parents[3]
#: The jobs of the program.
KINDS = ("batch", "streaming")


@pytest.fixture(scope="module")
def without_windrow(tmp_path_factory):
    """The Python of an environment that has not Windrow."""
    folder = tmp_path_factory.mktemp("without")
    python = environment(folder / "env")
    assert subprocess.run([python, "-c", "import windrow"], capture_output=True, check=False).returncode != 0
    return python


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """What ``windrow package`` makes."""
    return make_archive(tmp_path_factory.mktemp("archive"))


def test_under_spark_submit_the_program_names_nothing_of_spark(tmp_path):
    """spark-submit decides the master."""
    run(submit({"spark.master": "local[2]"}, tmp_path, kinds=("batch",)), PYSPARK_PYTHON=sys.executable)
    check(tmp_path, kinds=("batch",))


def test_the_package_travels_as_an_archive(cluster, without_windrow, archive, tmp_path):
    """With --py-files neither executors nor the driver need Windrow."""
    command = submit(cluster.settings, tmp_path, "--py-files", str(archive))
    run(command, PYSPARK_PYTHON=without_windrow, PYSPARK_DRIVER_PYTHON=without_windrow)
    check(tmp_path)


def test_the_environment_travels_as_an_archive(cluster, tmp_path):
    """With --archives executors need no package; the driver has the environment where it is in their folders."""
    environment(tmp_path / "env", with_windrow=True)
    with tarfile.open(tmp_path / "env.tar.gz", "w:gz") as packed:
        packed.add(tmp_path / "env", ".")
    command = submit(cluster.settings, tmp_path, "--archives", f"{tmp_path}/env.tar.gz#env")
    run(command, cwd=tmp_path, PYSPARK_PYTHON="./env/bin/python")
    check(tmp_path)


def test_a_session_that_runs_is_given_the_package(cluster, without_windrow, archive, tmp_path):
    """By ``addPyFile``, before a job; the program's own Python has Windrow."""
    command = [sys.executable, str(PROGRAM), "brought", f"{tmp_path}/checkpoint", f"{tmp_path}/out", str(archive)]
    run(command, json.dumps(cluster.settings), PYSPARK_PYTHON=without_windrow)
    check(tmp_path)


@pytest.mark.hadoop
@pytest.mark.parametrize(("mode", "kinds"), [("client", ("batch",)), ("cluster", KINDS)])
def test_yarn_starts_the_executors_and_in_cluster_mode_the_driver(
    yarn, without_windrow, archive, tmp_path, mode, kinds
):
    """As the docs say: the archive in --py-files, Pythons by their names, the checkpoint by its URI in HDFS."""
    names = ("spark.yarn.appMasterEnv.PYSPARK_PYTHON", "spark.executorEnv.PYSPARK_PYTHON")
    settings = {**yarn.settings, **dict.fromkeys(names, without_windrow)}
    options = ["--deploy-mode", mode, "--py-files", str(archive)]
    command = submit(settings, tmp_path, *options, kinds=kinds, checkpoint=f"{yarn.uri}/checkpoint")
    pythons = {"PYSPARK_PYTHON": without_windrow, "PYSPARK_DRIVER_PYTHON": without_windrow}
    run(command, also=yarn.logs, **yarn.variables, **pythons)
    check(tmp_path, kinds)


def check(folder, kinds=KINDS):
    for kind in kinds:
        assert sorted(lines_in(folder / "out" / kind)) == sorted(expected_lines())


def submit(settings, folder, *options, kinds=KINDS, checkpoint=None):
    import pyspark

    command = [str(Path(pyspark.__file__).parent / "bin" / "spark-submit"), *options]
    for name, value in settings.items():
        command += ["--conf", f"{name}={value}"]
    there = checkpoint or f"{folder}/checkpoint"
    return [*command, str(PROGRAM), "submitted", there if "streaming" in kinds else "", f"{folder}/out"]


def environment(folder, *, with_windrow=False):
    """An environment with all packages of this one, by links, with a copy of Windrow or without it; its Python."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    here = Path(sysconfig.get_path("purelib"))
    there = folder / here.relative_to(Path(sys.prefix))
    for package in here.iterdir():
        if "windrow" not in package.name and not package.name.startswith(("__editable__", "_editable")):
            (there / package.name).symlink_to(package)
    if with_windrow:
        shutil.copytree(ROOT / "src" / "windrow", there / "windrow", ignore=shutil.ignore_patterns("__pycache__"))
    return str(folder / "bin" / "python")


def run(command, given=None, cwd=None, also=str, **variables):
    done = subprocess.run(
        command, input=given, capture_output=True, text=True, timeout=300, cwd=cwd,
        env={**os.environ, **variables}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr + also()
