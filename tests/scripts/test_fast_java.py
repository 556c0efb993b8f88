"""Java's options for tests."""

import os

from tests.fast_java import LAUNCHER, QUICK, SESSION, use_fast_java


def test_options_of_the_environment_stay():
    """Whoever sets some wants to try them."""
    environment = {SESSION: "-Xint"}
    use_fast_java(environment)
    assert (environment[SESSION], environment[LAUNCHER]) == ("-Xint", QUICK)


def test_the_tests_environment_has_them():
    """Every process that a test starts inherits them."""
    assert os.environ[SESSION]
    assert os.environ[LAUNCHER]
