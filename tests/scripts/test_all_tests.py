"""How the two processes of `make test` are summed up."""

from collections import Counter

import pytest

from scripts.all_tests import FIRST, ROOT, exit_code, summed_up


@pytest.mark.parametrize(
    ("codes", "code"), [([0, 0], 0), ([0, 1], 1), ([2, 0], 2), ([0, 5], 0), ([5, 5], 5), ([5, 1], 1), ([-9, 0], -9)]
)
def test_one_process_that_fails_is_a_failure(codes, code):
    """Also one that was interrupted or killed; one without tests is none while the other has some."""
    assert exit_code(codes) == code


def test_the_last_line_counts_both():
    """In pytest's words and order, for those who look for them."""
    line = summed_up(Counter(passed=7, failed=2, skipped=1), 63.5)
    assert " 2 failed, 7 passed, 1 skipped in 63.50s (1:03 min) " in line
    assert line.startswith("=")


def test_the_first_groups_folders_are_there():
    """One that was renamed would fall to the second process without a word."""
    assert [folder for folder in FIRST if not (ROOT / folder).is_dir()] == []
