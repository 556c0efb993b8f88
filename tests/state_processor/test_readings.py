"""Rows of the pages of operators, whatever they keep."""

from collections import defaultdict

import pytest

from tests.golden import formats
from windrow.elements.stored import loads
from windrow.runtime.spark.stored_pages import keyed_owner, owner_of
from windrow.state.directory import read_root
from windrow.state_processor.functions import KeyedStateReaderFunction
from windrow.state_processor.readings import FunctionReading, ValuesReading, rows_of_page, rows_of_subtask

KEPT = formats.read()


def pages_of(name):
    """All pages of a program, by subtask, or place, and operator."""
    found = defaultdict(dict)
    for place, pages in KEPT[name].pages.items():
        for page, data in pages.items():
            found[place, owner_of(page)][page] = data
    return {at: pages for at, pages in found.items() if f"{at[1]}/pages" in pages}


def watermark_of(name, place, uid):
    """The watermark of an operator that heads its chain."""
    return loads(KEPT[name].pages[place][f"{uid}/task"]).operators[0].watermark


def values(name):
    """All values of a program, by operator."""
    found = defaultdict(list)
    for (place, owner), pages in pages_of(name).items():
        uid = owner.rpartition(".")[0]
        found[uid] += rows_of_subtask(ValuesReading(), owner, pages, watermark_of(name, place, uid))
    return found


@pytest.mark.parametrize("name", ["states", "records", "keys", "windows"])
def test_pages_of_keys_are_read_one_by_one(name):
    """A page needs no other; it gives what all pages of its subtask give."""
    of_pages = sorted(
        [
            row
            for (_, owner), pages in pages_of(name).items()
            if read_root(pages[f"{owner}/pages"])[2] is None
            for page, data in pages.items()
            if keyed_owner(page)
            for row in rows_of_page(ValuesReading(), data)
        ],
        key=repr,
    )
    of_subtasks = [
        row
        for (_, owner), pages in pages_of(name).items()
        if read_root(pages[f"{owner}/pages"])[2] is None
        for row in rows_of_subtask(ValuesReading(), owner, pages, 0)
    ]
    assert of_pages
    assert of_pages == sorted(of_subtasks, key=repr)


def test_objects_in_state_are_shown():
    """As they show themselves, with the name that the function has given the state."""
    assert {row[1] for row in values("records")["lasts"]} == {"last"}
    assert all(row[5].startswith("Last(number=") for row in values("records")["lasts"])


@pytest.mark.parametrize(
    ("name", "uid"), [("columns", "sliding"), ("columns", "late"), ("folds", "sums"), ("folds", "sessions")]
)
def test_what_is_kept_as_columns_is_read(name, uid):
    """Each key with what is folded of it; windows with their times."""
    rows = [row for row in values(name)[uid] if row[5].startswith("(")]
    assert rows
    by_text = uid in ("late", "sessions")
    for key, _, start, end, _, value in rows:
        folded = eval(value)
        assert key == repr(folded[3] if by_text else folded[0])
        assert (start is None) is (uid == "sums")
        assert start is None or start < end


def test_buffers_of_joins_are_read():
    """Elements wait under their keys."""
    assert {row[1] for row in values("pairs")["by numbers"]} >= {"left"}


class Sizes(KeyedStateReaderFunction):
    """How much there is of each key."""

    def open(self, runtime_context):
        self.name = runtime_context.get_task_name()

    def read_key(self, key, ctx):
        return [(self.name, key, len(ctx.registered_event_time_timers()))]


def test_a_function_gets_the_keys_of_tables_too():
    """Without the parts of keys that joins have for themselves."""
    ((_, owner), pages) = next(iter(pages_of("states").items()))
    reading = FunctionReading("states", Sizes())
    reading.open()
    rows = list(rows_of_subtask(reading, owner, pages, 0))
    assert {row[0] for row in rows} == {"states"}
    assert sum(row[2] for row in rows) > 0
    of_pages = [row for page, data in pages.items() if keyed_owner(page) for row in rows_of_page(reading, data)]
    assert sorted(of_pages) == sorted(rows)
