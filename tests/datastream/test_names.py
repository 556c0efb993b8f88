import importlib
import subprocess
import sys

import pytest

import windrow.datastream

PYFLINK = {
    "windrow.datastream.async_data_stream": "AsyncDataStream",
    "windrow.datastream.async_retry_predicates": (
        "empty_result_predicate exception_type_predicate has_exception_predicate"
    ),
    "windrow.datastream.async_retry_strategies": (
        "ExponentialBackoffDelayRetryStrategy FixedDelayRetryStrategy NO_RETRY_STRATEGY NoRetryStrategy RetryPredicate"
    ),
    "windrow.datastream.data_stream": (
        "AllWindowedStream BroadcastConnectedStream BroadcastStream CloseableIterator ConnectedStreams DataStream "
        "DataStreamSink KeyedStream WindowedStream"
    ),
    "windrow.datastream.connectors": "DeliveryGuarantee Sink Source",
    "windrow.datastream.connectors.base": "DeliveryGuarantee Sink Source",
    "windrow.datastream.connectors.number_seq": "NumberSequenceSource",
}


@pytest.mark.parametrize("name", windrow.datastream.__all__)
def test_every_name_of_the_package_can_be_imported(name):
    """Names are imported when they are asked for, each from where it says it is."""
    value = getattr(windrow.datastream, name)
    assert value.__name__ == name
    assert name in dir(windrow.datastream)


@pytest.mark.parametrize(("module", "names"), PYFLINK.items())
def test_pyflinks_import_paths(module, names):
    """What PyFlink programs import from these modules is there."""
    assert set(names.split()) <= set(vars(importlib.import_module(module)))


def test_a_name_that_is_not_there_is_an_attribute_error():
    """A misspelt name fails as in any module."""
    with pytest.raises(AttributeError, match="has no attribute 'DataStreem'"):
        _ = windrow.datastream.DataStreem


def test_the_api_needs_neither_spark_nor_pandas():
    """Describing a job and running it locally imports neither of them, and describing it not Arrow either."""
    program = (
        "import sys\n"
        "from windrow.common import Configuration\n"
        "from windrow.datastream import StreamExecutionEnvironment\n"
        "local = Configuration().set_string('windrow.runtime', 'local')\n"
        "env = StreamExecutionEnvironment.get_execution_environment(local)\n"
        "env.from_collection([1]).key_by(lambda n: n).sum().print()\n"
        "print([name for name in ('pyspark', 'pandas', 'pyarrow') if name in sys.modules])\n"
        "env.execute()\n"
        "print([name for name in ('pyspark', 'pandas') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n1\n[]\n"
