"""What streams, windows and the environment show in a notebook."""

import re
import xml.etree.ElementTree as ElementTree

from windrow.common import Configuration, Time, Types
from windrow.datastream import OutputTag, StreamExecutionEnvironment
from windrow.datastream.window import CountEvictor, TumblingEventTimeWindows


def texts(html):
    return [element.text for element in ElementTree.fromstring(f"<page>{html}</page>").iter() if element.text]


def environment(**settings):
    return StreamExecutionEnvironment.get_execution_environment(
        Configuration.from_dict({"windrow.runtime": "local", **settings})
    ).set_parallelism(2)


def test_the_graph_up_to_a_stream():
    """A stream shows what leads to it, with types and how elements travel, and not what is behind it."""
    stream = environment().from_collection(["a<b"], Types.STRING()).map(len, Types.INT()).name("length <")
    counts = stream.key_by(lambda n: n).sum(0).name("counts")
    counts.map(str).name("text").print()
    shown = texts(counts._repr_html_())
    assert {"length <", "counts", "HASH", "Source: Collection Source"} <= set(shown)
    assert not {"text", "Collect"} & set(shown)
    assert any(text.startswith("Integer") or "Int" in text for text in shown)


def test_an_edge_that_passes_a_column_leads_through_no_node():
    """What goes past an operator has a place of its own beside it."""
    env = environment()
    numbers = env.from_collection([1])
    root = ElementTree.fromstring(numbers.union(numbers.map(str)).key_by(str).reduce(max)._repr_html_())
    middle = sorted(root.iter("{http://www.w3.org/2000/svg}rect"), key=lambda box: float(box.get("x")))[1]
    left, below = float(middle.get("x")), float(middle.get("y")) + float(middle.get("height"))
    paths = [element.get("d") for element in root.iter("{http://www.w3.org/2000/svg}path")]
    (passing,) = [path for path in paths if path.count("C") == 3]
    beside = [float(y) for x, y in re.findall(r"([0-9.]+),([0-9.]+)", passing) if float(x) == left]
    assert beside
    assert min(beside) > below


def test_a_stream_says_what_it_is():
    """In a terminal a stream has a name and a type."""
    assert repr(environment().from_collection([1], Types.LONG())) == (
        "<DataStreamSource 'Source: Collection Source' of Long>"
    )


def test_windows():
    """Windows show how they behave, and what leads to them."""
    stream = environment().from_collection([("a", 1)]).key_by(lambda pair: pair[0])
    windows = stream.window(TumblingEventTimeWindows.of(Time.seconds(5)))
    shown = texts(windows._repr_html_())
    assert {repr(TumblingEventTimeWindows.of(Time.seconds(5))), "are dropped, and counted", "0 ms"} <= set(shown)
    assert "EventTimeTrigger(), as the windows have it" in shown
    windows.allowed_lateness(7).side_output_late_data(OutputTag("late")).evictor(CountEvictor.of(2))
    shown = texts(windows._repr_html_())
    assert {"7 ms", "go to side output 'late'", repr(CountEvictor.of(2))} <= set(shown)


def test_the_environment():
    """The environment shows its settings, without secrets, and the graph that it would execute."""
    env = environment(**{"spark.hadoop.fs.s3a.secret.key": "hidden"})
    assert "nothing to execute yet: no sink was added" in texts(env._repr_html_())
    env.from_collection([1]).print()
    html = env._repr_html_()
    assert "hidden" not in html
    assert "Sink: Print to Std. Out" in texts(html)
    assert repr(env) == "<StreamExecutionEnvironment with 1 sink to execute>"
    env.close()
    assert repr(env) == "<StreamExecutionEnvironment, closed>"


def test_a_program_that_cannot_be_run_says_so():
    """What is wrong with a program is shown in place of its graph."""
    env = environment().set_max_parallelism(1)
    stream = env.from_collection([1])
    assert "parallelism must not exceed" in stream._repr_html_()
