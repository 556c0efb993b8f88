"""How the output of PyFlink's examples is compared."""

import sys
from pathlib import Path

import click
import pytest

from scripts import pyflink_examples
from scripts.pyflink_examples import EXAMPLES, EXPECTED, ProgramError, chosen, difference, printed, results


def test_equal_lines_have_no_difference() -> None:
    """Output that is as expected is right."""
    assert difference(["a", "b"], ["a", "b"], ordered=True) is None


def test_missing_and_surplus_lines_are_told() -> None:
    """A line that came once too often counts, even if it is the right one."""
    wrong = difference(["a", "b", "b"], ["b", "c", "c"], ordered=False)
    assert wrong == "missing 2, first: a; not expected 2, first: c"


def test_order_counts_where_pyflink_has_one() -> None:
    """The same lines in another order are wrong for an ordered example only."""
    assert difference(["a", "b"], ["b", "a"], ordered=False) is None
    wrong = difference(["a", "b"], ["b", "a"], ordered=True)
    assert wrong == "the right lines in another order, from line 1: b, expected a"


def test_which_subtask_printed_does_not_count() -> None:
    """The number in front of a printed line differs from run to run, and from machine to machine."""
    assert difference(["1> (2, 'x')"], ["12> (2, 'x')"], ordered=True) is None
    assert difference(["1> (2, 'x')"], ["(2, 'x')"], ordered=True) is None


def test_results_are_told_from_announcements() -> None:
    """What a program says of itself is not written to its files."""
    assert results(["Printing to stdout.", "(a,1)", "2> (b,1)"]) == ["(a,1)", "2> (b,1)"]


def test_failed_program_is_told_by_its_last_line() -> None:
    """A traceback ends with what went wrong."""
    with pytest.raises(ProgramError, match="ValueError: too small"):
        printed([sys.executable, "-c", "raise ValueError('too small')"])


def test_every_example_has_its_expected_output() -> None:
    """What PyFlink printed is kept for all examples, and for nothing else."""
    kept = {path.stem: path.read_text() for path in EXPECTED.iterdir()}
    assert set(kept) == {example.name for example in EXAMPLES}
    assert all(results(text.splitlines()) for text in kept.values())


def test_all_ten_examples_run_unless_some_are_named() -> None:
    """Those named run in the order in which they are named; a name that is none is refused."""
    assert len(chosen(None)) == 10
    assert [example.name for example in chosen("state_access,word_count")] == ["state_access", "word_count"]
    with pytest.raises(click.BadParameter, match="no example is called 'word_cont'"):
        chosen("word_cont")


def test_example_is_run_with_its_imports_changed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Only where the names come from changes; the rest of the program decides what is printed."""
    example = next(example for example in EXAMPLES if example.name == "session_with_dynamic_gap_window")
    expected = (EXPECTED / f"{example.name}.txt").read_text()
    program = f"from pyflink import __name__ as found\nassert found == 'windrow'\nprint({expected!r}, end='')\n"
    monkeypatch.setattr(pyflink_examples, "source", lambda example: program)
    assert pyflink_examples.check(example, tmp_path) is None
    assert list(pyflink_examples.check_together([example, example], tmp_path)) == [(example, None)] * 2
    monkeypatch.setattr(pyflink_examples, "source", lambda example: program + "print('more')")
    assert pyflink_examples.check(example, tmp_path) == "not expected 1, first: more"
    assert list(pyflink_examples.check_together([example], tmp_path)) == [(example, "not expected 1, first: more")]


def test_an_example_that_ends_its_process_fails_with_those_behind_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each is named; one that raises does not keep the others from running."""
    programs = {"word_count": "raise ValueError('small')", "basic_operations": "import os; os._exit(3)"}
    monkeypatch.setattr(pyflink_examples, "source", lambda example: programs.get(example.name, "print()"))
    examples = chosen("word_count,basic_operations,state_access")
    found = pyflink_examples.outcomes(examples, tmp_path, alone=False, files=False, rerun_pyflink=False)
    (_, first), (_, second), (_, third) = found
    assert first == "ValueError: small"
    assert second == third == "the process has ended, or taken 300 s, before basic_operations had run"
