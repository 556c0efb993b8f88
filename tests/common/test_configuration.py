"""Settings and typed options."""

import copy
from enum import Enum

import pytest

from windrow.common.config_options import ConfigOptions
from windrow.common.configuration import Configuration
from windrow.common.time import Duration
from windrow.datastream.slot_sharing_group import MemorySize
from windrow.errors import ConfigurationError, ConfigurationTypeError

PARALLELISM = ConfigOptions.key("parallelism.default").int_type().default_value(1)
CHECKPOINTS = ConfigOptions.key("checkpoints").boolean_type().no_default_value()


def test_values_are_read_as_they_were_set():
    """Each kind of value comes back."""
    config = Configuration().set_string("s", "text").set_integer("i", 3).set_boolean("b", True).set_float("f", 1)
    config.set_bytearray("y", bytearray(b"ab"))
    assert config.get_string("s", None) == "text"
    assert config.get_integer("i", 0) == 3
    assert config.get_boolean("b", False) is True
    assert config.get_float("f", 0.0) == 1.0
    assert config.get_bytearray("y", bytearray()) == bytearray(b"ab")


def test_defaults_stand_in_for_what_is_not_set():
    """A setting that is not there reads as the default given."""
    config = Configuration()
    assert config.get_string("s", "x") == "x"
    assert config.get_integer("i", 7) == 7
    assert config.get_boolean("b", True) is True
    assert config.get_float("f", 2) == 2.0
    assert config.get_bytearray("y", bytearray(b"z")) == bytearray(b"z")


def test_text_is_converted_when_it_is_read():
    """Settings from a file are text; true and false go in any case."""
    config = Configuration.from_dict({"i": "3", "b": "TRUE", "f": "0.5"})
    assert (config.get_integer("i", 0), config.get_boolean("b", False), config.get_float("f", 0)) == (3, True, 0.5)
    assert Configuration().set_boolean("b", False).get_string("b", None) == "false"


@pytest.mark.parametrize("read", ["get_integer", "get_boolean", "get_float"])
def test_text_that_cannot_be_read_is_an_error(read):
    """The error names the setting and its value."""
    with pytest.raises(ConfigurationError, match=r"setting 'k' is read as .*'many'"):
        getattr(Configuration.from_dict({"k": "many"}), read)("k", 0)


@pytest.mark.parametrize(
    ("write", "value"),
    [("set_string", 1), ("set_integer", "1"), ("set_integer", True), ("set_boolean", 1), ("set_float", "1")],
)
def test_values_of_another_type_are_refused(write, value):
    """A setter takes its own type only."""
    with pytest.raises(ConfigurationTypeError, match="setting 'k' takes a"):
        getattr(Configuration(), write)("k", value)


def test_options():
    """An option reads as its type, or as its default; setting it converts."""
    config = Configuration.from_dict({"checkpoints": "false"})
    assert config.get(PARALLELISM) == 1
    assert config.get(CHECKPOINTS) is False
    assert config.set(PARALLELISM, 4).get_integer("parallelism.default", 0) == 4
    assert Configuration().get(CHECKPOINTS) is None
    with pytest.raises(ConfigurationError, match=r"option 'parallelism.default' takes a int; got 'x'"):
        Configuration.from_dict({"parallelism.default": "x"}).get(PARALLELISM)


def test_all_kinds_of_options():
    """Every type builder makes an option with a default of its type."""
    builder = ConfigOptions.key("k")
    assert builder.long_type().default_value(2**40).default_value == 2**40
    assert builder.float_type().default_value(0.5).default_value == 0.5
    assert builder.double_type().no_default_value().default_value is None
    assert builder.string_type().default_value("x").default_value == "x"
    with pytest.raises(ConfigurationTypeError, match="key of an option"):
        ConfigOptions.key("")


class Colour(Enum):
    RED = 1


def test_options_of_flinks_further_types():
    """Spans of time and amounts of memory in words, lists and maps in YAML's form, members by their names."""
    config = Configuration.from_dict(
        {"time": "5 min", "memory": "64 mb", "list": "[1, 2]", "map": "{a: 1}", "colour": "red", "texts": "a;b"}
    )
    key = ConfigOptions.key
    assert config.get(key("time").duration_type().no_default_value()) == Duration.of_minutes(5)
    assert config.get(key("memory").memory_type().no_default_value()) == MemorySize.of_mebi_bytes(64)
    assert config.get(key("list").int_type().as_list().no_default_value()) == [1, 2]
    assert config.get(key("texts").string_type().as_list().no_default_value()) == ["a", "b"]
    assert config.get(key("map").map_type().no_default_value()) == {"a": "1"}
    assert config.get(key("colour").enum_type(Colour).no_default_value()) is Colour.RED
    assert config.get(key("none").duration_type().default_value(Duration.of_millis(7))).to_millis() == 7
    with pytest.raises(ConfigurationError, match=r"option 'time' takes a Duration; got 'soon'"):
        Configuration.from_dict({"time": "soon"}).get(key("time").duration_type().no_default_value())


def test_numbers_are_read_as_java_reads_them():
    """A fraction is no whole number, nor is Python's own way to write one; a truth value is no number."""
    for value in (1.5, "1_000", True):
        with pytest.raises(ConfigurationError, match=r"setting 'k' is read as int"):
            Configuration.from_dict({"k": value}).get_integer("k", 0)


def test_a_configuration_is_shown_as_java_shows_it():
    """``{key=value, ...}``, with values as Flink writes them."""
    config = Configuration().set_string("k1", "v1").set_integer("k2", 1).set_float("k3", 1e10).set_boolean("k4", True)
    assert str(config) == "{k1=v1, k2=1, k3=1.0E10, k4=true}"
    shown = Configuration.from_dict({"list": ["a", "b"], "map": {"a": 1}, "time": Duration.of_seconds(90)})
    assert shown.to_dict() == {"list": "[a, b]", "map": "{a: 1}", "time": "90 s"}
    assert hash(shown) == hash(Configuration(shown))


def test_values_in_a_dictionary_keep_their_types():
    """add_all_to_dict gives what was set, to_dict texts."""
    config = Configuration().set_integer("i", 1).set_float("f", 1.2).set_boolean("b", True)
    config.set_bytearray("y", bytearray([1, 2]))
    target = {}
    config.add_all_to_dict(target)
    assert target == {"i": 1, "f": 1.2, "b": True, "y": bytearray([1, 2])}
    assert type(target["b"]) is bool


def test_what_cannot_be_in_a_dictionary_is_refused():
    """A value of None, and a name that is no text."""
    with pytest.raises(ConfigurationTypeError, match="setting 'k' is None; leave it out"):
        Configuration.from_dict({"k": None})
    with pytest.raises(ConfigurationTypeError, match="the name of a setting is a str"):
        Configuration.from_dict({1: "v"})


def test_lists_are_parsed():
    """In YAML's forms, in Flink's older one, and none of None."""
    for text in ("[a, b]", "- a\n- b", "a;b"):
        assert Configuration.parse_list_value(text) == ["a", "b"]
    assert Configuration.parse_list_value(None) == []


def test_configurations_are_combined():
    """Settings are added with a prefix, listed, removed."""
    config = Configuration().add_all(Configuration.from_dict({"a": "1"}), "p.").set_string("b", "2")
    assert config.key_set() == {"p.a", "b"}
    assert config.contains_key("p.a")
    assert config.remove_config("b")
    assert not config.remove_config("b")
    target = {}
    config.add_all_to_dict(target)
    assert target == config.to_dict() == {"p.a": "1"}


def test_copies_are_independent():
    """A copy is equal until one of the two changes."""
    config = Configuration.from_dict({"a": "1"})
    for other in (Configuration(config), copy.deepcopy(config)):
        assert other == config
        assert hash(other) == hash(config)
        other.set_string("a", "2")
        assert config.get_string("a", None) == "1"
        assert other != config


def test_no_password_is_shown_where_settings_are():
    """They are found by their names, and within addresses; who asks for one gets it."""
    given = {"spark.hadoop.fs.s3a.secret.key": "canary", "my.url": "pg://me:canary@host/db", "parallelism.default": "2"}
    config = Configuration.from_dict(given)
    assert "canary" not in f"{config} {config!r}"
    assert "parallelism.default=2" in str(config)
    assert config.get_string("spark.hadoop.fs.s3a.secret.key", "") == "canary"
