from tests.connectors.source.reading import ScriptedEnumeratorContext
from windrow.connectors.datagen.reader import NumberRange
from windrow.connectors.source.fixed_splits import FixedSplitsEnumerator

FIRST, SECOND = NumberRange(0, 5), NumberRange(5, 10)


def test_each_reader_gets_its_splits_when_it_registers_and_no_more():
    """Nobody has to ask; a reader without splits hears that none come."""
    context = ScriptedEnumeratorContext(2)
    enumerator = FixedSplitsEnumerator(context, {0: [FIRST, SECOND]})
    enumerator.start()
    enumerator.add_reader(0)
    enumerator.add_reader(1)
    assert context.sent == {0: [[FIRST, SECOND], "no more"], 1: ["no more"]}


def test_a_reader_that_asks_is_answered_too():
    """A request is answered as a registration is."""
    context = ScriptedEnumeratorContext(1)
    FixedSplitsEnumerator(context, {0: [FIRST]}).handle_split_request(0, None)
    assert context.sent[0] == [[FIRST], "no more"]


def test_its_checkpoint_is_what_was_not_assigned():
    """Assigned splits are in the readers' state: a restored enumerator does not assign them again."""
    context = ScriptedEnumeratorContext(2)
    enumerator = FixedSplitsEnumerator(context, {0: [FIRST], 1: [SECOND]})
    enumerator.add_reader(0)
    checkpoint = enumerator.snapshot_state(1)
    again = ScriptedEnumeratorContext(2)
    restored = FixedSplitsEnumerator(again, checkpoint)
    restored.add_reader(0)
    restored.add_reader(1)
    assert again.sent == {0: ["no more"], 1: [[SECOND], "no more"]}


def test_splits_that_come_back_go_to_the_same_reader():
    """They are read before those that it has not got yet."""
    context = ScriptedEnumeratorContext(1)
    enumerator = FixedSplitsEnumerator(context, {0: [SECOND]})
    enumerator.add_splits_back([FIRST], 0)
    enumerator.add_reader(0)
    assert context.sent[0] == [[FIRST, SECOND], "no more"]
