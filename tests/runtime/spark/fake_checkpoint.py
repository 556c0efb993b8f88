"""Checkpoint directories as Spark and Windrow leave them, made of files: no query has run."""

import json
import zlib
from pathlib import Path

from windrow.runtime.spark.checkpoint import Checkpoint
from windrow.runtime.spark.source_plan import ChannelPlan, SourcePlan
from windrow.runtime.stage.totals import Totals
from windrow.storage.local_folder import LocalFolder


def plan(payload=b"a"):
    """What a source gives: one split."""
    return SourcePlan([ChannelPlan(0, 0, [payload], ends=True)], [], 1, 100, True)


def write_as_spark_does(file, text):
    """A file with Hadoop's checksums beside it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode()
    file.write_bytes(data)
    sums = b"".join(zlib.crc32(data[start : start + 512]).to_bytes(4) for start in range(0, len(data), 512))
    file.with_name(f".{file.name}.crc").write_bytes(b"crc\0" + (512).to_bytes(4) + sums)


def write_spark_half(spark, batches, committed=None, levels=2, partitions=2, offsets=None, others=()):
    """Batches 0 to ``batches`` - 1 are planned, of them ``committed`` (None: all) are committed.

    ``offsets``: what stands in each batch's offset besides its splits; ``others``: lines of other sources.
    """
    committed = batches if committed is None else committed
    write_as_spark_does(spark / "metadata", '{"id":"8c95a6a1"}')
    for batch in range(batches):
        ours = {"split": batch + 1, "tick": 0, "end": 0, "read": 0, **(offsets or {}).get(batch, {})}
        lines = ["v1", json.dumps({"batchTimestampMs": batch, "conf": {}}), json.dumps(ours), *others]
        write_as_spark_does(spark / "offsets" / str(batch), "\n".join(lines))
    for batch in range(committed):
        write_as_spark_does(spark / "commits" / str(batch), 'v1\n{"nextBatchWatermarkMs":0}')
    for level in range(levels if batches else 0):
        (spark / "state" / str(level) / "_metadata" / "v2").mkdir(parents=True, exist_ok=True)
        for partition in range(partitions):
            folder = spark / "state" / str(level) / str(partition)
            folder.mkdir(exist_ok=True)
            for version in range(1, committed + 1):
                (folder / f"{version}.changelog").write_bytes(b"changes")


def begun(directory, job, batches=3, committed=None, offsets=None):
    """A checkpoint of the job that has come so far."""
    committed = batches if committed is None else committed
    checkpoint = Checkpoint(LocalFolder(directory), job, 2)
    checkpoint.plan(plan)
    write_spark_half(Path(directory) / "spark", batches, committed, len(job.levels), offsets=offsets)
    for batch in range(batches):
        checkpoint.write_totals(batch, Totals())
    return checkpoint
