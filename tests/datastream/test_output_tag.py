"""Names of side outputs."""

import pickle

import pytest

from windrow.common.typeinfo import Types
from windrow.datastream.output_tag import OutputTag
from windrow.errors import ConfigurationError, ConfigurationTypeError


def test_tags_are_their_ids():
    """Tags with one id are one side output, whatever their type, also in another process."""
    tag = OutputTag("late", Types.INT())
    copy = pickle.loads(pickle.dumps(tag))
    assert tag == OutputTag("late") == copy
    assert len({tag, OutputTag("late"), copy}) == 1
    assert tag != OutputTag("early")
    assert copy.type_info == Types.INT()


def test_types_of_tags():
    """No type is any Python object, a list of types is a row."""
    assert OutputTag("a").type_info == Types.PICKLED_BYTE_ARRAY()
    assert OutputTag("a", [Types.INT()]).type_info == Types.ROW([Types.INT()])


@pytest.mark.parametrize("tag_id", ["", None, 5])
def test_ids_are_words(tag_id):
    """A tag without a name is an error."""
    with pytest.raises(ConfigurationError, match="tag_id"):
        OutputTag(tag_id)


def test_types_are_types():
    """Another thing than a type is an error."""
    with pytest.raises(ConfigurationTypeError, match="type_info of an OutputTag"):
        OutputTag("a", int)
