"""The record of a job."""

from tests.ui.records import NOON, batch, running, windowed
from windrow.runtime.monitor.record import JobRecord


def test_only_the_last_batches_are_kept_and_what_stands_before_them():
    """However many batches there were, the vertices stand as all of them have left them."""
    record = JobRecord(batches=2)
    record.add(windowed())
    for number in range(5):
        record.add(batch(number, NOON + number, {"orders": {"records_out": {"0": number}}}))
    record.add(batch(5, NOON + 9, {"windows": {"records_in": {"0": 7}}}))
    assert [each["batch"] for each in record.batches] == [4, 5]
    assert record.vertices == {"orders": {"records_out": {"0": 4}}, "windows": {"records_in": {"0": 7}}}
    assert [vertices["orders"]["records_out"]["0"] for _, vertices in record.replay()] == [4, 4]


def test_its_entries_make_the_same_record():
    """A file that is written anew with them says what the one before has said."""
    record = JobRecord(batches=2)
    for entry in [windowed(), {"type": "state", "state": "RUNNING", "at": NOON}]:
        record.add(entry)
    for number in range(4):
        record.add(batch(number, NOON + number, {"orders": {"records_out": {"0": number}}}))
    again = JobRecord(batches=2)
    for entry in record.entries():
        again.add(entry)
    assert again.vertices == record.vertices
    assert list(again.batches) == list(record.batches)
    assert [dict(vertices) for _, vertices in again.replay()] == [dict(vertices) for _, vertices in record.replay()]


def test_rates_are_of_the_last_half_minute():
    """A job that was fast an hour ago is not fast now."""
    record = running(
        windowed(),
        batch(0, NOON, {"orders": {"records_out": {"0": 1_000_000}}}),
        batch(1, NOON + 3_600_000, {"orders": {"records_out": {"0": 1_000_100}}}),
        batch(2, NOON + 3_610_000, {"orders": {"records_out": {"0": 1_000_200}}}),
    )
    seconds, counted = record.recent()
    assert (seconds, counted["orders"]) == (10.0, (0, 100, 0))


def test_entries_of_a_later_version_are_passed_over():
    """A file may have types that this version does not know."""
    record = running(windowed())
    record.add({"type": "weather", "at": NOON})
    assert record.state == "RUNNING"


def test_of_a_job_with_many_splits_fewer_batches_are_kept():
    """Memory and file are bounded by what is in batches as well."""
    record = JobRecord(batches=500)
    record.add(windowed())
    splits = {f"orders-{number}": number for number in range(5_000)}
    for number in range(100):
        record.add(batch(number, NOON + number, {"orders": {"records_by_split": splits}}))
    assert len(record.batches) == 40


def test_a_job_that_starts_again_counts_from_its_checkpoint():
    """Its counts fall back to those, which is no rate."""
    record = running(
        windowed(),
        batch(0, NOON, {"orders": {"records_out": {"0": 1000}}}),
        batch(1, NOON + 10_000, {"orders": {"records_out": {"0": 10_000}}}),
    )
    record.add({"type": "state", "state": "RESTARTING", "at": NOON + 10_000})
    record.add({"type": "state", "state": "RUNNING", "at": NOON + 11_000})
    record.add(batch(1, NOON + 12_000, {"orders": {"records_out": {"0": 1200}}}))
    record.add(batch(2, NOON + 14_000, {"orders": {"records_out": {"0": 1300}}}))
    assert record.recent() == (2.0, {"orders": (0, 100, 0)})


def test_what_a_dropped_batch_has_said_is_in_the_entries():
    """Accumulators and progress are written where they change, which may have been long ago."""
    record = JobRecord(batches=2)
    record.add(windowed())
    record.add(batch(0, NOON, {}, accumulators={"lines": ["IntCounter", "7"]}, progress={"tasks": 3}))
    for number in range(1, 4):
        record.add(batch(number, NOON + number, {}))
    again = JobRecord(batches=2)
    for entry in record.entries():
        again.add(entry)
    assert (again.accumulators, again.progress) == ({"lines": ["IntCounter", "7"]}, {"tasks": 3})
