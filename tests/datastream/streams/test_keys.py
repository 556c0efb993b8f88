import pytest

from windrow.common import Row, Types
from windrow.datastream.streams.keys import Key
from windrow.errors import ConfigurationError, ConfigurationTypeError

ANY = Types.PICKLED_BYTE_ARRAY()
PAIR = Types.TUPLE([Types.STRING(), Types.INT()])
NAMED = Types.ROW_NAMED(["word", "n"], [Types.STRING(), Types.INT()])


@pytest.mark.parametrize(
    ("given", "element_type", "element", "key", "key_type"),
    [
        ((0,), PAIR, ("a", 1), "a", Types.STRING()),
        (("f1",), PAIR, ("a", 1), 1, Types.INT()),
        ((0, 1), PAIR, ("a", 1), ("a", 1), PAIR),
        (([1],), PAIR, ("a", 1), (1,), Types.TUPLE([Types.INT()])),
        (("n",), NAMED, Row(word="a", n=1), 1, Types.INT()),
        ((["n", "word"],), NAMED, Row(word="a", n=1), (1, "a"), Types.TUPLE([Types.INT(), Types.STRING()])),
        (("n",), ANY, {"n": 1}, 1, ANY),
        (("n", "word"), ANY, {"n": 1, "word": "a"}, (1, "a"), ANY),
        ((1,), ANY, ["a", 1], 1, ANY),
        ((1, 0), ANY, ["a", 1], (1, "a"), ANY),
        ((["n"],), ANY, {"n": 1}, (1,), ANY),
        ((len,), ANY, "abc", 3, ANY),
        ((str,), ANY, 5, "5", ANY),
    ],
)
def test_keys_and_their_types(given, element_type, element, key, key_type):
    """One field is the key itself, several in a list or one by one are a tuple; declared types are known."""
    made = Key.of(given, element_type, None)
    assert (made.selector(element), made.type_info) == (key, key_type)


def test_a_declared_key_type_converts_what_is_no_single_value():
    """A key declared as a row is one; a number or string stays as it is."""
    row = Key.of((lambda value: ("a", 1),), ANY, NAMED)
    assert row.selector(None) == Row(word="a", n=1)
    assert Key.of((len,), ANY, Types.LONG()).selector is len


@pytest.mark.parametrize(
    ("given", "element_type", "error", "said"),
    [
        ((2,), PAIR, ConfigurationError, "no field 2; it has f0, f1"),
        (("n",), PAIR, ConfigurationError, "no field 'n'"),
        ((-1,), ANY, ConfigurationError, "from 0; got -1"),
        ((0,), Types.INT(), ConfigurationError, "which has no fields"),
        (([],), ANY, ConfigurationTypeError, "key_by takes"),
        ((1.5,), ANY, ConfigurationTypeError, "got 1.5"),
        ((True,), ANY, ConfigurationTypeError, "got True"),
        ((len, len), ANY, ConfigurationTypeError, "key_by takes"),
        ((lambda: 0,), ANY, ConfigurationTypeError, "called with one argument"),
    ],
)
def test_what_is_no_key_is_refused(given, element_type, error, said):
    """Fields that the type lacks, and what is neither function nor field, are errors at the call."""
    with pytest.raises(error, match=said):
        Key.of(given, element_type, None)
