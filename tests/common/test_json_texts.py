"""JSON put together of the JSON of its parts."""

import json

from windrow.common.json_texts import array_writer, map_writer, object_writer, or_null, quoted

write = or_null(quoted)


def test_names_and_keys_are_quoted_as_texts_are():
    """A percent sign, a quote or a letter beyond ASCII in a name stands for itself."""
    names = ["100%s", 'a"b', "é"]
    line = object_writer(names, [write, write, write])(["x", None, "%d"])
    assert line == '{"100%s":"x","a\\"b":null,"é":"%d"}'
    assert json.loads(line) == dict(zip(names, ["x", None, "%d"], strict=True))
    assert map_writer(str, write)({'k"': "v"}) == '{"k\\"":"v"}'


def test_empty_ones_are_json_too():
    """Arrays, maps and rows may have nothing in them."""
    assert (array_writer(write)([]), map_writer(str, write)({}), object_writer([], [])([])) == ("[]", "{}", "{}")
