"""Lines of files that cannot be parsed: which source, which column, what it takes and what came."""

import datetime

import pytest

from tests.trials.trial import Trial, play, rows
from windrow.common import Types, WatermarkStrategy
from windrow.datastream import OutputTag
from windrow.datastream.connectors.file_system import FileSource, StreamFormat
from windrow.datastream.formats.csv import CsvReaderFormat, CsvSchema
from windrow.datastream.formats.json import JsonReaderFormat
from windrow.errors import MalformedInputError
from windrow.table import DataTypes

PRICES = Types.ROW_NAMED(["fruit", "cents", "day"], [Types.STRING(), Types.INT(), Types.SQL_DATE()])
SCHEMA = CsvSchema.builder().add_string_column("fruit").add_number_column("cents", DataTypes.INT()).build()
MEND = "; mend it, or have such lines go to a side output: dead_letter=OutputTag(...) where the format is made"


def _read(file_format, *lines):
    """The elements of a file with these lines."""

    def do(env, folder):
        file = folder / "prices"
        file.write_bytes(b"".join(line + b"\n" for line in lines))
        source = FileSource.for_record_stream_format(file_format, str(file)).build()
        stream = env.from_source(source, WatermarkStrategy.no_watermarks(), "the prices")
        return [tuple(row) for row in stream.execute_and_collect(limit=9)]

    return do


def _csv(*lines, **options):
    return _read(CsvReaderFormat.for_schema(PRICES, **options), b"apple,30,2024-02-29", *lines)


def _json(*lines):
    return _read(JsonReaderFormat.for_row_type(PRICES), b'{"fruit":"apple"}', *lines)


def _told(done, do, line, reason, runtimes=("local",)):
    says = f"source 'the prices' cannot parse line 2 of {{tmp}}/prices: {line!r} ({reason})"
    return Trial(done, do, error=MalformedInputError, says=f"{says}{MEND}", runtimes=runtimes)


TRIALS = [
    _told(
        "a word for a number in CSV",
        _csv(b"pear,cheap,"),
        "pear,cheap,",
        "column 'cents' is of type Integer; it has 'cheap'",
        runtimes=("local", "spark"),
    ),
    _told(
        "a date in CSV that is none",
        _csv(b"pear,1,29.2.2024"),
        "pear,1,29.2.2024",
        "column 'day' is of type Date; it has '29.2.2024'",
    ),
    _told(
        "a number too large in CSV",
        _csv(b"pear,3000000000,"),
        "pear,3000000000,",
        "column 'cents' is of type Integer; it has '3000000000'",
    ),
    _told("too few values in CSV", _csv(b"pear"), "pear", "1 values, but the columns are 3: fruit, cents, day"),
    _told(
        "a quote in CSV that is not closed",
        _csv(b'"pear,1,'),
        '"pear,1,',
        "value 1 has a quote that is not closed, something behind it, or half an escape",
    ),
    _told(
        "a word for a number in CSV of a CsvSchema",
        _read(CsvReaderFormat.for_schema(SCHEMA), b"apple,30", b"pear,cheap"),
        "pear,cheap",
        "field 'cents': 'cheap' is no whole number",
    ),
    _told(
        "broken JSON",
        _json(b'{"fruit":}'),
        '{"fruit":}',
        "Expecting value at character 10",
        runtimes=("local", "spark"),
    ),
    _told("a list for a JSON object", _json(b"[1]"), "[1]", "a JSON object is expected; it is [1] (list)"),
    _told(
        "a word for a number in JSON",
        _json(b'{"cents":"x"}'),
        '{"cents":"x"}',
        "column 'cents' is of type Integer; it has 'x' (str)",
    ),
    _told(
        "a number for a date in JSON",
        _json(b'{"day":20240229}'),
        '{"day":20240229}',
        "column 'day' is of type Date; it has 20240229 (int)",
    ),
    Trial(
        "a line that is not UTF-8",
        _read(StreamFormat.text_line_format(), b"apple", b"\xff"),
        error=MalformedInputError,
        says="source 'the prices' cannot parse line 2 of {tmp}/prices: '\\\\xff' (not UTF-8); mend the line, or "
        "read it in another way",
        runtimes=("local",),
    ),
    Trial(
        "a malformed line with a side output for such",
        _csv(b"pear,cheap,", b"plum,20,", dead_letter=OutputTag("bad")),
        gives=[("apple", 30, datetime.date(2024, 2, 29)), ("plum", 20, None)],
        runtimes=("local",),
    ),
]


@pytest.mark.parametrize(("runtime", "trial"), rows(TRIALS))
def test_malformed_lines_are_told(trial, env, tmp_path):
    """With the source's name in the job, file and line, and what is wrong in it."""
    play(trial, env, tmp_path)
