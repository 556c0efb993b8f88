"""Savepoints: copies of a checkpoint directory, made while no batch writes to it."""

from __future__ import annotations

import json
import os
import re
import shutil
import uuid
from pathlib import Path

from windrow.errors import CheckpointError, ConfigurationError
from windrow.runtime.spark.lease import LEASE, refuse_if_used
from windrow.storage import disk

#: Where a job starts: Flink's option. It is copied to the job's own checkpoint directory.
SAVEPOINT_PATH = "execution.state-recovery.path"
#: What a checkpoint of ours has.
_LAYOUT = "windrow.json"
#: The path of a state schema, up to and behind that of the checkpoint.
_STATE_SCHEMA = re.compile(r'file:[^"]*?(/state/\d+/_stateSchema/)')
#: Files that are about the run that was copied, and not about its state.
_OF_THE_RUN = ("drain", LEASE)
#: The folder in a new checkpoint in which a savepoint is copied; while it is there the checkpoint is none.
_ARRIVING = ".from-savepoint"


def new_savepoint(directory: str) -> Path:
    """A path in ``directory`` for a savepoint, with a name as Flink gives."""
    return Path(directory) / f"savepoint-{uuid.uuid4().hex[:6]}-{uuid.uuid4().hex[:12]}"


def copy_checkpoint(checkpoint: Path, target: Path) -> None:
    """Copy a checkpoint to which nothing is written, but from which what is obsolete may be removed.

    The copy is there as a whole or not at all, and belongs to a query of its own.
    """
    partial = target.with_name(f".{target.name}.{os.getpid()}")
    partial.mkdir(parents=True)
    try:
        _copy_as_its_own(checkpoint, partial, target)
        partial.replace(target)
        disk.sync(target.parent)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise


def start_from(savepoint: str, checkpoint: str) -> None:
    """Make a checkpoint of a savepoint, unless the job has begun: then it goes on from where it has come to.

    Raises:
        CheckpointError: there is no savepoint, or it is the checkpoint of a job that runs.
        ConfigurationError: in the checkpoint's place there is something else.
    """
    source, target = Path(savepoint), Path(checkpoint)
    if not (source / _LAYOUT).exists():
        msg = f"{SAVEPOINT_PATH}: {savepoint} is no savepoint: it has no {_LAYOUT}"
        raise CheckpointError(msg)
    if (target / _LAYOUT).exists():
        return
    refuse_if_used(source)
    target.mkdir(parents=True, exist_ok=True)
    arriving = target / _ARRIVING
    for entry in list(target.iterdir()):
        if entry.name == LEASE or disk.is_partial(entry.name):
            continue
        if not arriving.exists():
            msg = f"{checkpoint} is no checkpoint and not empty: a job that starts from a savepoint needs a new one"
            raise ConfigurationError(msg)
        if entry != arriving:
            _remove(entry)  # a start that died in the middle had brought it
    _remove(arriving)
    arriving.mkdir()
    _copy_as_its_own(source, arriving, target)
    # The layout comes last: without it there is no checkpoint yet.
    for entry in sorted(arriving.iterdir(), key=lambda entry: entry.name == _LAYOUT):
        entry.replace(target / entry.name)
    arriving.rmdir()
    disk.sync(target)


def _copy_as_its_own(source: Path, to: Path, place: Path) -> None:
    """Copy a checkpoint, or a savepoint, to a folder from which it will be moved to ``place``."""
    _copy_tree(source, to)
    for name in _OF_THE_RUN:
        disk.remove(to / name)
    disk.remove_partials(to)
    _make_its_own(to / "spark", place / "spark")


def _remove(entry: Path) -> None:
    if entry.is_dir():
        shutil.rmtree(entry)
    else:
        disk.remove(entry)


def _copy_tree(source: Path, target: Path) -> None:
    for entry in sorted(source.iterdir()):
        to = target / entry.name
        try:
            if entry.is_dir():
                to.mkdir()
                _copy_tree(entry, to)
            else:
                shutil.copy2(entry, to)
                disk.sync(to)
        except FileNotFoundError:
            continue  # what is removed while we copy is obsolete


def _make_its_own(spark: Path, place: Path) -> None:
    """Give a copy an identity of its own, and let it look for what belongs to it at ``place``."""
    metadata = spark / "metadata"
    if metadata.exists():
        # Spark runs no two queries of one identity at the same time.
        content = json.loads(metadata.read_text())
        _rewrite(metadata, json.dumps({**content, "id": str(uuid.uuid4())}))
    for file in spark.glob("state/*/_metadata/v2/[0-9]*"):
        # The schema of a stateful operator's state is found by its whole path.
        _rewrite(file, _STATE_SCHEMA.sub(lambda found: f"file:{place.absolute()}{found[1]}", file.read_text()))


def _rewrite(file: Path, content: str) -> None:
    file.with_name(f".{file.name}.crc").unlink(missing_ok=True)
    disk.write(file, content.encode())
