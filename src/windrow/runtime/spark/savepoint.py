"""Savepoints: copies of a checkpoint directory, made while no batch writes to it."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable
from contextlib import suppress

from windrow.errors import CheckpointError, ConfigurationError
from windrow.runtime.checkpoint_files import ARRIVING, BOOTSTRAPPING, DRAIN, LAYOUT, RECOVERY, no_savepoint
from windrow.runtime.spark.folders import copy_file
from windrow.runtime.spark.lease import LEASE, refuse_if_used
from windrow.runtime.spark.spark_half import SparkHalf
from windrow.storage import disk
from windrow.storage.folder import Folder

#: The path of a state schema, up to and behind that of the checkpoint.
_STATE_SCHEMA = re.compile(r'[A-Za-z][A-Za-z0-9+.-]*:/[^"]*?(/state/\d+/_stateSchema/)')
#: Files that are about the run that was copied, and not about its state.
_OF_THE_RUN = (DRAIN, LEASE)


def new_savepoint() -> str:
    """A name for a savepoint, as Flink gives."""
    return f"savepoint-{uuid.uuid4().hex[:6]}-{uuid.uuid4().hex[:12]}"


def is_savepoint(folder: Folder) -> bool:
    """Tell whether all of a savepoint is there: its layout comes last."""
    return folder.exists(LAYOUT)


def copy_checkpoint(checkpoint: Folder, target: Folder) -> None:
    """Copy a checkpoint to which nothing is written, but from which what is obsolete may be removed.

    The copy belongs to a query of its own, and is a savepoint once all of it is there.
    """
    try:
        copy_as_its_own(checkpoint, target)
    except BaseException:
        with suppress(OSError):
            target.remove("")
        raise


def start_from(source: Folder, target: Folder, make: Callable[[Folder, Folder], None] | None = None) -> None:
    """Make a checkpoint of a savepoint, unless the job has begun: then it goes on from where it has come to.

    Args:
        source: The savepoint.
        target: The checkpoint, which this job has.
        make: Makes the one of the other, the layout last; None: :func:`copy_as_its_own`.

    Raises:
        CheckpointError: there is no savepoint, or it is the checkpoint of a job that runs.
        ConfigurationError: in the checkpoint's place there is something else.
    """
    if target.exists(LAYOUT):
        target.remove(ARRIVING)
        return
    if not is_savepoint(source):
        msg = f"{RECOVERY}: {source.location} is no savepoint: it has no {LAYOUT}"
        raise CheckpointError(msg)
    if source.exists(BOOTSTRAPPING):
        raise no_savepoint(source.location)
    refuse_if_used(source)
    there = [name for name in target.names() if name != LEASE and not disk.is_partial(name)]
    if there and ARRIVING not in there:
        msg = f"{target.location} is no checkpoint and not empty: a job that starts from a savepoint needs a new one"
        raise ConfigurationError(msg)
    for name in there:
        if name != ARRIVING:
            target.remove(name)  # a start that died in the middle had brought it
    target.remove(ARRIVING)
    target.write(ARRIVING, b"")
    (make or copy_as_its_own)(source, target)
    target.remove(ARRIVING)


def copy_as_its_own(source: Folder, target: Folder) -> None:
    """Copy a checkpoint, or a savepoint: the layout comes last, for without it there is neither."""
    for name in source.files():
        if name not in (LAYOUT, *_OF_THE_RUN) and not disk.is_partial(name.rpartition("/")[2]):
            try:
                copy_file(source, name, target)
            except FileNotFoundError:
                if source.exists(name):
                    raise
                # what is removed while we copy is obsolete
    _make_its_own(SparkHalf(target.below("spark")))
    target.write(LAYOUT, source.read(LAYOUT))


def _make_its_own(spark: SparkHalf) -> None:
    """Give a copy an identity of its own, and let it look for what belongs to it where it is."""
    folder = spark.folder
    if folder.exists("metadata"):
        # Spark runs no two queries of one identity at the same time.
        content = json.loads(folder.read("metadata"))
        _rewrite(folder, "metadata", json.dumps({**content, "id": str(uuid.uuid4())}))
    for metadata in (f"state/{level}/_metadata/v2" for level in folder.names("state")):
        for name in folder.names(metadata):
            if name[:1].isdigit():
                # The schema of a stateful operator's state is found by its whole path.
                found = folder.read(f"{metadata}/{name}").decode()
                here = _STATE_SCHEMA.sub(lambda match: f"{spark.location}{match[1]}", found)
                _rewrite(folder, f"{metadata}/{name}", here)


def _rewrite(folder: Folder, name: str, content: str) -> None:
    above, _, last = name.rpartition("/")
    folder.remove(f"{above}/.{last}.crc" if above else f".{last}.crc")
    folder.write(name, content.encode())
