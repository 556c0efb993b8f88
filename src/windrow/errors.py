"""Every error Windrow raises itself. All are :class:`WindrowError` and survive pickling between processes."""

from __future__ import annotations

import os
import signal
import threading
import traceback
from collections.abc import Iterator
from typing import Any

_REPR_LIMIT = 200


class _Process:
    """Knows the process that this runs in."""

    #: Whether it runs functions for a program in another process: Ctrl-C ends that one.
    is_worker = False


class WindrowError(Exception):
    """Base of all errors of this library.

    Fields of subclasses are kept when an error is pickled, so an error from a worker says the same on the driver.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.args, self.__dict__)


class ConfigurationError(WindrowError, ValueError):
    """A call was given a value it cannot work with."""


class ConfigurationTypeError(ConfigurationError, TypeError):
    """A call was given a value of a type it cannot work with."""


class UsageError(WindrowError, RuntimeError):
    """A call that is right elsewhere cannot be made here: a timer without a key, a closed environment."""


class TypeConversionError(WindrowError, TypeError):
    """An element does not fit the type that was declared for its stream."""


class SqlError(ConfigurationError):
    """A statement of SQL cannot be read, or asks for what there is not; the message shows the place in its text.

    Attributes:
        place: Line and column of that place, both from 1 on; None: the error is about none.
    """

    place: tuple[int, int] | None = None


class JobExecutionError(WindrowError, RuntimeError):
    """A job ended without having finished: it failed, or its result was asked for after it was cancelled."""


class UserFunctionError(WindrowError, RuntimeError):
    """A user's function raised.

    Attributes:
        operator: the operator's name.
        element: the element the function was given, as text, shortened to 200 characters.
        user_traceback: the user's own traceback, without this library's and Spark's frames.

    In the local runtime ``__context__`` is what the function raised, with the frames it was raised in.
    """

    def __init__(self, operator: str, element: str, user_traceback: str) -> None:
        super().__init__(f"{user_traceback.rstrip()}\nin operator {operator!r} on element {element}")
        self.operator = operator
        self.element = element
        self.user_traceback = user_traceback


class MissingTimestampError(WindrowError, RuntimeError):
    """An element without a timestamp reached an operator that needs event time.

    Attributes:
        operator: the operator's name.
        element: the element as text, shortened to 200 characters.
    """

    def __init__(self, operator: str, element: Any) -> None:
        self.operator = operator
        self.element = shorten(element)
        super().__init__(
            f"operator {operator!r} needs event time, but element {self.element} has no timestamp: call "
            "assign_timestamps_and_watermarks with a timestamp assigner before it, or use processing time"
        )


class UnhashableKeyError(WindrowError, TypeError):
    """A key selector returned something that cannot be a key.

    Attributes:
        operator: the operator's name.
        key: the key as text, shortened to 200 characters.
    """

    def __init__(self, operator: str, key: Any, reason: str = "it is not hashable") -> None:
        self.operator = operator
        self.key = shorten(key)
        super().__init__(
            f"the key selector of operator {operator!r} returned {self.key} ({type(key).__name__}), which cannot be "
            f"a key: {reason}; return a number, a string, or a tuple or a list of them"
        )


class ElementError(TypeError):
    """An element, or what a function made of one, is not what an operator needs; who runs it names both.

    Raised by this library's own code, whose lines nobody is to be shown; to users it is a TypeError.
    """


class CheckpointError(WindrowError, RuntimeError):
    """A checkpoint does not fit the program that starts from it, or cannot be read."""


class MalformedInputError(WindrowError, ValueError):
    """A source read a line that it cannot parse.

    Attributes:
        source: the source's name in the job.
        file: the file the line is in; None where the source does not know.
        line: the line's text, shortened to 200 characters.
        line_number: the line's number in the file, from 1; None where the source does not know.
        reason: what is wrong with it: the column, the type it has, what came; None where the source does not know.
    """

    def __init__(
        self,
        source: str,
        file: str | None,
        line: Any,
        *,
        line_number: int | None = None,
        reason: str | None = None,
        advice: str = "mend the line, or read it in another way",
    ) -> None:
        self.source = source
        self.file = file
        self.line = shorten(line)
        self.line_number = line_number
        self.reason = reason
        self._advice = advice
        super().__init__(self._text())

    def in_source(self, source: str) -> MalformedInputError:
        """The same error, of the source whose operator has that name: what parses lines does not know it."""
        self.source = source.removeprefix("Source: ")
        self.args = (self._text(),)
        return self

    def _text(self) -> str:
        where = "a line" if self.line_number is None else f"line {self.line_number}"
        why = "" if self.reason is None else f" ({self.reason})"
        found = f"{where} of {self.file or 'its input'}: {self.line}{why}"
        return f"source {self.source!r} cannot parse {found}; {self._advice}"


def shorten(value: Any, limit: int = _REPR_LIMIT) -> str:
    """The value's ``repr`` in at most ``limit`` characters, for error messages.

    Example:
        >>> shorten("a" * 1000, limit=12)
        "'aaaaaaaa..."
    """
    try:
        text = repr(value)
    except BaseException as error:  # a broken __repr__ must not hide the error that is being reported
        text = f"<{type(value).__name__} whose repr raised {type(error).__name__}>"
    return text if len(text) <= limit else text[: limit - 3] + "..."


def error_out_of(operator: str, element: Any, error: BaseException) -> BaseException:
    """Make what is raised for an error out of an operator or a sink, which call their user's functions themselves.

    It is wrapped as by :func:`user_function_error` where a line of the user's led to it, or where somebody further up
    would take it for something else: for the end of an iteration, or for the program's own exit. Others are the
    operator's or the sink's own: they are given back as they are.
    """
    if isinstance(error, WindrowError):
        return error
    led_by_user = any(_user_frames(each) for each in _chain(error))
    if isinstance(error, Exception) and not isinstance(error, StopIteration) and not led_by_user:
        return error
    return user_function_error(operator, element, error)


def for_programs(error: BaseException) -> BaseException:
    """The error that ends a job, as the program is to see it: without the frames between its own call and its function.

    Its text has the function's traceback, so Python is not to print that once more as the cause. Errors that are not
    this library's own are left as they are, and so are all if the environment variable WINDROW_JAVA_STACK is set.
    """
    if isinstance(error, WindrowError) and not os.environ.get("WINDROW_JAVA_STACK"):
        error.__traceback__ = None
        if isinstance(error, UserFunctionError):
            error.__cause__ = None  # Python still finds it in __context__, and no longer prints it
    return error


def runs_in_worker() -> None:
    """Say that this process is no program's own, so that nobody's Ctrl-C arrives here."""
    _Process.is_worker = True


def user_function_error(operator: str, element: Any, error: BaseException) -> WindrowError:
    """Wrap what a user's function raised, so that the user's own lines come first.

    Whatever it raised: a ``StopIteration`` must not be taken for the end of the input, a ``SystemExit`` not for the
    program's own. Frames of this library and of Spark are left out; if nothing else is there, all are kept.

    An error of this library that no line of the user's led to is returned as it is: what a function returned is wrong,
    or does not fit an operator further down the chain, and the error names that operator itself. So is one that was
    wrapped already.

    Raises:
        KeyboardInterrupt, SystemExit: it is the program's own, which ends as it always does, with a note of where it
            was. A KeyboardInterrupt may be somebody's Ctrl-C in the main thread of the process that the terminal knows;
            a SystemExit is the program's if a signal handler of its raised it.
    """
    if isinstance(error, UserFunctionError):
        return error
    if isinstance(error, KeyboardInterrupt | SystemExit) and _is_the_programs(error):
        if not hasattr(error, "__notes__"):
            error.add_note(f"in operator {operator!r} on element {shorten(element)}")
        raise error
    if isinstance(error, WindrowError) and error.__traceback__ is not None and not _user_frames(error):
        return error
    if isinstance(error, ElementError) and not _user_frames(error):
        return UserFunctionError(operator, shorten(element), f"TypeError: {error}")
    summary = traceback.TracebackException.from_exception(error)
    if _called_directly(error) or any(_user_frames(each) for each in _chain(error)):
        _keep_user_frames(summary, error)
    return UserFunctionError(operator, shorten(element), "".join(summary.format()))


def _is_the_programs(error: KeyboardInterrupt | SystemExit) -> bool:
    """Tell whether it is not the function that wants to end, but somebody who sent a signal: Ctrl-C, or a handler's."""
    if threading.current_thread() is not threading.main_thread() or _Process.is_worker:
        return False
    if isinstance(error, KeyboardInterrupt):
        return True
    handlers = {getattr(signal.getsignal(number), "__code__", None) for number in signal.valid_signals()}
    return any(frame.f_code in handlers for frame, _ in traceback.walk_tb(error.__traceback__))


def _called_directly(error: BaseException) -> bool:
    """Tell whether the operator that has caught the error has called what raised it: a function written in C."""
    modules = {str(frame.f_globals.get("__name__")) for frame, _ in traceback.walk_tb(error.__traceback__)}
    return len(modules) == 1 and modules.pop().startswith("windrow.operators.")


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error, and those that led to it."""
    seen: list[BaseException] = []
    while error is not None and error not in seen:
        yield error
        seen.append(error)
        error = error.__cause__ or error.__context__


def _keep_user_frames(summary: traceback.TracebackException, error: BaseException) -> None:
    frames = _user_frames(error)
    # Without frames there is no "Traceback (most recent call last)" either.
    summary.stack = traceback.StackSummary.extract(iter(frames)) if frames else None  # type: ignore[assignment]
    for chained, cause in ((summary.__cause__, error.__cause__), (summary.__context__, error.__context__)):
        if chained is not None and cause is not None:
            _keep_user_frames(chained, cause)


def _user_frames(error: BaseException) -> list[tuple[Any, int]]:
    return [frame for frame in traceback.walk_tb(error.__traceback__) if not _is_library_frame(frame[0].f_globals)]


def _is_library_frame(module_globals: dict[str, Any]) -> bool:
    package = str(module_globals.get("__name__", "")).partition(".")[0]
    return package in ("windrow", "pyspark")


def _rebuild(cls: type[WindrowError], args: tuple[Any, ...], fields: dict[str, Any]) -> WindrowError:
    error = cls.__new__(cls, *args)
    error.args = args
    error.__dict__.update(fields)
    return error
