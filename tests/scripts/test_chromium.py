"""Where the tests of the job page find a browser."""

import pytest

from tests.scripts.test_setup import machine, run


@pytest.fixture
def env(tmp_path):
    """A machine without a browser, on which nothing can be installed."""
    return machine(tmp_path, id="echo 1000", sudo="exit 1")


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome"])
def test_what_is_on_the_path_is_taken(env, tmp_path, name):
    """Distributions call it by several names."""
    (tmp_path / name).write_text("")
    (tmp_path / name).chmod(0o755)
    assert run("chromium", env).stdout == f"{tmp_path / name}\n"


def test_one_that_is_named_comes_first(env, tmp_path):
    """Somebody may have it elsewhere."""
    for name in ("chromium", "mine"):
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(0o755)
    assert run("chromium", env | {"WINDROW_CHROMIUM": str(tmp_path / "mine")}).stdout == f"{tmp_path / 'mine'}\n"


def test_what_to_install_is_said_in_one_line(env):
    """Where it may not be installed."""
    done = run("chromium", env)
    assert (done.returncode, done.stdout) == (1, "")
    assert "apt-get install chromium" in done.stderr.splitlines()[-1]
