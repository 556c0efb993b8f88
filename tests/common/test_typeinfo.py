"""How users declare types."""

import pytest

from windrow.common.typeinfo import Types, as_type_information
from windrow.errors import ConfigurationTypeError


def test_declared_types():
    """None is any Python object, a list is a row, a type is itself."""
    assert as_type_information(None, "output_type") == Types.PICKLED_BYTE_ARRAY()
    assert as_type_information([Types.INT()], "output_type") == Types.ROW([Types.INT()])
    assert as_type_information(Types.INT(), "output_type") == Types.INT()


@pytest.mark.parametrize("declared", [int, "INT", 5])
def test_other_things_are_no_types(declared):
    """The error names the parameter and what came."""
    with pytest.raises(ConfigurationTypeError, match=r"^output_type takes a type"):
        as_type_information(declared, "output_type")


def test_a_forgotten_call_is_hinted_at():
    """Types.INT without parentheses is told what to do."""
    with pytest.raises(ConfigurationTypeError, match="call it"):
        as_type_information(Types.INT, "output_type")
    with pytest.raises(ConfigurationTypeError, match="call it"):
        Types.TUPLE([Types.INT])
