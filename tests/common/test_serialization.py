"""Schemas, encoders and serializers."""

import struct
from io import BytesIO

import pytest

from windrow.common.serialization import ByteArraySchema, Encoder, SimpleStringSchema
from windrow.common.serializer import TypeSerializer
from windrow.errors import ConfigurationError


@pytest.mark.parametrize("charset", ["UTF-8", "ISO-8859-1", "utf-16-le"])
def test_strings_come_back(charset):
    """A string survives its way through any character set that has its characters."""
    schema = SimpleStringSchema(charset)
    assert schema.deserialize(schema.serialize("Grüße")) == "Grüße"


def test_elements_that_are_no_strings_are_written_as_text():
    """The schema takes an element's str."""
    assert SimpleStringSchema().serialize((1, "a")) == b"(1, 'a')"


def test_bytes_stay_bytes():
    """The byte schema changes nothing."""
    assert ByteArraySchema().deserialize(ByteArraySchema().serialize(bytearray(b"\x00\xff"))) == b"\x00\xff"


def test_the_encoder_writes_lines():
    """Each element is a line in the encoder's character set."""
    assert Encoder.simple_string_encoder().encode("ü") == b"\xc3\xbc\n"
    assert Encoder.simple_string_encoder("ISO-8859-1").encode("ü") == b"\xfc\n"


@pytest.mark.parametrize("make", [SimpleStringSchema, Encoder.simple_string_encoder])
@pytest.mark.parametrize("charset", ["no-such-thing", None])
def test_unknown_charsets_are_refused_at_once(make, charset):
    """A character set that does not exist is an error where it is named."""
    with pytest.raises(ConfigurationError, match="character set"):
        make(charset)


class IntSerializer(TypeSerializer[int]):
    def __init__(self, layout):
        self.layout = layout

    def serialize(self, element, stream):
        stream.write(struct.pack(self.layout, element))

    def deserialize(self, stream):
        return struct.unpack(self.layout, stream.read(4))[0]


def test_serializers_are_values():
    """Serializers of a class are equal when their settings are."""
    stream = BytesIO()
    IntSerializer("<i").serialize(7, stream)
    stream.seek(0)
    assert IntSerializer("<i").deserialize(stream) == 7
    assert IntSerializer("<i") == IntSerializer("<i") != IntSerializer(">i")
    assert hash(IntSerializer("<i")) == hash(IntSerializer("<i"))
    assert repr(IntSerializer("<i")) == "IntSerializer"
