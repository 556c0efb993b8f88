"""YARN with one machine for containers, beside an HDFS, in one process on free ports of 127.0.0.1."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree

import pyspark

from scripts.maven_artifacts import UnavailableError, resolve
from tests.hadoop.hdfs_cluster import POM
from tests.hadoop.keeper import running

PROGRAM = Path(__file__).parent / "yarn" / "YarnCluster.java"
_JAVA = ["-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Djava.net.preferIPv4Stack=true"]
_QUIET = "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"
_QUEUE = "yarn.scheduler.capacity"
#: One queue, of which what starts applications may take all; no limits that a small or full disk would reach.
_SETTINGS = {
    "hadoop.security.authentication": "simple",
    "dfs.namenode.fs-limits.min-block-size": "0",
    "dfs.permissions.enabled": "false",
    "yarn.minicluster.yarn.nodemanager.resource.memory-mb": "8192",
    "yarn.nodemanager.vmem-check-enabled": "false",
    "yarn.nodemanager.disk-health-checker.enable": "false",
    "yarn.nodemanager.delete.debug-delay-sec": "600",
    f"{_QUEUE}.root.queues": "default",
    f"{_QUEUE}.root.default.capacity": "100",
    f"{_QUEUE}.root.default.maximum-capacity": "100",
    f"{_QUEUE}.root.default.state": "RUNNING",
    f"{_QUEUE}.maximum-am-resource-percent": "1.0",
}


class Yarn:
    """A cluster whose default file system is its HDFS.

    Args:
        folder: It has a file with the settings of a client.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def uri(self) -> str:
        """The default file system's."""
        properties = ElementTree.parse(self._folder / "client" / "core-site.xml").getroot()
        (uri,) = (each.findtext("value") for each in properties if each.findtext("name") == "fs.defaultFS")
        return str(uri)

    @property
    def variables(self) -> dict[str, str]:
        """Those of the environment of spark-submit."""
        return {
            "HADOOP_CONF_DIR": str(self._folder / "client"),
            "SPARK_LOCAL_IP": "127.0.0.1",
            # Containers are sent PySpark as the zip file that tests' own home of Spark has not.
            "SPARK_HOME": str(Path(pyspark.__file__).parent),
        }

    @property
    def settings(self) -> dict[str, str]:
        """Those of a session that runs on it, with the jars of Spark that are on this machine."""
        names = f"-Djdk.net.hosts.file={self._folder / 'hosts'}"
        return {
            "spark.master": "yarn",
            "spark.yarn.jars": f"local:{Path(pyspark.__file__).parent}/jars/*",
            "spark.ui.enabled": "false",
            "spark.executor.instances": "1",
            "spark.executor.cores": "2",
            "spark.executor.memory": "1g",
            "spark.driver.extraJavaOptions": names,
            "spark.yarn.am.extraJavaOptions": names,
            "spark.executor.extraJavaOptions": names,
            "spark.yarn.appMasterEnv.SPARK_LOCAL_IP": "127.0.0.1",
            "spark.executorEnv.SPARK_LOCAL_IP": "127.0.0.1",
        }

    def logs(self) -> str:
        """What the cluster and its containers have written: drivers in cluster mode are in one."""
        files = [self._folder / "server.log", *sorted(self._folder.glob("**/userlogs/*/*/std*"))]
        return "\n".join(f"{file}:\n{file.read_text(errors='replace')[-4000:]}" for file in files)


@contextmanager
def yarn_cluster(folder: Path) -> Iterator[Yarn]:
    """A cluster that keeps everything in a folder.

    Raises:
        UnavailableError: there is no Java, or Maven does not get what is needed.
    """
    java = shutil.which("java")
    if java is None:
        msg = "YARN needs java"
        raise UnavailableError(msg)
    jars = f"{resolve(POM)}{os.sep}*"
    # By its name this machine is 127.0.0.1 for all of it, whatever the name stands for elsewhere.
    (folder / "hosts").write_text(f"127.0.0.1 localhost {socket.gethostname()}\n")
    (folder / "client").mkdir()
    written = folder / "client" / "core-site.xml"
    names = [f"-Djdk.net.hosts.file={folder / 'hosts'}", f"-Dtest.build.data={folder / 'containers'}"]
    settings = [f"{name}={value}" for name, value in _SETTINGS.items()]
    command = [java, *_JAVA, _QUIET, *names, "-cp", jars, str(PROGRAM), str(folder), *settings]
    with running(command, folder, written.exists):
        yield Yarn(folder)
