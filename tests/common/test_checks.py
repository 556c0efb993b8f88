"""Checks of what a user passes."""

import pytest

from windrow.common.checks import instance_of, not_negative, positive, text
from windrow.errors import ConfigurationError, ConfigurationTypeError


@pytest.mark.parametrize(("check", "least"), [(positive, 1), (not_negative, 0)])
def test_a_number_is_an_int_from_its_least_on(check, least):
    """A truth value is no number, nor is a fraction; the error names the parameter and what came."""
    assert check(least, "n") == least
    with pytest.raises(ConfigurationError, match=f"n must .*; got {least - 1}"):
        check(least - 1, "n")
    for wrong in (True, 1.0, "1", None):
        with pytest.raises(ConfigurationTypeError, match="n must be an int; got "):
            check(wrong, "n")


def test_a_text_is_not_empty():
    """Neither nothing, nor an empty text, nor bytes."""
    assert text("a", "name") == "a"
    for wrong in ("", None, b"a"):
        with pytest.raises(ConfigurationTypeError, match="name must be a str that is not empty"):
            text(wrong, "name")


def test_an_object_is_given_back_and_a_class_is_none():
    """Who passes a class is told to make an object of it; a hint stands at the end."""
    assert instance_of("a", str, "name") == "a"
    with pytest.raises(
        ConfigurationTypeError, match="name must be an object of str; got the class str: make an object"
    ):
        instance_of(str, str, "name")
    with pytest.raises(ConfigurationTypeError, match="got None: see the docs"):
        instance_of(None, str, "name", "see the docs")
