"""Where the tests of the JDBC sink find PostgreSQL."""

import pytest

from tests.scripts.test_setup import machine, run


@pytest.fixture
def env(tmp_path):
    """A machine without PostgreSQL, on which nothing can be installed."""
    return machine(tmp_path, id="echo 1000", sudo="exit 1") | {"WINDROW_POSTGRES_PACKAGES": str(tmp_path / "packages")}


def program(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    path.chmod(0o755)


def test_what_is_on_the_path_is_taken(env, tmp_path):
    """Both programs have to be there."""
    program(tmp_path / "initdb")
    assert run("postgres", env).returncode == 1
    program(tmp_path / "postgres")
    assert run("postgres", env).stdout == f"{tmp_path}\n"


def test_the_newest_of_debians_packages_is_taken(env, tmp_path):
    """They are not on the path, and a package of clients alone has no server."""
    for version in ("9", "15", "13"):
        program(tmp_path / "packages" / version / "bin" / "initdb")
    program(tmp_path / "packages" / "17" / "bin" / "psql")
    assert run("postgres", env).stdout == f"{tmp_path}/packages/15/bin\n"


def test_what_to_install_is_said_in_one_line(env):
    """Where it may not be installed."""
    done = run("postgres", env)
    assert (done.returncode, done.stdout) == (1, "")
    assert "apt-get install postgresql" in done.stderr.splitlines()[-1]
