"""Elements are (key, number, value, text); results show in their text what a function has seen."""

from windrow.datastream.window import TimeWindow

_LONGEST, _SHOWN = 150, 60


def _java_hash(text):
    code = 0
    for letter in text:
        code = (31 * code + ord(letter)) & 0xFFFFFFFF
    return code


def element(key, number, value, text):
    """An element; a long text is its beginning and its hash code."""
    return key, number, value, text if len(text) <= _LONGEST else f"{text[:_SHOWN]}#{_java_hash(text)}"


def texts(elements, *, in_order):
    """The elements' texts, joined; sorted where their order is not certain."""
    found = ["null" if each is None else each[3] for each in elements]
    return "+".join(found if in_order else sorted(found))


def total(elements):
    """The sum of the elements' values."""
    return sum(each[2] for each in elements if each is not None)


def show_window(window):
    return f"[{window.start},{window.end})" if isinstance(window, TimeWindow) else "G"


def start_of(window):
    return window.start if isinstance(window, TimeWindow) else -1


def show_list(values):
    return f"({','.join(map(str, values))})"


def show_map(state):
    return "{" + ",".join(f"{key}:{value}" for key, value in sorted(state.items())) + "}"
