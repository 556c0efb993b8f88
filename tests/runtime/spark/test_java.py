"""Which Java Spark will start, and what is said where it cannot."""

import pytest

from windrow.errors import JobExecutionError
from windrow.runtime.spark.java import find_java

REMEDY = "'windrow doctor' checks all that is needed"


def program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def says(version):
    return f"echo 'openjdk version \"{version}\" 2025-04-15' >&2"


@pytest.mark.parametrize("version", ["17.0.15", "21", "25-ea"])
def test_the_java_of_the_path_is_found(tmp_path, version):
    """With its version as it says it itself, where nobody has set JAVA_HOME."""
    java = program(tmp_path / "java", says(version))
    assert find_java({"PATH": str(tmp_path)}) == (str(java), version, "PATH")


def test_java_home_goes_before_the_path(tmp_path):
    """As in Spark's own script; a file beside it says the version without starting it."""
    program(tmp_path / "java", "exit 1")
    java = program(tmp_path / "home" / "bin" / "java", "exit 1")
    (tmp_path / "home" / "release").write_text('IMPLEMENTOR="x"\nJAVA_VERSION="21.0.1"\n')
    found = find_java({"PATH": str(tmp_path), "JAVA_HOME": str(tmp_path / "home")})
    assert found == (str(java), "21.0.1", "JAVA_HOME")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (says("1.8.0_392"), "Spark needs Java 17 or newer, and {java} (from PATH) is Java 1.8.0_392; "),
        (says("11.0.2"), "Spark needs Java 17 or newer, and {java} (from PATH) is Java 11.0.2; "),
        ("echo no runtime present; exit 2", "'{java} -version' says no version: no runtime present; "),
        ("exit 3", "'{java} -version' says no version: nothing, with exit code 3; "),
    ],
)
def test_a_java_that_will_not_do_is_refused(tmp_path, text, said):
    """Found, needed, where it is, and what to do."""
    java = program(tmp_path / "java", text)
    with pytest.raises(JobExecutionError) as raised:
        find_java({"PATH": str(tmp_path)})
    assert said.format(java=java) in str(raised.value)
    assert str(raised.value).endswith(REMEDY)


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"PATH": "/nowhere"}, "none was found: JAVA_HOME is not set, and there is no java on PATH (/nowhere); "),
        (
            {"PATH": "/nowhere", "JAVA_HOME": "/gone"},
            "none was found: JAVA_HOME is '/gone', and there is no program '/gone/bin/java'; ",
        ),
    ],
)
def test_no_java_at_all(environment, said):
    """Where it was looked for."""
    with pytest.raises(JobExecutionError) as raised:
        find_java(environment)
    assert str(raised.value).startswith(f"Spark needs Java 17 or newer, and {said}")
