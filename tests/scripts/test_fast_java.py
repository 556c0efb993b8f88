"""Java's options for tests."""

import os
import subprocess

from tests.fast_java import LAUNCHER, QUICK, SESSION, archive_file, archive_of, for_a_shell, use_fast_java


def test_options_of_the_environment_stay():
    """Whoever sets some wants to try them."""
    environment = {SESSION: "-Xint"}
    use_fast_java(environment)
    assert (environment[SESSION], environment[LAUNCHER]) == ("-Xint", QUICK)


def test_the_tests_environment_has_them():
    """Every process that a test starts inherits them."""
    assert os.environ[SESSION]
    assert os.environ[LAUNCHER]


def test_a_shell_is_given_them():
    """As they are, with blanks in them; those that it has stay."""
    environment = {"PATH": os.environ["PATH"], LAUNCHER: "-Xint"}
    commands = f"{for_a_shell(environment)}\nprintenv {SESSION} {LAUNCHER}"
    said = subprocess.run(["sh", "-c", commands], env=environment, capture_output=True, text=True, check=True).stdout
    session, launcher = said.splitlines()
    assert session.startswith(QUICK)
    assert launcher == "-Xint"


def test_each_set_of_classes_has_an_archive_of_its_own():
    """What one Java has written of some classes is not taken for others."""
    names = {archive_file(), archive_of("kafka", "some"), archive_of("kafka", "others"), archive_of("kafka", "some")}
    assert len(names) == 3
