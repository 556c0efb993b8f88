"""What a program must define to join streams."""

import pytest

from windrow.datastream import functions


@pytest.mark.parametrize(
    ("name", "method"), [("JoinFunction", "join"), ("FlatJoinFunction", "join"), ("CoGroupFunction", "co_group")]
)
def test_what_a_program_must_define(name, method):
    """Flink's one method of each is abstract; open and close may be left out."""
    kind = getattr(functions, name)
    assert name in functions.__all__
    assert kind.__abstractmethods__ == {method}
    assert type("Mine", (kind,), {method: lambda *_: None})().open(None) is None
