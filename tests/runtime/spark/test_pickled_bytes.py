"""Bytes are taken out of pickled rows as PySpark reads them."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.runtime.spark.pickled_bytes import PickledBytes

TYPE = b'{"type":"struct","fields":[{"name":"data","type":"binary","nullable":true,"metadata":{}}]}'


def row(data):
    """What Java makes of a row of bytes: this is an answer of Spark's state server, with other bytes in it."""
    text = data.decode("latin-1").encode()
    return b"".join(
        (
            b"\x80\x02cpyspark.sql.types\n_create_row_inbound_converter\nq\x00",
            b"cpyspark.sql.types\n_parse_datatype_json_string\nX" + len(TYPE).to_bytes(4, "little") + TYPE,
            b"q\x01\x85Rq\x02\x85R(cbuiltins\nbytes\nc__builtin__\nbytearray\nX",
            len(text).to_bytes(4, "little") + text,
            b"q\x03X\x07\x00\x00\x00latin-1q\x04\x86Rq\x05\x85Rq\x06tRq\x07.",
        )
    )


class Loads:
    """Reads any row, and counts."""

    def __init__(self):
        self.count = 0

    def __call__(self, pickled):
        self.count += 1
        return pickle.loads(pickled)


@given(st.lists(st.binary(), min_size=2))
def test_rows_of_one_form_are_read_as_they_are_unpickled(rows):
    """All but the first without unpickling them."""
    loads = Loads()
    bytes_of = PickledBytes(loads)
    assert [bytes_of(row(data)) for data in rows] == rows
    assert loads.count == 1


@pytest.mark.parametrize(
    "data", [b"", b"data", b"\nbytearray\nX", b"\nbytearray\nX\x02\x00\x00\x00\xc3\x28", bytes(range(256))]
)
def test_rows_of_another_form_are_unpickled(data):
    """Whatever is in them, and behind those of the form that is known."""
    loads = Loads()
    bytes_of = PickledBytes(loads)
    for pickled in (
        pickle.dumps((data,), 5),
        row(data),
        row(b"more"),
        pickle.dumps((data,), 5),
        row(data)[:-1] + b"0.",
    ):
        if pickled.endswith(b"0."):
            with pytest.raises((IndexError, pickle.UnpicklingError)):
                bytes_of(pickled)
        else:
            assert bytes_of(pickled) == (b"more" if pickled == row(b"more") else data)
    assert loads.count == 4


def test_a_text_whose_length_is_not_what_stands_there_is_unpickled():
    """So an error is the one that there always was."""
    loads = Loads()
    bytes_of = PickledBytes(loads)
    bytes_of(row(b"data"))
    with pytest.raises((pickle.UnpicklingError, EOFError, ValueError)):
        bytes_of(row(b"data").replace(b"\x04\x00\x00\x00data", b"\x05\x00\x00\x00data"))
    assert loads.count == 2
