"""Elements as bytes."""

import pytest

from windrow.elements.wire import decode, encode
from windrow.errors import JobExecutionError


def test_what_was_written_is_read():
    """With code and without."""
    assert decode(encode(("a", [1]))) == ("a", [1])
    assert decode(encode(lambda: 7, with_code=True))() == 7


def test_another_version_is_refused():
    """The program and its workers have to be of one version."""
    with pytest.raises(JobExecutionError, match="came in form 9, and this version of windrow reads form 2"):
        decode(b"\x09" + encode("a")[1:])
