"""Java's trust and key stores, read for librdkafka, and a handshake with them."""

import base64
import shutil
import socket
import ssl
import subprocess
import threading
from pathlib import Path

import pytest

from tests.connectors.kafka.conftest import started
from windrow.connectors.kafka.java_properties import translated
from windrow.connectors.kafka.offsets import KafkaOffsetResetStrategy
from windrow.connectors.kafka.settings import ConsumerSettings
from windrow.connectors.kafka.stores import KEY_STORE, with_files
from windrow.errors import ConfigurationError

PASSWORD = "secret"

pytestmark = pytest.mark.skipif(
    not (shutil.which("openssl") and shutil.which("keytool")), reason="no openssl or keytool to make stores with"
)


def run(*command, folder):
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    """Two authorities of which the second has signed 127.0.0.1's certificate, which is also that of a client."""
    folder = tmp_path_factory.mktemp("stores")
    for name in ("other", "authority"):
        request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", f"/CN={name}"]
        run(*request, "-keyout", f"{name}.key", "-out", f"{name}.pem", folder=folder)
    request = ["openssl", "req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=here"]
    run(*request, "-keyout", "k.pem", "-out", "here.csr", folder=folder)
    (folder / "names").write_text("subjectAltName=IP:127.0.0.1\n")
    sign = ["openssl", "x509", "-req", "-in", "here.csr", "-CA", "authority.pem", "-CAkey", "authority.key"]
    run(*sign, "-CAcreateserial", "-days", "30", "-extfile", "names", "-out", "c.pem", folder=folder)
    for kind in ("jks", "pkcs12"):
        for name in ("other", "authority"):
            trust = ["keytool", "-importcert", "-noprompt", "-alias", name, "-file", f"{name}.pem"]
            run(*trust, "-keystore", f"trust.{kind}", "-storetype", kind, "-storepass", PASSWORD, folder=folder)
    (folder / "trust.pem").write_text((folder / "other.pem").read_text() + (folder / "authority.pem").read_text())
    (folder / "both.pem").write_text((folder / "k.pem").read_text() + (folder / "c.pem").read_text())
    export = ["openssl", "pkcs12", "-export", "-inkey", "k.pem", "-in", "c.pem", "-name", "here"]
    run(*export, "-out", "key.pkcs12", "-passout", f"pass:{PASSWORD}", folder=folder)
    to_jks = ["keytool", "-importkeystore", "-noprompt", "-srckeystore", "key.pkcs12", "-srcstorepass", PASSWORD]
    to_jks += ["-deststoretype", "JKS", "-deststorepass", PASSWORD]
    run(*to_jks, "-destkeystore", "key.jks", folder=folder)
    run(*to_jks, "-destkeystore", "apart.jks", "-srcalias", "here", "-destkeypass", "another secret", folder=folder)
    return folder


def trust(stores, kind, **more):
    given = {"ssl.truststore.location": str(stores / f"trust.{kind}"), "ssl.truststore.password": PASSWORD}
    return given | {name.replace("_", "."): value for name, value in more.items()}


def key(stores, name):
    return {"ssl.keystore.location": str(stores / name), "ssl.keystore.password": PASSWORD}


@pytest.mark.parametrize("kind", ["jks", "pkcs12"])
def test_java_s_trust_stores_become_pem(kind, stores):
    """All certificates in them; also a store of PKCS#12 that is said to be JKS, as Java reads it."""
    for said in ({}, {"ssl_truststore_type": kind.upper()}, {"ssl_truststore_type": "JKS"}):
        (pem,) = translated(trust(stores, kind, **said)).values()
        expected = {base64.b64encode(der(stores / f"{name}.pem")) for name in ("other", "authority")}
        assert {base64.b64encode(each) for each in ders(pem)} == expected


def test_a_trust_store_without_its_password_is_read_where_java_reads_it(stores):
    """JKS: the password guards against changes only."""
    given = {"ssl.truststore.location": str(stores / "trust.jks")}
    assert len(ders(translated(given)["ssl.ca.pem"])) == 2


def test_pem_is_read_by_librdkafka_itself(stores):
    """One file for key and certificate, as Java has it."""
    given = {"ssl.truststore.location": str(stores / "trust.pem"), "ssl.truststore.type": "PEM"}
    assert translated(given) == {"ssl.ca.location": str(stores / "trust.pem")}
    both = str(stores / "both.pem")
    assert translated({"ssl.keystore.location": both, "ssl.keystore.type": "PEM", "ssl.key.password": "x"}) == {
        "ssl.certificate.location": both,
        "ssl.key.location": both,
        "ssl.key.password": "x",
    }


def test_pkcs12_is_read_by_librdkafka_itself(stores):
    """Whether its type is said or not."""
    for said in ({}, {"ssl.keystore.type": "PKCS12"}, {"ssl.keystore.type": "JKS"}):
        assert translated(key(stores, "key.pkcs12") | said) == key(stores, "key.pkcs12")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"ssl.truststore.location": "{}/absent.jks"}, r"absent\.jks of the property ssl\.truststore.* No such file"),
        ({"ssl.truststore.location": "{}/trust.jks", "ssl.truststore.password": "wrong"}, "password was incorrect"),
        ({"ssl.truststore.location": "{}/trust.jks", "ssl.truststore.type": "PEM"}, "type is PEM, and it is JKS"),
        ({"ssl.truststore.location": "{}/names"}, r"cannot be read: .*or set ssl\.ca\.location, the path of"),
        ({"ssl.keystore.location": "{}/key.jks"}, r"it has no password: set ssl\.keystore\.password"),
        ({"ssl.keystore.location": "{}/apart.jks", "ssl.keystore.password": "secret"}, r"apart\.jks .* cannot be read"),
        ({"ssl.keystore.location": "{}/absent.p12"}, r"set ssl\.certificate\.location and ssl\.key\.location"),
    ],
)  # fmt: skip
def test_stores_that_cannot_be_read_are_refused_by_name(given, said, stores):
    """With the reason, and what to set instead."""
    with pytest.raises(ConfigurationError, match=said):
        translated({name: value.format(stores) for name, value in given.items()})


def test_without_keytool_what_to_set_is_said(stores, monkeypatch):
    """It comes with Java, which Spark needs."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(ConfigurationError, match=r"keytool, which reads such files, is not there; .* ssl\.ca"):
        translated(trust(stores, "jks"))


@pytest.mark.parametrize("store", ["jks", "pkcs12", "pem"])
def test_a_broker_that_is_trusted_is_talked_to(store, stores):
    """Java's stores hold the authority; the handshake is librdkafka's."""
    assert handshake(stores, translated(trust(stores, store))) is None


def test_a_broker_that_is_not_trusted_is_not_talked_to(stores):
    """So the handshakes above say something."""
    said = handshake(stores, translated({"ssl.truststore.location": str(stores / "other.pem")}))
    assert said is not None


@pytest.mark.parametrize("name", ["key.pkcs12", "key.jks", "apart.jks", "both.pem"])
def test_a_broker_that_asks_who_we_are_is_told(name, stores):
    """With the key of each kind of store, also one with a password of its own in it."""
    given = key(stores, name) if name != "both.pem" else {"ssl.keystore.location": str(stores / name)}
    if name == "apart.jks":
        given["ssl.key.password"] = "another secret"
    settings = translated(trust(stores, "pem") | given)
    assert handshake(stores, settings, asks=True) is None
    assert handshake(stores, translated(trust(stores, "pem")), asks=True) is not None


@pytest.fixture(scope="module")
def encrypted_broker(stores, tmp_path_factory):
    """A broker whose listener ``secured`` speaks TLS, and wants a password."""
    with started(tmp_path_factory.mktemp("kafka"), {"reader": "right"}, (stores / "key.jks", PASSWORD)) as running:
        yield running


def test_a_real_broker_is_reached_with_the_properties_of_a_program_of_flinks(encrypted_broker, stores):
    """Trust store, login module and all; without the trust store it is not."""
    from windrow.connectors.kafka.admin import KafkaAdmin
    from windrow.connectors.kafka.errors import KafkaConnectorError

    given = {
        "bootstrap.servers": encrypted_broker.secured,
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "PLAIN",
        "sasl.jaas.config": "org.apache.kafka.common.security.plain.PlainLoginModule required "
        'username="reader" password="right";',
        "default.api.timeout.ms": "30000",
    }
    reset = KafkaOffsetResetStrategy.NONE
    # The user may do nothing, and so sees no topics; but a broker has said so.
    assert KafkaAdmin(ConsumerSettings(given | trust(stores, "jks"), reset)).topics() == {}
    with pytest.raises(KafkaConnectorError, match=r"certificate verify failed.*ssl\.ca\.location"):
        KafkaAdmin(ConsumerSettings(given, reset)).topics()


def test_a_key_store_is_in_a_file_only_while_a_client_is_made(stores):
    """It travels with the job, not as a path that other machines may not have."""
    settings = translated(key(stores, "key.jks"))
    assert set(settings) == {KEY_STORE, "ssl.keystore.password"}
    with with_files(settings) as known:
        path = Path(known["ssl.keystore.location"])
        assert path.stat().st_mode & 0o077 == 0
        assert set(known) == {"ssl.keystore.location", "ssl.keystore.password"}
    assert not path.exists()


def der(file):
    return ssl.PEM_cert_to_DER_cert(file.read_text())


def ders(pem):
    return [ssl.PEM_cert_to_DER_cert("-----BEGIN" + part) for part in pem.split("-----BEGIN")[1:]]


def handshake(stores, settings, *, asks=False):
    """What keeps a client of librdkafka's from shaking hands with a server; None: nothing. It speaks no Kafka."""
    pytest.importorskip("confluent_kafka", reason="no Kafka client: pip install confluent-kafka")
    from windrow.connectors.kafka.client import new_admin

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(stores / "c.pem", stores / "k.pem")
    if asks:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(stores / "authority.pem")
    found = []

    def serve(server):
        connection, _ = server.accept()
        connection.settimeout(30)
        try:
            with context.wrap_socket(connection, server_side=True) as secured:
                # With TLS 1.3 a client learns with its first bytes only that its certificate will not do, and so do we.
                found.append(None if secured.recv(1) else "closed")
        except (ssl.SSLError, OSError) as error:
            found.append(error)

    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(30)
        serving = threading.Thread(target=serve, args=[server])
        serving.start()
        address = f"127.0.0.1:{server.getsockname()[1]}"
        admin = new_admin({"bootstrap.servers": address, "security.protocol": "SSL", **settings}, lambda error: None)
        serving.join(60)
        del admin
    (what,) = found
    return what
