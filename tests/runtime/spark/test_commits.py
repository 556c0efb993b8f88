"""Waiting for Spark to commit a batch."""

import pytest

from tests.runtime.spark.fake_checkpoint import write_spark_half
from windrow.errors import CheckpointError
from windrow.runtime.spark import commits as commits_module
from windrow.runtime.spark.commits import Commits
from windrow.runtime.spark.spark_half import SparkHalf
from windrow.storage.local_folder import LocalFolder


class Query:
    """A query that has reported this last."""

    def __init__(self, batch=None, *, with_work=True):
        self.lastProgress = None if batch is None else self._report(batch, with_work)

    def _report(self, batch, with_work):
        return {"batchId": batch, "durationMs": {"addBatch": 7} if with_work else {"latestOffset": 1}}


@pytest.fixture
def half(tmp_path, monkeypatch):
    monkeypatch.setattr(commits_module, "_PATIENCE", 0)
    write_spark_half(tmp_path, 3, committed=2)
    return SparkHalf(LocalFolder(tmp_path))


def test_a_commit_is_seen(half):
    """Spark is not asked for what is there."""
    assert Commits(half).has(1, None)


@pytest.mark.parametrize("query", [Query(), Query(1), Query(2, with_work=False)])
def test_a_batch_that_runs_is_waited_for(half, query):
    """However long: a report without work may have the number of the batch that comes next."""
    commits = Commits(half)
    assert not any(commits.has(2, query) for _ in range(10))


@pytest.mark.parametrize("query", [Query(2), Query(3, with_work=False)])
def test_a_commit_that_spark_has_made_and_nobody_sees_is_an_error(half, query):
    """The job would wait for ever; the error says where Spark has written and where it was looked for."""
    commits = Commits(half)
    assert not commits.has(2, query)
    with pytest.raises(
        CheckpointError, match=rf"committed batch 2 to file:{half.folder.path}, and in {half.folder.path}"
    ):
        commits.has(2, query)
