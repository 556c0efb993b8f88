"""PyFlink's tests with changed imports, on a small tree that is made up here."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from scripts.pyflink_suite.cases import TestFile, package_of, test_files
from scripts.pyflink_suite.rewrite import rewritten
from scripts.pyflink_suite.rules import RULES, rule_for
from scripts.pyflink_tests import main

_STREAMS = """
import unittest
from pyflink.common import Row, Types
from pyflink.datastream.connectors.pulsar import PulsarSource
from pyflink.datastream.tests.test_util import DataStreamTestSinkFunction
from pyflink.java_gateway import get_gateway
from pyflink.nowhere import Nothing
from pyflink.table import StreamTableEnvironment
from pyflink.testing.test_case_utils import PyFlinkStreamingTestCase, PyFlinkBatchTestCase
from pyflink.util.java_utils import get_j_env_configuration


class Streams(object):
    def setUp(self):
        super(Streams, self).setUp()
        get_j_env_configuration(self.env._j_stream_execution_environment).setString("parallelism.default", "1")
        self.sink = DataStreamTestSinkFunction()

    def test_rows_show_as_in_java(self):
        stream = self.env.from_collection([Row(1, None)], type_info=Types.ROW([Types.INT(), Types.STRING()]))
        stream.add_sink(self.sink)
        self.env.execute()
        self.assertEqual(self.sink.get_results(), ["+I[1, null]"])

    def test_asks_a_helper_that_asks_java(self):
        helper()


class StreamingStreams(Streams, PyFlinkStreamingTestCase):
    def test_wrong(self):
        self.assertEqual(1, 2)

    def test_missing(self):
        Nothing.of(1)


class BatchStreams(Streams, PyFlinkBatchTestCase):
    def test_table(self):
        StreamTableEnvironment.create(self.env)

    def test_pulsar(self):
        PulsarSource.builder()

    @unittest.skip("no release yet")
    def test_skipped(self):
        pass


def helper():
    return get_gateway().jvm
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package ``pyflink`` with a test file of streams, one of coders, and one of tables."""
    folder = tmp_path / "pyflink"
    for name, text in {
        "datastream/tests/test_streams.py": _STREAMS,
        "fn_execution/tests/test_coders.py": "class CoderTest(unittest.TestCase):\n    def test_code(self): pass\n",
        "table/tests/test_tables.py": "raise AssertionError('is not read')",
    }.items():
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(text)
    return folder


def test_each_test_is_of_the_kind_that_its_text_says(package: Path) -> None:
    """A rule looks at what a test names, also through helpers, and not at what happens when it runs."""
    cases = [case for path in test_files(package) for case in TestFile(package, path).cases()]
    kinds = {f"{case.owner}.{case.name}": rule.kind if (rule := rule_for(case)) else None for case in cases}
    assert kinds == {
        "StreamingStreams.test_wrong": None,
        "StreamingStreams.test_missing": None,
        "StreamingStreams.test_rows_show_as_in_java": None,
        "StreamingStreams.test_asks_a_helper_that_asks_java": "Java",
        "BatchStreams.test_table": "Table API",
        "BatchStreams.test_pulsar": "left out",
        "BatchStreams.test_skipped": "skipped",
        "BatchStreams.test_rows_show_as_in_java": None,
        "BatchStreams.test_asks_a_helper_that_asks_java": "Java",
        "CoderTest.test_code": "machinery",
    }


def test_what_applies_is_run_and_counted(package: Path) -> None:
    """The closing line counts; each failure is told with its error, each kind that does not apply with its rule."""
    done = CliRunner().invoke(main, [str(package)])
    lines = done.output.splitlines()
    assert done.exit_code == 1
    assert lines[:2] == [
        "FAILED datastream/tests/test_streams.py::StreamingStreams.test_wrong: AssertionError: 1 != 2",
        "FAILED datastream/tests/test_streams.py::StreamingStreams.test_missing: "
        "ImportError: Windrow has no pyflink.nowhere.Nothing",
    ]
    assert "not applicable, Java: 2 (asks the Java gateway, or looks into the Java objects behind PyFlink's)" in lines
    assert lines[-1] == "2 passed, 2 failed, 6 not applicable"


def test_a_path_may_be_one_file_and_tests_may_be_chosen(package: Path) -> None:
    """Where all that is run passes, the exit code is 0."""
    done = CliRunner().invoke(main, [str(package / "datastream/tests/test_streams.py"), "--only", "show_as_in_java"])
    assert (done.exit_code, done.output.splitlines()[-1]) == (0, "2 passed, 0 failed, 0 not applicable")


def test_tests_can_be_listed_with_their_kinds(package: Path) -> None:
    """Then none of them is run."""
    done = CliRunner().invoke(main, [str(package), "--list", "--only", "coders"])
    assert done.output == "fn_execution/tests/test_coders.py::CoderTest.test_code: machinery\n"


def test_path_without_pyflink_is_refused(tmp_path: Path) -> None:
    """The package is found above the path, or below the root of Flink's sources."""
    (tmp_path / "flink-python" / "pyflink").mkdir(parents=True)
    assert package_of(tmp_path) == tmp_path / "flink-python" / "pyflink"
    done = CliRunner().invoke(main, [str(tmp_path / "flink-python")])
    assert package_of(tmp_path / "flink-python") == tmp_path / "flink-python" / "pyflink"
    assert done.output == "0 passed, 0 failed, 0 not applicable\n"
    (tmp_path / "elsewhere").mkdir()
    assert "neither in PyFlink's package nor above it" in CliRunner().invoke(main, [str(tmp_path / "elsewhere")]).output


def test_only_imports_change() -> None:
    """Names that are there come from Windrow, the test machinery's from stand-ins, others raise when they are used."""
    changed = rewritten("from pyflink.common import Row as R\nx = 'pyflink'")
    assert changed == "from windrow.common import Row as R\nx = 'pyflink'"
    assert "scripts.pyflink_suite.stand_ins.test_case" in rewritten(
        "from pyflink.testing.test_case_utils import PyFlinkTestCase"
    )
    assert "missing('pyflink.common.Rwo')" in rewritten("from pyflink.common import Rwo")
    assert "missing('no_such_library.x')" in rewritten("from no_such_library import x")
    assert rewritten("import os\nfrom json import loads") == "import os\nfrom json import loads"


def test_every_rule_says_what_decides_it() -> None:
    """The report shows the words."""
    assert all(rule.why and rule.kind for rule in RULES)
    assert len({rule.kind for rule in RULES}) == len(RULES)
