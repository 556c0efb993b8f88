"""Schemas, encoders and serializers."""

import struct
from io import BytesIO

import pytest

from windrow.common.serialization import ByteArraySchema, Encoder, RowFieldExtractorSchema, SimpleStringSchema
from windrow.common.serializer import TypeSerializer
from windrow.common.types import Row
from windrow.errors import ConfigurationError, TypeConversionError


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


def test_the_bytes_of_a_field_are_taken_out_of_a_row():
    """None is no bytes; a schema of the same field is the same."""
    schema = RowFieldExtractorSchema(1)
    rows = [Row(1, b"a"), ("x", bytearray(b"b")), Row(1, None), None]
    assert list(map(schema.serialize, rows)) == [b"a", b"b", b"", b""]
    assert schema == RowFieldExtractorSchema(1) != RowFieldExtractorSchema(0)
    assert hash(schema) == hash(RowFieldExtractorSchema(1))


def test_a_field_that_holds_no_bytes_is_refused():
    """With what it holds; so are fields that are not there."""
    with pytest.raises(TypeConversionError, match=r"Schema\(0\) takes a field of bytes; got 'a' \(str\)"):
        RowFieldExtractorSchema(0).serialize(Row("a"))
    with pytest.raises(TypeConversionError, match="has no such field"):
        RowFieldExtractorSchema(2).serialize(Row(b"a"))
    with pytest.raises(ValueError, match="Field index must be non-negative, got: -1"):
        RowFieldExtractorSchema(-1)
    with pytest.raises(TypeError, match="takes a number; got 'a'"):
        RowFieldExtractorSchema("a")
