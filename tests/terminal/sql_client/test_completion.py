"""What a word may go on as."""

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from windrow.table import EnvironmentSettings, TableEnvironment
from windrow.table.udf import udf
from windrow.terminal.sql_client.completion import SqlCompleter, candidates


@pytest.fixture(scope="module")
def tables():
    made = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    made.execute_sql("CREATE TABLE bids (price DOUBLE, item STRING, `list price` INT) WITH ('connector' = 'datagen')")
    made.execute_sql("CREATE TABLE items (item STRING, label STRING) WITH ('connector' = 'datagen')")
    made.execute_sql("CREATE VIEW `big bids` AS SELECT * FROM bids")
    made.create_temporary_function("initial", udf(lambda text: text[:1], result_type="STRING"))
    return made


def found(tables, before, behind=""):
    return [text for text, _ in candidates(before, before + behind, tables)]


def test_behind_from_there_are_tables(tables):
    """Those that are no plain word between backticks; nothing else where nothing is typed yet."""
    assert found(tables, "SELECT * FROM ") == ["bids", "`big bids`", "items"]
    assert found(tables, "select * from it") == ["items"]


def test_columns_are_those_of_the_tables_that_the_text_names(tables):
    """Also where the table is named behind the cursor; they come first."""
    assert found(tables, "SELECT la", " FROM items")[0] == "label"
    assert "label" not in found(tables, "SELECT la", " FROM bids")
    assert found(tables, "SELECT bids.", " FROM bids") == ["price", "item", "`list price`"]


def test_keywords_are_as_the_word_is_written(tables):
    """In lower case behind lower case, in upper case else."""
    assert "watermark" in found(tables, "wat")
    assert "WATERMARK" in found(tables, "WAT")


@pytest.mark.parametrize(
    "word", ["ALTER", "CUBE", "EXCEPT", "INTERSECT", "LATERAL", "OFFSET", "QUALIFY", "UNNEST", "USING"]
)
def test_words_of_statements_and_queries_are_completed(tables, word):
    """Those that begin one, and those within."""
    assert word in found(tables, word[:-1])


def test_functions_are_flinks_and_ones_own(tables):
    """With the parenthesis that follows."""
    assert "char_length(" in found(tables, "SELECT char_")
    assert "initial(" in found(tables, "SELECT ini")


def test_nothing_is_proposed_within_text(tables):
    """Between apostrophes stands what the user alone knows."""
    assert found(tables, "SELECT 'sel") == []


def test_a_completion_takes_the_place_of_the_word(tables):
    """And says what it is."""
    (made,) = SqlCompleter(tables).get_completions(Document("DESCRIBE ite"), CompleteEvent())
    assert (made.text, made.start_position, made.display_meta_text) == ("items", -3, "table")
