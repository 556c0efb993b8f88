"""Closing after a failure."""

from windrow.runtime.stage.closing import close_after


def test_what_fails_in_closing_is_noted_in_the_first_error():
    """The first error stays the one to raise."""

    def close():
        msg = "second"
        raise ValueError(msg)

    error = ValueError("first")
    close_after(error, close)
    assert str(error) == "first"
    assert error.__notes__ == ["Afterwards closing failed, too: second"]


def test_closing_that_works_says_nothing():
    """It is called once."""
    closed = []
    error = ValueError("first")
    close_after(error, lambda: closed.append(1))
    assert closed == [1]
    assert not hasattr(error, "__notes__")
