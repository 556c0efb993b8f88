"""Java's trust and key stores, for librdkafka: as PEM, or as PKCS#12."""

from __future__ import annotations

import base64
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NoReturn

from windrow.errors import ConfigurationError

#: A key store as PKCS#12, in base 64: no property of librdkafka's, which wants the path of a file.
KEY_STORE: Final = "windrow.ssl.keystore"

_CERTIFICATES = re.compile("-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", re.DOTALL)
#: How files begin.
_MAGIC = {b"\xfe\xed\xfe\xed": "JKS", b"\xce\xce\xce\xce": "JCEKS", b"----": "PEM"}


def trust_store(given: Mapping[str, str]) -> dict[str, str]:
    """Make librdkafka's settings of ``ssl.truststore.*``: it reads PEM itself, and all else by Java's ``keytool``.

    Raises:
        ConfigurationError: the file cannot be read.
    """
    location = given.get("ssl.truststore.location")
    if location is None:
        return {}  # a type or a password of nothing; with ssl.truststore.certificates the type is PEM
    kind = _kind("ssl.truststore", location, given)
    if kind == "PEM":
        return {"ssl.ca.location": location}
    command = ["-list", "-rfc", "-keystore", location, "-storetype", kind]
    password = {"-storepass": given.get("ssl.truststore.password")}
    listed = _keytool("ssl.truststore.location", location, command, password)
    certificates = _CERTIFICATES.findall(listed)
    if not certificates:
        _refuse("ssl.truststore.location", location, "there is no certificate in it that Java would trust")
    return {"ssl.ca.pem": "\n".join(certificates) + "\n"}


def key_store(given: Mapping[str, str]) -> dict[str, str]:
    """Make librdkafka's settings of ``ssl.keystore.*``: PEM and PKCS#12 stay; ``keytool`` makes PKCS#12 of others.

    Raises:
        ConfigurationError: the file cannot be read.
    """
    key_password = {name: value for name, value in given.items() if name == "ssl.key.password"}
    location = given.get("ssl.keystore.location")
    if location is None:
        return key_password  # with ssl.keystore.key the type is PEM
    kind = _kind("ssl.keystore", location, given)
    if kind == "PEM":
        return {"ssl.certificate.location": location, "ssl.key.location": location, **key_password}
    password = given.get("ssl.keystore.password")
    if kind == "PKCS12":
        known = {"ssl.keystore.location": location, "ssl.keystore.password": password, **key_password}
        return {name: value for name, value in known.items() if value is not None}
    if password is None:
        _refuse("ssl.keystore.location", location, "it has no password: set ssl.keystore.password")
    return {KEY_STORE: _as_pkcs12(location, kind, password, given), "ssl.keystore.password": password}


@contextmanager
def with_files(settings: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Librdkafka's settings, while a client is made of them: a key store that was made here is in a file meanwhile."""
    plain = dict(settings)
    content = plain.pop(KEY_STORE, None)
    if content is None:
        yield plain
        return
    with tempfile.NamedTemporaryFile(suffix=".p12") as file:  # nobody else may read it
        file.write(base64.b64decode(content))
        file.flush()
        yield {**plain, "ssl.keystore.location": file.name}


def _kind(store: str, location: str, given: Mapping[str, str]) -> str:
    """JKS, PKCS12, PEM ...: as the property says, but files that are named JKS may be PKCS12, as in Java."""
    try:
        with Path(location).open("rb") as file:
            found = _MAGIC.get(file.read(4), "PKCS12")
    except OSError as error:
        _refuse(f"{store}.location", location, str(error.strerror))
    said = given.get(f"{store}.type", found).upper()
    if said == "PEM" or found == "PEM":
        if said != found:
            _refuse(f"{store}.location", location, f"{store}.type is {said}, and it is {found}")
        return "PEM"
    return found if said == "JKS" else said


def _as_pkcs12(location: str, kind: str, password: str, given: Mapping[str, str]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "store.p12"
        command = ["-importkeystore", "-noprompt", "-srckeystore", location, "-srcstoretype", kind]
        command += ["-destkeystore", str(target), "-deststoretype", "PKCS12"]
        passwords: dict[str, str | None] = {"-srcstorepass": password, "-deststorepass": password}
        if "ssl.key.password" in given:
            # Only with an alias takes keytool a password of a key; a store of PKCS#12 has one for all.
            asked = ["-list", "-keystore", location, "-storetype", kind]
            listed = _keytool("ssl.keystore.location", location, asked, {"-storepass": password})
            alias = re.search(r"^(.*?), .*PrivateKeyEntry", listed, re.MULTILINE)
            if alias:
                command += ["-srcalias", alias[1]]
                passwords |= {"-srckeypass": given["ssl.key.password"], "-destkeypass": password}
        _keytool("ssl.keystore.location", location, command, passwords)
        return base64.b64encode(target.read_bytes()).decode()


def _keytool(name: str, location: str, command: list[str], passwords: Mapping[str, str | None]) -> str:
    """Ask Java's tool; passwords go by its environment, where no list of processes shows them."""
    home = os.environ.get("JAVA_HOME")
    tool = shutil.which("keytool", path=os.path.join(home, "bin")) if home else None
    tool = tool or shutil.which("keytool")
    if tool is None:
        _refuse(name, location, "Java's keytool, which reads such files, is not there")
    environment, arguments = dict(os.environ), [tool, "-J-Duser.language=en", *command]
    for number, (option, password) in enumerate(passwords.items()):
        if password is not None:
            environment[f"WINDROW_STORE_{number}"] = password
            arguments += [f"{option}:env", f"WINDROW_STORE_{number}"]
    done = subprocess.run(arguments, check=False, capture_output=True, text=True, env=environment, input="\n")
    if done.returncode:
        said = next((line for line in done.stdout.splitlines() if "error" in line.lower()), done.stdout[-200:])
        _refuse(name, location, said.removeprefix("keytool error: ").removeprefix("java.io.IOException: "))
    return done.stdout


def _refuse(name: str, location: str, why: str) -> NoReturn:
    instead = {
        "ssl.truststore.location": "ssl.ca.location, the path of a PEM file",
        "ssl.keystore.location": "ssl.certificate.location and ssl.key.location, the paths of PEM files",
    }[name]
    msg = f"the file {location} of the property {name} cannot be read: {why}; mend it, or set {instead}"
    raise ConfigurationError(msg)
