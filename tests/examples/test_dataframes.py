"""The examples for Spark users: a DataFrame in, DataFrames out, driven by a plain ``writeStream``."""

import json

import pytest

from tests.examples.programs import run


def add_clicks(folder, name, clicks):
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.json").write_text("\n".join(map(json.dumps, clicks)))


def click(user, second, page):
    return {"user": user, "second": second, "page": page}


@pytest.mark.spark
@pytest.mark.slow
def test_visits_come_out_and_go_on_in_a_second_run(tmp_path, session_of_programs):
    """A visit is written once its end is certain; one that is still open waits in the checkpoint for the next run."""
    import pyarrow.parquet as pq

    clicks, visits = tmp_path / "clicks", tmp_path / "visits"
    add_clicks(
        clicks, 1, [click("ada", 0, "/"), click("ada", 60, "/buy"), click("bob", 150, "/"), click("bob", 2200, "/")]
    )
    session_of_programs.run("from_dataframe.py", clicks, visits)
    first = pq.read_table(visits)
    add_clicks(clicks, 2, [click("bob", 2300, "/faq"), click("eve", 9000, "/")])
    run("from_dataframe.py", clicks, visits)
    both = pq.read_table(visits).to_pylist()

    assert first["user"].to_pylist() == ["ada"]
    assert sorted(tuple(visit.values()) for visit in both) == [
        ("ada", 0, 2, "/buy"),
        ("bob", 150, 1, "/"),
        ("bob", 2200, 2, "/faq"),
    ]


@pytest.mark.spark
@pytest.mark.slow
def test_two_outputs_of_one_query_get_a_folder_each(tmp_path, session_of_programs):
    """Counts and late clicks come from one run of the job, told apart by the column ``output``."""
    clicks, out = tmp_path / "clicks", tmp_path / "out"
    seconds = [("/", 1), ("/", 30), ("/buy", 45), ("/", 61), ("/buy", 59), ("/", 130)]
    add_clicks(clicks, 1, [{"page": page, "second": second} for page, second in seconds])

    session_of_programs.run("to_dataframe.py", clicks, out)

    def rows(name):
        files = (out / f"output={name}").glob("*.json")
        parsed = [json.loads(line)[name] for file in files for line in file.read_text().splitlines()]
        return sorted(tuple(row.values()) for row in parsed)

    assert rows("counts") == [("/", 0, 2), ("/", 1, 1), ("/buy", 0, 1)]
    assert rows("late") == [("/buy", 0, 1)]
