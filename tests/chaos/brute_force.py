"""What the programs have to write, without windows, state, joins or time: by looking at all elements."""

from collections import defaultdict

from tests.chaos.programs import GAP, LOWER, MINUTE, UPPER, elements


def by_key(given):
    """Numbers and timestamps of each key."""
    found = defaultdict(list)
    for key, number, timestamp in given:
        found[key].append((number, timestamp))
    return found


def sessions():
    """The last line of each session."""
    lines = []
    for key, given in by_key(elements()).items():
        given.sort(key=lambda each: each[1])
        session = []
        for each in [*given, None]:
            if session and (each is None or each[1] >= session[-1][1] + GAP):
                numbers = [number for number, _ in session]
                lines.append(f"{key} {session[0][1]} {session[-1][1] + GAP} {len(numbers)} {sum(numbers)}")
                session = []
            session.append(each)
    return lines


def timers():
    """A line for each key and minute."""
    sums = defaultdict(list)
    for key, number, timestamp in elements():
        sums[key, timestamp // MINUTE].append(number)
    return [f"{key} {minute} {len(numbers)} {sum(numbers)}" for (key, minute), numbers in sums.items()]


def interval_join():
    """All pairs that are near enough."""
    right = by_key(elements(3))
    return [
        f"{key} {number} {other}"
        for key, number, timestamp in elements()
        for other, at in right[key]
        if LOWER <= at - timestamp <= UPPER
    ]


def window_join():
    """All pairs in the same half second."""
    right = by_key(elements(3))
    return [
        f"{key} {number} {other}"
        for key, number, timestamp in elements()
        for other, at in right[key]
        if at // 500 == timestamp // 500
    ]


def check(name, lines):
    """Compare what a program has written; of sessions what fired before the last time may be there as well."""
    assert len(lines) == len(set(lines)), "lines are there twice"
    if name != "sessions":
        assert sorted(lines) == sorted(globals()[name]())
        return
    final = sessions()
    assert set(final) <= set(lines)
    ends = defaultdict(list)
    for line in final:
        key, start, end, *_ = line.split()
        ends[key].append((int(start), int(end)))
    for line in set(lines) - set(final):
        key, start, end, *_ = line.split()
        assert any(first <= int(start) and int(end) <= last for first, last in ends[key]), line
