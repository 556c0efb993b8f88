import copy
import importlib
import re

import pytest

import windrow.common
import windrow.datastream
from windrow.absent.explained import absent_name, reason_for
from windrow.absent.names import NAMES
from windrow.absent.steps import STEPS
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.data_stream import AllWindowedStream, BroadcastStream, DataStream, KeyedStream
from windrow.datastream.state import MapStateDescriptor
from windrow.datastream.streams.co_grouping import CoGrouping, EqualTo, Where
from windrow.datastream.streams.interval_join import IntervalJoin


@pytest.fixture
def stream():
    return StreamExecutionEnvironment.create_local_environment(1).from_elements(1, 2)


def test_a_method_that_is_left_out_says_why(stream):
    """The error has the reason and is an AttributeError, so that hasattr is false."""
    with pytest.raises(
        AttributeError, match=r"DataStreamSource.iterate is deliberately not here: a Spark query has no way"
    ):
        stream.iterate()
    assert not hasattr(stream, "iterate")
    assert getattr(stream, "iterate", None) is None


def test_derived_classes_have_the_reasons_of_their_bases(stream):
    """What is said of DataStream holds for a keyed stream; AllWindowedStream is no WindowedStream."""
    assert reason_for(KeyedStream, "iterate") == reason_for(DataStream, "iterate")
    assert reason_for(KeyedStream, "as_queryable_state") is not None
    assert reason_for(AllWindowedStream, "enable_async_state") is None


def test_a_misspelt_method_fails_as_everywhere(stream):
    """A name that is not Flink's gets no reason."""
    with pytest.raises(AttributeError, match=r"^'KeyedStream' object has no attribute 'sun'"):
        stream.key_by(lambda n: n).sun()


@pytest.mark.parametrize(
    ("find", "reason"),
    [
        (lambda stream: stream.print().add_metric_variable, "DataStreamSink.add_metric_variable is deliberately"),
        (lambda stream: stream.count_window_all(2).fold, "AllWindowedStream.fold is deliberately"),
        (lambda stream: stream.connect(stream).transform, "ConnectedStreams.transform is deliberately"),
        (lambda stream: stream.get_execution_environment().add_source, "from_source"),
    ],
)
def test_every_kind_of_class_explains(stream, find, reason):
    """Sinks, windows, connected streams and environments do."""
    with pytest.raises(AttributeError, match=reason):
        find(stream)


@pytest.mark.parametrize(
    ("find", "missing"),
    [
        (lambda stream: stream.reduce, "DataStreamSource' object has no attribute 'reduce': call key_by before it"),
        (lambda stream: stream.union(stream).window, "call key_by before it, or window_all"),
        (lambda stream: stream.interval_join, "call key_by before it"),
        (lambda stream: stream.select, "call split before it"),
        (lambda stream: stream.key_by(abs).interval_join(stream.key_by(abs)).process, "call between before it"),
        (lambda stream: stream.join(stream).window, "call where(...) and equal_to(...) before it"),
        (lambda stream: stream.co_group(stream).where(abs).window, "call equal_to(...) before it"),
        (lambda stream: stream.join(stream).where(abs).equal_to(abs).apply, "call window(...) before it"),
        (lambda stream: stream.broadcast(MapStateDescriptor("m")).connect, "call connect on the other stream"),
    ],
)
def test_a_step_that_was_left_out_is_named(stream, find, missing):
    """A method of a later step says which call comes before it."""
    with pytest.raises(AttributeError, match=re.escape(missing)):
        find(stream)


def test_what_steps_say_is_not_there():
    """A class that has a method does not say which step is missing, and it is not left out for good either."""
    classes = {IntervalJoin, Where, EqualTo, CoGrouping, BroadcastStream, DataStream}
    assert {kind.__name__ for kind in classes} == set(STEPS)
    for kind in classes:
        for method in STEPS[kind.__name__]:
            assert not hasattr(kind, method)
            assert reason_for(kind, method) is None


def test_objects_that_explain_can_be_copied(stream):
    """copy asks for methods that are not there before the object has its fields."""
    assert copy.copy(stream).get_id() == stream.get_id()


@pytest.mark.parametrize("module", NAMES)
def test_importing_a_name_that_is_left_out_says_why(module):
    """from ... import fails with the reason; hasattr is false, and getattr with the reason an AttributeError."""
    for name, reason in NAMES[module].items():
        with pytest.raises(ImportError) as raised:
            exec(f"from {module} import {name}", {})
        assert str(raised.value) == f"{module}.{name} is deliberately not here: {reason}"
        found = importlib.import_module(module)
        assert not hasattr(found, name)
        with pytest.raises(AttributeError, match="deliberately not here"):
            getattr(found, name)


def test_importing_a_misspelt_name_fails_as_everywhere():
    """Names that are not PyFlink's get Python's own error."""
    with pytest.raises(ImportError, match="cannot import name 'Typos'"):
        exec("from windrow.common import Typos", {})
    with pytest.raises(AttributeError, match=r"module 'windrow.common' has no attribute 'Typos'"):
        _ = windrow.common.Typos
    assert isinstance(absent_name("windrow.common", "Typos", importing=True), AttributeError)
