"""A server that speaks S3, on a free port of 127.0.0.1, and what Spark needs to use it."""

from __future__ import annotations

import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts.maven_artifacts import resolve
from tests.free_ports import free_port
from tests.hadoop.keeper import running

POM = Path(__file__).parent / "s3a" / "pom.xml"
SERVER = Path(__file__).with_name("s3_server.py")
BUCKET = "windrow"


class ObjectStore:
    """A server that runs."""

    def __init__(self, url: str) -> None:
        self.url = url

    @property
    def environment(self) -> dict[str, str]:
        """Variables of a process that uses it by Amazon's package."""
        return {
            "AWS_ENDPOINT_URL": self.url,
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
        }

    @property
    def settings(self) -> dict[str, str]:
        """Those of a Spark session that uses it.

        Raises:
            UnavailableError: Maven does not get Hadoop's connector.
        """
        return {
            "spark.jars": ",".join(sorted(map(str, resolve(POM).glob("*.jar")))),
            "spark.hadoop.fs.s3a.endpoint": self.url,
            "spark.hadoop.fs.s3a.endpoint.region": "us-east-1",
            "spark.hadoop.fs.s3a.access.key": "key",
            "spark.hadoop.fs.s3a.secret.key": "secret",
            "spark.hadoop.fs.s3a.path.style.access": "true",
            "spark.hadoop.fs.s3a.connection.ssl.enabled": "false",
        }


@contextmanager
def object_store(folder: Path) -> Iterator[ObjectStore]:
    """A server with one empty bucket, which it has in memory; ``folder`` is for its log."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = [sys.executable, str(SERVER), str(port)]

    def is_up() -> bool:
        try:
            with urllib.request.urlopen(f"{url}/moto-api/", timeout=1):
                return True
        except (urllib.error.URLError, OSError):
            return False

    with running(command, folder, is_up):
        with urllib.request.urlopen(urllib.request.Request(f"{url}/{BUCKET}", method="PUT"), timeout=10):
            pass
        yield ObjectStore(url)
