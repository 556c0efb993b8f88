"""The broker of the Kafka tests: one for all that leave it alone, one for each test that kills it."""

from contextlib import ExitStack, contextmanager

import pytest

from tests.required import cannot_be_had, is_required


def pytest_collection_modifyitems(items):
    """Everything that asks for a broker is marked ``kafka``."""
    for item in items:
        if {"broker", "own_broker", "secured_broker", "encrypted_broker"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.kafka)


@pytest.fixture(scope="session")
def broker(tmp_path_factory):
    """A broker that runs for the whole session; tests make topics of their own."""
    with started(tmp_path_factory.mktemp("kafka")) as running:
        yield running


@pytest.fixture
def own_broker(tmp_path):
    """A broker that a test may kill."""
    folder = tmp_path / "kafka"
    folder.mkdir()
    with started(folder) as running:
        yield running


@pytest.fixture(scope="module")
def secured_broker(tmp_path_factory):
    """A broker whose listener ``secured`` wants a password, and whose users may do nothing there."""
    with started(tmp_path_factory.mktemp("kafka"), {"reader": "right"}) as running:
        yield running


@contextmanager
def started(folder, users=None, store=None):
    """A broker; where it cannot be had the test is skipped, or fails if ``WINDROW_REQUIRE_KAFKA`` is set."""
    if not is_required("KAFKA"):
        pytest.importorskip("confluent_kafka", reason="no Kafka client: pip install confluent-kafka")
    from scripts.maven_artifacts import UnavailableError
    from tests.kafka_broker import KafkaBroker

    with ExitStack() as stack:
        try:
            broker = stack.enter_context(KafkaBroker.started(folder, users or {}, store))
        except UnavailableError as error:
            cannot_be_had("KAFKA", f"no Kafka broker: {error}")
        yield broker
