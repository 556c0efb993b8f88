"""The command that makes the archive."""

from click.testing import CliRunner

from windrow.cli import main
from windrow.package.archive import default_name


def invoke(*arguments):
    return CliRunner().invoke(main, ["package", *map(str, arguments)])


def test_it_says_what_it_has_made(tmp_path):
    """A folder gets a file whose name has the versions."""
    result = invoke(tmp_path)
    assert (result.output, result.exit_code) == (f"{tmp_path / default_name()}\n", 0)
    assert (tmp_path / default_name()).stat().st_size > 1_000_000


def test_wrong_use_is_an_error_in_words(tmp_path):
    """Another end of the name is refused."""
    result = invoke(tmp_path / "mine.tar.gz")
    assert result.exit_code == 1
    assert result.output.startswith("Error: the archive is to be ")
