"""Checkpoints that earlier versions have written are read by this one, and this one writes nothing else by accident."""

import json
import pickle

import pytest

from tests.golden import formats
from tests.golden.programs import PROGRAMS
from tests.golden.runs import Run, kept_by

CHANGED = (
    "this is not what format {0} says: if checkpoints of before can no longer be read, raise VERSION in "
    "runtime/spark/layout.py; if they can, keep the file of before under another name beside the new one; then write "
    "what is kept now with scripts/golden_checkpoints.py"
)
NAMES = {program.__name__: program for program in PROGRAMS}


FILES = sorted(formats.FOLDER.glob("format*.pickle.xz"))
KEPT = [(file, name) for file in FILES for name in formats.read(file)]


@pytest.mark.parametrize(("file", "name"), KEPT, ids=[f"{file.name}-{name}" for file, name in KEPT])
def test_a_checkpoint_of_an_earlier_version_is_continued(file, name):
    """A run that goes on from it gives what the run that has written it gave; which key comes first may be another."""
    kept = formats.read(file)[name]
    run = Run(NAMES[name])
    run.go_on(kept)
    assert sorted(map(repr, run.rest())) == sorted(map(repr, kept.expected))


@pytest.mark.parametrize("name", NAMES)
def test_what_is_written_is_what_the_format_says(name):
    """The same program leaves the same pages, with the same in them."""
    golden, kept = formats.read()[name], kept_by(NAMES[name])
    assert kept.pages.keys() == golden.pages.keys()
    for at, pages in golden.pages.items():
        found = {page: formats.shown(page, data) for page, data in kept.pages[at].items()}
        assert found == {page: formats.shown(page, data) for page, data in pages.items()}, CHANGED.format(
            formats.VERSION
        )


def test_what_stands_for_classes_is_what_the_format_says():
    """No number has become another class's, and no class has other fields."""
    assert formats.schema() == json.loads(formats.SCHEMA.read_text()), CHANGED.format(formats.VERSION)


def test_strings_are_looked_for_in_pickles_alone():
    """What numbers are stored as may begin as a pickle does."""
    inner = pickle.dumps("windrow.state", protocol=5)
    assert list(formats.strings(pickle.dumps([inner, b"\x80\x05\x45\x00.", "x"]))) == ["windrow.state", "x"]


@pytest.mark.parametrize("name", NAMES)
def test_no_class_of_this_package_is_named(name):
    """Code may move: where it is stands in no checkpoint."""
    kept = kept_by(NAMES[name])
    found = {
        text
        for pages in kept.pages.values()
        for page, data in pages.items()
        for text in formats.strings_of_page(page, data)
    }
    found |= {text for _, entries in kept.logs.values() for data in entries.values() for text in formats.strings(data)}
    assert not {text for text in found if text.startswith("windrow")}
