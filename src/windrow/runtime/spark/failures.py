"""Gets an error from a worker to the user as it was: its class, its fields, and no Java stack around it."""

from __future__ import annotations

import base64
import logging
import os
import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from windrow.elements.codec import dumps_with_code, loads
from windrow.errors import JobExecutionError, WindrowError, runs_in_worker
from windrow.runtime.spark.driver_pythons import MISSING
from windrow.runtime.spark.spark_log import keep_log

T = TypeVar("T")
#: What Py4J logs, with Java's and Python's stacks, when a batch of a streaming query fails.
_CALLBACK_FAILED = "There was an exception while executing the Python Proxy"
#: Lines of Java's stack, and of Spark's about it.
_OF_JAVA = re.compile(r"at [\w.$/]+\(|at [\w.]+\.|\.\.\. \d+ more$|Driver stacktrace:$")
#: What follows is the whole query, its logical plan included.
_QUERY_DUMP = "=== Streaming Query ==="
#: What stands before the sentence that says something.
_FOREWORD = re.compile(
    r"^(\[STREAM_FAILED\] Query \[[^\]]*\] terminated with exception: |An error occurred while calling \S+$|: |"
    r"Caused by: |Exception in thread \"[^\"]*\" |Exception thrown in awaitResult: *|"
    r"(org\.apache\.spark|java|scala)\.[\w.$]+: )+"
)
_NO_WINDROW = (
    "a Python that Spark has started has no Windrow: a worker's, or the one that plans batches on the program's "
    "machine (PYSPARK_PYTHON names both). Install it there, or give Spark the archive that `windrow package` makes, "
    "with spark-submit --py-files ARCHIVE, or with SparkContext.addPyFile(ARCHIVE) before the job"
)
_MARK = re.compile(r"<windrow-error:([A-Za-z0-9+/=]*)>")


class ShippedError(RuntimeError):
    """An error of ours in a worker, with all that is needed to build it again behind its message."""

    def __init__(self, error: WindrowError) -> None:
        mark = base64.b64encode(dumps_with_code(error)).decode()
        # Half a surrogate pair, out of a damaged text, cannot be sent to Java.
        text = str(error).encode("utf-8", "backslashreplace").decode()
        super().__init__(f"{text}\n<windrow-error:{mark}>")


def shipping_errors(function: Callable[..., Iterator[T]]) -> Callable[..., Iterator[T]]:
    """Make a worker's generator function raise errors that :func:`error_of` can read on the driver."""

    def wrapped(*args: Any) -> Iterator[T]:
        runs_in_worker()
        try:
            yield from function(*args)
        except WindrowError as error:
            raise ShippedError(error) from None

    return wrapped


def keep_callback_failures_quiet() -> None:
    """Do not let Py4J print the failure of a streaming batch: it is raised in the program, where it can be caught."""
    if not os.environ.get("WINDROW_JAVA_STACK"):
        for name in ("py4j.clientserver", "py4j.java_gateway"):
            logging.getLogger(name).addFilter(_is_not_callback_failure)


def _is_not_callback_failure(record: logging.LogRecord) -> bool:
    return not record.getMessage().startswith(_CALLBACK_FAILED)


def was_interrupted(error: BaseException) -> bool:
    """Tell whether it is what Ctrl-C has made of a Spark job: PySpark cancels all jobs and then raises their errors."""
    before = error.__context__
    return before is not None and (isinstance(before, KeyboardInterrupt) or was_interrupted(before))


def error_of(error: BaseException, lost: Callable[[str], str | None] = lambda _: None) -> BaseException:
    """The error that a failed Spark job is to raise in the user's program.

    Args:
        error: What Spark has raised.
        lost: Says what is known if Spark's message is that a worker has died.

    An error that a worker shipped is given back as it was. Anything else becomes a JobExecutionError with Spark's
    message; the Java stack stays away unless the environment variable WINDROW_JAVA_STACK is set.
    """
    if os.environ.get("WINDROW_JAVA_STACK"):
        keep_log()
        return error
    text = str(error)
    marks = _MARK.findall(text)
    if marks:  # the last one: what stands before it is the user's text
        shipped: BaseException = loads(base64.b64decode(marks[-1]))
        return shipped
    if isinstance(error, WindrowError):
        return error
    where = keep_log()
    advice = f"({where}{'; ' if where else ''}set WINDROW_JAVA_STACK=1 to see the Java stack)"
    if MISSING in text:
        return JobExecutionError(f"{_NO_WINDROW}\n{advice}")
    return JobExecutionError(f"{lost(text) or f'Spark: {plainly(text)}'}\n{advice}")


def plainly(text: str) -> str:
    """Spark's message without Java's stack, nor what says nothing to who does not know Spark's inside."""
    kept: list[str] = []
    for line in text.partition(_QUERY_DUMP)[0].splitlines():
        said = _FOREWORD.sub("", line.strip())
        if said and not _OF_JAVA.match(said) and said not in kept:
            kept.append(said)
    return "\n".join(kept)
