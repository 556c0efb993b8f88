"""Files that Hadoop writes on a disk of this machine."""

import stat
from pathlib import Path

import pytest
from py4j.protocol import Py4JJavaError

from windrow.runtime.spark.local_disk import start_no_chmod
from windrow.runtime.spark.session import session

pytestmark = pytest.mark.spark


@pytest.fixture
def hadoop(spark_session):
    """Java's classes of Hadoop's files, and the object that has those of this machine."""
    assert start_no_chmod(spark_session)
    fs = spark_session._jvm.org.apache.hadoop.fs
    return fs, fs.FileSystem.getLocal(spark_session._jsc.hadoopConfiguration())


def mode_of(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("mode", ["rw-r-----", "rw-------", "rwxr-xr-x"])
def test_files_have_their_modes(hadoop, tmp_path, mode):
    """Those that are asked for, and files of checksums beside them."""
    fs, local = hadoop
    path = tmp_path / "file"
    local.create(fs.Path(str(path))).close()
    local.setPermission(fs.Path(str(path)), fs.permission.FsPermission.valueOf(f"-{mode}"))
    assert stat.filemode(path.stat().st_mode) == f"-{mode}"
    assert (tmp_path / ".file.crc").exists()


def test_no_process_is_started_for_a_file(hadoop, tmp_path, spark_session):
    """Java's processes that have ended have left no page faults behind, of which each has some hundred."""
    fs, local = hadoop
    java = spark_session._jvm.java.lang.ProcessHandle.current().pid()

    def faults():
        return int(Path(f"/proc/{java}/stat").read_text().rpartition(")")[2].split()[8])

    before = faults()
    for number in range(20):
        local.create(fs.Path(str(tmp_path / str(number)))).close()
    assert faults() - before < 20 * 50
    assert mode_of(tmp_path / "0") == mode_of(tmp_path / ".0.crc") == 0o644


def test_a_sticky_bit_is_set(hadoop, tmp_path):
    """Java itself has none."""
    fs, local = hadoop
    assert local.mkdirs(fs.Path(str(tmp_path / "shared")), fs.permission.FsPermission.createImmutable(0o1755))
    local.setPermission(fs.Path(str(tmp_path / "shared")), fs.permission.FsPermission.createImmutable(0o1777))
    assert mode_of(tmp_path / "shared") == 0o1777


def test_a_file_that_is_not_there_is_an_error(hadoop, tmp_path):
    """As it was."""
    fs, local = hadoop
    with pytest.raises(Py4JJavaError, match="NoSuchFile"):
        local.setPermission(fs.Path(str(tmp_path / "none")), fs.permission.FsPermission.createImmutable(0o600))


def test_it_is_done_once(hadoop, spark_session):
    """The object stays when somebody asks again."""
    _, local = hadoop
    raw = local.getRawFileSystem()
    assert start_no_chmod(session())
    assert local.getRawFileSystem().equals(raw)
