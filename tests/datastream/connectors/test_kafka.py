"""Kafka's names where PyFlink has them."""

from windrow.datastream.connectors import base, kafka


def test_what_a_sink_guarantees_is_said_beside_the_sink():
    """PyFlink's own example of Kafka imports it from here."""
    assert kafka.DeliveryGuarantee is base.DeliveryGuarantee
