from windrow.datastream.async_retry_predicates import (
    empty_result_predicate,
    exception_type_predicate,
    has_exception_predicate,
)


def test_empty_result():
    """None and a list without elements are empty; an element that is false is an element."""
    assert [empty_result_predicate(result) for result in (None, [], [None])] == [True, True, False]


def test_has_exception():
    """Any exception is one."""
    assert has_exception_predicate(ValueError())
    assert not has_exception_predicate(None)


def test_exception_type():
    """Subclasses count, and there may be several types."""
    assert exception_type_predicate(ConnectionResetError(), ConnectionError)
    assert exception_type_predicate(KeyError(), (IndexError, LookupError))
    assert not exception_type_predicate(ValueError(), ConnectionError)
    assert not exception_type_predicate(None, Exception)
