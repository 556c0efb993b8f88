"""Tables that objects show in notebooks."""

import xml.etree.ElementTree as ElementTree

from windrow.common.html import html_table, without_secrets
from windrow.common.job_execution_result import JobExecutionResult
from windrow.common.job_id import JobID
from windrow.datastream import StreamExecutionEnvironment


def test_names_and_values_are_text():
    """What a program has named stays text, and what is not there is left out."""
    html = html_table("a <b>", {"<i>": "<script>", "none": None, "empty": {}, "inner": {"x": [1]}})
    texts = [element.text for element in ElementTree.fromstring(html).iter() if element.text]
    assert texts == ["a <b>", "<i>", "<script>", "inner", "x", "[1]"]


def test_secrets():
    """Values of settings that name a secret are not shown."""
    names = ["a.password", "spark.ssl.keyPassword", "x.token", "fs.s3a.access.key", "fs.azure.account.key.x"]
    assert set(without_secrets(dict.fromkeys(names, "v")).values()) == {"***"}
    assert without_secrets({"pipeline.name": "keys"}) == {"pipeline.name": "keys"}


def test_a_result():
    """A result shows how long the job ran and what was counted."""
    result = JobExecutionResult(JobID("ab"), 1200, {"lines": 7}, {"windows": {"num_late_records_dropped": 3}})
    html = result._repr_html_()
    assert "1200 ms" in html
    assert "lines" in html
    assert "windows" in html


def test_a_client():
    """A client shows where its job stands, and why it failed."""
    env = StreamExecutionEnvironment.create_local_environment(1)
    env.from_collection([1, 0]).map(lambda number: 1 / number).print()
    client = env.execute_async("broken <job>")
    client.get_job_execution_result().exception()
    html = client._repr_html_()
    assert "FAILED" in html
    assert "ZeroDivisionError" in html
    assert repr(client).endswith("FAILED>")
    ElementTree.fromstring(html)
