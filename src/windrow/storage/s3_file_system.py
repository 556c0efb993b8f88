"""S3, and what speaks its protocol: a file that is pending is an upload that is not completed yet."""

from __future__ import annotations

import errno
import io
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, BinaryIO, cast

from windrow.storage.file_system import PendingFile
from windrow.storage.fsspec_file_system import FsspecFileSystem, as_os_errors

#: An upload has at most 10,000 parts, each of 5 MiB at least but for the last one: so much makes a file of 156 GiB.
PART_SIZE = 16 << 20


#: Seconds by which clocks of a store may differ; an object is as old as its upload, in whole seconds.
_CLOCKS = 5.0


@dataclass(frozen=True)
class Upload:
    """All parts of a file: S3 makes the file of them when it is told to, in one step."""

    upload_id: str
    #: The entity tags of the parts, in order.
    tags: tuple[str, ...]
    size: int
    #: When it was begun, by the server's clock, in seconds.
    begun: float


class S3FileSystem(FsspecFileSystem):
    """Files are uploaded in parts, and committed by completing the upload: nothing is copied, and nothing is hidden."""

    def begin(self, hidden: str, final: str) -> PendingFile:
        files, bucket, key = self._object(final)
        with as_os_errors(final):
            begun = files.call_s3("create_multipart_upload", Bucket=bucket, Key=key)
        return _PendingUpload(files, final, {"Bucket": bucket, "Key": key, "UploadId": begun["UploadId"]}, _time(begun))

    def commit(self, pending: Any, final: str) -> None:
        files, bucket, key = self._object(final)
        upload: Upload = pending
        parts = [{"PartNumber": number, "ETag": tag} for number, tag in enumerate(upload.tags, start=1)]
        try:
            with as_os_errors(final):
                files.call_s3(
                    "complete_multipart_upload",
                    Bucket=bucket,
                    Key=key,
                    UploadId=upload.upload_id,
                    MultipartUpload={"Parts": parts},
                )
        except FileNotFoundError:
            # The upload is gone. An earlier call has completed it, unless the file is of an earlier run.
            with as_os_errors(final):
                there = files.call_s3("head_object", Bucket=bucket, Key=key)
            if there["ContentLength"] != upload.size or there["LastModified"].timestamp() < upload.begun - _CLOCKS:
                raise

    def settle(self, base: str, finals: Sequence[str]) -> None:
        """Abort uploads that other attempts have begun for the same files: nobody sees them, but they are paid for."""
        if not finals:
            return
        files, bucket, prefix = self._object(base)
        keys = {self._object(final)[2] for final in finals}
        after: dict[str, str] = {}
        try:
            with as_os_errors(base):
                while True:
                    below = f"{prefix}/" if prefix else ""
                    found = files.call_s3("list_multipart_uploads", Bucket=bucket, Prefix=below, **after)
                    for each in found.get("Uploads", ()):
                        if each["Key"] in keys:
                            abort(files, {"Bucket": bucket, "Key": each["Key"], "UploadId": each["UploadId"]})
                    if not found.get("IsTruncated"):
                        return
                    after = {"KeyMarker": found["NextKeyMarker"], "UploadIdMarker": found["NextUploadIdMarker"]}
        except OSError as error:
            # Who may write need not be allowed to look at uploads, and not every store can list them: then they stay
            # until the bucket's rules remove them.
            if error.errno not in (errno.EACCES, errno.EPERM, errno.ENOSYS):
                raise

    def _object(self, path: str) -> tuple[Any, str, str]:
        files, _ = self._at(path)
        bucket, key, _ = files.split_path(path)
        return files, bucket, key


class _PendingUpload(PendingFile):
    def __init__(self, files: Any, path: str, upload: dict[str, str], begun: float) -> None:
        self._begun = begun
        self._files = files
        self._path = path
        self._upload = upload
        self._parts = _Parts(self._send)
        self._tags: list[str] = []
        self.file = cast("BinaryIO", self._parts)

    def close_for_commit(self) -> Upload:
        self._parts.finish(empty=not self._tags)
        return Upload(self._upload["UploadId"], tuple(self._tags), self._parts.tell(), self._begun)

    def discard(self) -> None:
        with suppress(FileNotFoundError), as_os_errors(self._path):
            abort(self._files, self._upload)

    def _send(self, data: bytes) -> None:
        with as_os_errors(self._path):
            number = len(self._tags) + 1
            sent = self._files.call_s3("upload_part", **self._upload, PartNumber=number, Body=data)
        self._tags.append(sent["ETag"])


class _Parts(io.RawIOBase):
    """Cuts what is written into parts."""

    def __init__(self, send: Any) -> None:
        self._send = send
        self._buffer = bytearray()
        self._written = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        view = memoryview(data).cast("B")
        self._buffer += view
        self._written += len(view)
        while len(self._buffer) >= PART_SIZE:
            with memoryview(self._buffer) as whole:
                part = bytes(whole[:PART_SIZE])
            del self._buffer[:PART_SIZE]
            self._send(part)
        return len(view)

    def tell(self) -> int:
        return self._written

    def finish(self, *, empty: bool) -> None:
        """Send what is left; a file has a part at least."""
        if self._buffer or empty:
            self._send(bytes(self._buffer))
            self._buffer.clear()


def _time(answer: dict[str, Any]) -> float:
    """Give the time of an answer, in seconds since 1970 by the server's clock; 0.0 if it names none."""
    said = answer["ResponseMetadata"]["HTTPHeaders"].get("date")
    return parsedate_to_datetime(said).timestamp() if said else 0.0


def abort(files: Any, upload: dict[str, str]) -> None:
    """Forget an upload, if it is not completed or aborted already."""
    with suppress(FileNotFoundError):
        files.call_s3("abort_multipart_upload", **upload)
