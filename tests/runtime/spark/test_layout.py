"""How a program differs from the one that wrote a checkpoint."""

import json

import pytest

from windrow.common import Configuration
from windrow.datastream import StreamExecutionEnvironment
from windrow.runtime.spark.layout import differences, layout_of

ANEW = ", or start from it (execution.state-recovery.path), or begin anew, with another checkpoint directory"


def layout(program, parallelism=2, max_parallelism=8):
    """The layout of a program as a checkpoint gives it back."""
    env = StreamExecutionEnvironment.get_execution_environment(Configuration())
    env.set_parallelism(parallelism).set_max_parallelism(max_parallelism)
    program(env)
    return json.loads(json.dumps(layout_of(env._plan(env._program.sinks()), 2)))


def same(value):
    return value


def numbers(env):
    return env.from_collection([1, 2]).uid("numbers")


def counts(env, uid="counts", **settings):
    """A chain behind an exchange."""
    counted = numbers(env).key_by(same).reduce(max)
    counted = counted.uid(uid) if uid else counted.name("highest")
    if "parallelism" in settings:
        counted.set_parallelism(settings["parallelism"])
    return counted


def test_the_same_program_fits():
    """Names, functions and sinks are its own affair."""
    before = layout(lambda env: counts(env).print())

    def changed(env):
        counted = counts(env).name("another")
        counted.print()
        counted.print()

    assert differences(before, layout(changed)) == []


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        (
            lambda env: counts(env).print(),
            lambda env: counts(env, "totals").print(),
            f"operator 'totals' is not in it, and in its place is 'counts': .uid('counts'){ANEW}",
        ),
        (
            lambda env: counts(env, uid=None).print(),
            lambda env: counts(env, "totals").print(),
            "operator 'totals' is not in it, and in its place is '3-OneInputTransformation' (an operator without a uid "
            f"is known by the number of its call): .uid('3-OneInputTransformation'){ANEW}",
        ),
        (
            lambda env: counts(env).print(),
            lambda env: counts(env, parallelism=1).print(),
            f"operator 'counts' had parallelism 2 and has 1: set_parallelism(2) on it or on the environment{ANEW}",
        ),
        (
            lambda env: counts(env).map(same).uid("mapped").print(),
            lambda env: counts(env).print(),
            f"operator 'mapped' is gone, and its state would be lost: put it back{ANEW}",
        ),
        (
            lambda env: counts(env).print(),
            lambda env: counts(env).map(same).uid("mapped").print(),
            "operator 'mapped' is new, in the chain behind 'counts', and there is no place for it: leave it out" + ANEW,
        ),
        (
            lambda env: counts(env).print(),
            lambda env: counts(env).map(same).name("same").print(),
            "operator 'same' (without a uid) is new, in the chain behind 'counts', and there is no place for it: leave "
            "it out" + ANEW,
        ),
        (
            lambda env: counts(env).print(),
            lambda env: counts(env).key_by(same).reduce(min).uid("least").print(),
            f"operator 'least' is new, and there is no place for it: leave it out{ANEW}",
        ),
        (
            lambda env: counts(env).map(same).uid("mapped").print(),
            lambda env: counts(env).rebalance().map(same).uid("mapped").print(),
            "operator 'mapped' stood in the chain behind 'counts', and now stands behind exchange 2: a key_by, another "
            f"partitioner or another parallelism has come or gone; undo it{ANEW}",
        ),
        (
            lambda env: numbers(env).union(numbers_again(env)).key_by(same).reduce(max).uid("counts").print(),
            lambda env: twice(env, numbers(env), numbers_again(env)).key_by(same).reduce(max).uid("counts").print(),
            "operator 'counts' had inputs of 1 and 1 channels, and has inputs of 1 and 1 and 1 channels: let it have "
            f"the same inputs in the same order{ANEW}",
        ),
    ],
    ids=[
        "another uid",
        "a uid where there was none",
        "parallelism",
        "an operator less",
        "an operator more",
        "one more without a uid",
        "one more behind an exchange",
        "an exchange more",
        "another union",
    ],
)
def test_what_differs_is_said_with_its_remedy(before, now, said):
    """By operator, in one sentence; nothing else of the layouts is shown."""
    assert differences(layout(before), layout(now)) == [said]


def numbers_again(env):
    return env.from_collection([3]).uid("numbers again")


def twice(env, first, second):
    return first.union(second, second)


def test_max_parallelism_and_format_are_named():
    """A checkpoint of another format is not compared any further."""
    before = layout(lambda env: counts(env).print())
    now = layout(lambda env: counts(env).print(), max_parallelism=16)
    assert differences(before, now) == [
        "max parallelism was 8 and is 16: set_max_parallelism(8), or begin anew with another checkpoint directory"
    ]
    (other,) = differences({"version": 2}, now)
    assert other.startswith("it has format 2, of another version of Windrow, and this one reads ")


def test_several_differences_are_all_said():
    """One for each operator."""
    before = layout(lambda env: counts(env).map(same).uid("mapped").print())
    assert len(differences(before, layout(lambda env: counts(env, "totals").print(), max_parallelism=16))) == 3
