"""HDFS with one machine for names and one for data, in one process on free ports of 127.0.0.1."""

from __future__ import annotations

import getpass
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from scripts.maven_artifacts import UnavailableError, resolve
from tests.free_ports import free_port
from tests.hadoop.keeper import running

POM = Path(__file__).parent / "hdfs" / "pom.xml"
_JAVA = ["-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Djava.net.preferIPv4Stack=true"]
_QUIET = "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"


class Hdfs(NamedTuple):
    """A cluster's URIs."""

    uri: str
    #: Of the same files, over HTTP.
    web_uri: str


@contextmanager
def hdfs_cluster(folder: Path) -> Iterator[Hdfs]:
    """A cluster that keeps everything in a folder.

    Raises:
        UnavailableError: there is no Java, or Maven does not get it.
    """
    java = shutil.which("java")
    if java is None:
        msg = "HDFS needs java"
        raise UnavailableError(msg)
    jars = f"{resolve(POM)}{os.sep}*"
    details = folder / "details.json"
    http_port = free_port()
    manager = ["org.apache.hadoop.test.MiniDFSClusterManager", "-format", "-datanodes", "1"]
    manager += ["-httpport", str(http_port), "-writeDetails", str(details)]
    settings = [f"hdfs.minidfs.basedir={folder / 'data'}", "dfs.namenode.fs-limits.min-block-size=0"]
    options = [each for setting in settings for each in ("-D", setting)]
    command = [java, *_JAVA, _QUIET, "-cp", jars, *manager, *options]
    with running(command, folder, lambda: details.exists() and details.read_text().endswith("}")):
        name_node_port = json.loads(details.read_text())["namenode_port"]
        yield Hdfs(f"hdfs://127.0.0.1:{name_node_port}", f"webhdfs://{getpass.getuser()}@127.0.0.1:{http_port}")
