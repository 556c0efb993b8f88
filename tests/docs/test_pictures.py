"""docs/pictures.md: its pictures are those that its programs draw."""

from scripts.pictures import out_of_date, pictures


def test_the_pictures_are_current():
    """Each picture is what the page's program writes: run make pictures."""
    assert out_of_date() == []


def test_pictures_are_the_same_every_time():
    """A picture has nothing in it of the moment at which it was drawn."""
    assert pictures() == pictures()
