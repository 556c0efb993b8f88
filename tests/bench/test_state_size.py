"""The benchmark of a batch beside much state."""

from collections import Counter
from pathlib import Path

import pytest

from bench import state_size
from bench.state_size import BATCH, FEW_KEYS, Elements, Moments, batch_seconds, run


def test_state_is_filled_with_every_key_before_batches_touch_others() -> None:
    """The places of the filling give each key once, in whole batches; behind it no key comes twice in a batch."""
    elements = Elements(FEW_KEYS, 2)
    made = sorted((place, key) for i in range(elements.numbers) for key, place in elements.flat_map(i))
    filling = [key for place, key in made if place < elements.filling]
    assert filling == list(range(FEW_KEYS))
    assert elements.filling % BATCH == 0
    for batch in range(2):
        start = elements.filling + batch * BATCH
        touched = Counter(key for place, key in made if start <= place < start + BATCH)
        assert len(touched) == BATCH
        assert set(touched) <= set(filling)


def test_moments_are_those_of_first_elements(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line for each batch, and none for the filling."""

    class Context:
        def get_index_of_this_subtask(self) -> int:
            return 1

    monkeypatch.setattr(state_size.time, "time", lambda: 5.0)
    moments = Moments(tmp_path, 100)
    moments.open(Context())  # type: ignore[arg-type]
    for place in (0, 99, 100, 101, 100 + BATCH, 101 + BATCH):
        moments.flat_map((7, place))
    assert [path.read_text() for path in tmp_path.iterdir()] == ["0 5.0\n1 5.0\n"]


def test_a_batch_lasts_until_the_next_one_begins() -> None:
    """The median of what is behind the first three, whichever subtask saw a batch first."""
    moments = [(batch, 10.0 * batch) for batch in range(6)] + [(5, 49.0), (0, 99.0)]
    assert batch_seconds(moments) == pytest.approx(9.5)


@pytest.mark.filterwarnings("ignore:.*execution.checkpointing.dir")
def test_job_tells_the_time_of_a_batch() -> None:
    """A run comes to its end with a time, whatever runtime it is on."""
    assert run(FEW_KEYS, 6, {"windrow.runtime": "local"}) >= 0
