"""Folders below a sink's base path."""

import pickle

import pytest

from windrow.connectors.files.buckets import BucketAssigner
from windrow.errors import ConfigurationError

NOON = 1_700_049_600.0  # 2023-11-15T12:00:00Z


@pytest.mark.parametrize(
    ("pattern", "zone", "folder"),
    [
        ("yyyy-MM-dd--HH", "UTC", "2023-11-15--12"),
        ("yyyy-MM-dd--HH", "Asia/Tokyo", "2023-11-15--21"),
        ("yyyy/MM/dd", "UTC", "2023/11/15"),
        ("'day='yyyyMMdd", "UTC", "day=20231115"),
        ("HH'h''s 100%'mm", "UTC", "12h's 100%00"),
        ("yy''DDD%", "UTC", "23'319%"),
    ],
)
def test_a_date_time_folder_follows_javas_format_and_the_zone(pattern, zone, folder):
    """The format is that of ``java.time``, as in Flink."""
    assert BucketAssigner.date_time_bucket_assigner(pattern, zone).bucket(NOON) == folder


def test_the_default_is_a_folder_for_each_hour():
    """As Flink's ``DateTimeBucketAssigner``."""
    assert BucketAssigner.date_time_bucket_assigner(timezone_id="UTC").bucket(NOON) == "2023-11-15--12"


def test_the_base_path_assigner_makes_no_folders():
    """All files lie in the base path."""
    assert BucketAssigner.base_path_bucket_assigner().bucket(NOON) == ""


def test_an_assigner_pickles():
    """It goes to the workers."""
    assigner = pickle.loads(pickle.dumps(BucketAssigner.date_time_bucket_assigner("HH", "Europe/Berlin")))
    assert assigner.bucket(NOON) == "13"


@pytest.mark.parametrize("pattern", ["yyyy-LLL", "YYYY", "hh", "", None])
def test_formats_that_are_not_known_are_refused(pattern):
    """The error names the letters that are known."""
    with pytest.raises(ConfigurationError, match="format_str"):
        BucketAssigner.date_time_bucket_assigner(pattern)


def test_a_quote_that_is_not_closed_is_refused():
    """As in Java."""
    with pytest.raises(ConfigurationError, match="single quote that is not closed"):
        BucketAssigner.date_time_bucket_assigner("yyyy'T")


@pytest.mark.parametrize("zone", ["Nowhere/City", "../etc/passwd", 1])
def test_a_zone_that_is_not_there_is_refused(zone):
    """At the user's call."""
    with pytest.raises(ConfigurationError, match="timezone_id names a time zone"):
        BucketAssigner.date_time_bucket_assigner("HH", zone)
