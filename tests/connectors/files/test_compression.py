"""Compressed files."""

import bz2
import gzip
import lzma

import pyarrow as pa
import pytest

from windrow.connectors.files.compression import is_compressed, open_file


def zstd(data: bytes) -> bytes:
    return pa.compress(data, codec="zstd", asbytes=True)


@pytest.mark.parametrize(
    ("name", "compress"),
    [
        ("a.txt.gz", gzip.compress),
        ("a.gzip", gzip.compress),
        ("a.bz2", bz2.compress),
        ("a.xz", lzma.compress),
        ("a.zst", zstd),
        ("a.txt", bytes),
    ],
)
def test_a_file_is_decompressed_by_its_name(tmp_path, name, compress):
    """The end of the name says how."""
    (tmp_path / name).write_bytes(compress(b"one\ntwo\n"))
    with open_file(str(tmp_path / name)) as file:
        assert file.read(4) + file.read() == b"one\ntwo\n"
    assert is_compressed(name) == (name != "a.txt")
