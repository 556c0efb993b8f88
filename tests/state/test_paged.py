"""Keyed state in pages means what keyed state in memory means, however it is cut into pages and batches."""

import sys
from dataclasses import field, make_dataclass
from functools import cached_property
from threading import Lock
from uuid import uuid4
from weakref import WeakSet

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windrow.datastream.state import StateTtlConfig, ValueStateDescriptor
from windrow.elements import stored
from windrow.errors import CheckpointError
from windrow.state import directory as directory_of_pages
from windrow.state import page, paged
from windrow.state.directory import read_root
from windrow.state.items import read_item
from windrow.state.key_groups import key_group
from windrow.state.keyed import KeyedState
from windrow.state.page import MAX_DEPTH, PageRows
from windrow.state.page_store import MemoryPageStore, NoPages
from windrow.state.paged import PagedKeyedState
from windrow.state.storable import NotStorableError
from windrow.state.view_of import view_of

KEYS = [*range(12), "a", "b", "c", ("t", 1)]
TAG = "op"


class CountingStore(MemoryPageStore):
    """Remembers which pages were read and written since the last look."""

    def __init__(self):
        super().__init__()
        self.read, self.written = [], []

    def get(self, page):
        self.read.append(page)
        return super().get(page)

    def put(self, page, data):
        self.written.append(page)
        super().put(page, data)

    def take(self):
        """Pages of keys that were read, and all that was written; the directory is read beside them."""
        taken = [page for page in self.read if "." in page], self.written
        self.read, self.written = [], []
        return taken


@pytest.fixture
def small_pages(monkeypatch):
    """Pages that hold two or three keys."""
    monkeypatch.setattr(page, "PAGE_BYTES", 120)


def new_state(max_parallelism=1):
    return PagedKeyedState(max_parallelism, lambda: uuid4().bytes)


def attached(store, tag=TAG, max_parallelism=1):
    state = new_state(max_parallelism)
    state.attach(store, tag)
    return state


def put_all(store, values):
    state = attached(store)
    for key, value in values.items():
        state.set_current_key(key)
        state.put("v", None, value)
    state.flush()


def groups(store):
    """The groups that are in a store, all of them read."""
    found = list(read_root(store.pages[f"{TAG}/pages"])[1]) if f"{TAG}/pages" in store.pages else []
    for group in found:
        if not group.is_read:
            group.read(store.pages[f"{TAG}/{group.number:x}"])
    return found


def directory(store):
    """The pages that are in a store."""
    return [page for group in groups(store) for page in group.pages()]


def rows_of(data):
    rows = PageRows(data)
    return [rows.row(number) for number in range(len(rows.hashes))]


steps = st.one_of(
    st.tuples(st.just("put"), st.sampled_from(KEYS), st.sampled_from(["x", "y"]), st.binary(max_size=30)),
    st.tuples(st.just("remove"), st.sampled_from(KEYS), st.sampled_from(["x", "y"])),
    st.tuples(st.just("get"), st.sampled_from(KEYS), st.sampled_from(["x", "y"])),
    st.tuples(st.just("timer"), st.sampled_from(KEYS), st.booleans(), st.integers(0, 30), st.sampled_from([None, "w"])),
    st.tuples(
        st.just("delete"), st.sampled_from(KEYS), st.booleans(), st.integers(0, 30), st.sampled_from([None, "w"])
    ),
    st.tuples(st.just("next"), st.booleans()),
    st.tuples(st.just("fire"), st.booleans(), st.integers(0, 30)),
    st.tuples(st.just("expect"), st.lists(st.sampled_from(KEYS)) | st.lists(st.integers(0, 20))),
    st.tuples(st.just("flush")),
)


def apply(state, step):
    """What a step gives; timers as a sorted list: those of equal time may come in another order after a flush."""
    kind, *rest = step
    if kind == "next":
        return state.next_event_time() if rest[0] else state.next_processing_time()
    if kind == "fire":
        fired = []
        fire = state.fire_event_timers if rest[0] else state.fire_processing_timers
        fire(
            rest[1],
            lambda time, namespace: fired.append((time, str(state.current_key), str(namespace), state.get("x"))),
        )
        assert [time for time, *_ in fired] == sorted(time for time, *_ in fired)
        return sorted(fired, key=str)
    if kind == "expect":
        return state.expect(rest[0])
    key = rest[0]
    state.set_current_key(key)
    if kind == "put":
        state.put(rest[1], None, rest[2])
    elif kind == "remove":
        state.remove(rest[1])
    elif kind == "get":
        return state.get(rest[1])
    else:
        queue = state.event_timers if rest[1] else state.processing_timers
        (queue.register if kind == "timer" else queue.delete)(rest[2], key, rest[3])
    return None


@settings(max_examples=300, deadline=None)
@given(
    st.lists(steps, max_size=60),
    st.sampled_from([60, 150, 4096]),
    st.sampled_from([1, 2, 128]),
    st.sampled_from([1, 3, 512]),
    st.sampled_from([0, 200, 128 << 20]),
)
def test_pages_mean_what_memory_means(script, page_bytes, max_parallelism, many_pages, kept_bytes):
    """Any steps, written and read back there or elsewhere, give what they give in memory, down to what is stored."""
    expected, state, store = KeyedState(), new_state(max_parallelism), MemoryPageStore()
    state.attach(store, TAG)
    elsewhere = new_state(max_parallelism)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page, "PAGE_BYTES", page_bytes)
        patch.setattr(page, "SMALL_PAGE_BYTES", 60)
        patch.setattr(page, "MANY_PAGES", many_pages)
        patch.setattr(directory_of_pages, "_MANY", many_pages)
        patch.setattr(paged, "KEPT_BYTES", kept_bytes)
        patch.setattr(paged, "_TOGETHER", 2)
        for number, step in enumerate(script):
            if step[0] == "flush":
                state.flush()
                if number % 3 == 0:  # two workers take turns, and keep what they have seen
                    state, elsewhere = elsewhere, state
                elif number % 3 == 1:
                    state = new_state(max_parallelism)
                state.attach(store, TAG)
            else:
                assert apply(state, step) == apply(expected, step)
        state.flush()
    check_store(store, max_parallelism)
    for reader in (state, elsewhere, new_state(max_parallelism)):
        reader.attach(store, TAG)
        reader.load_all()
        assert dict(reader.entries()) == dict(expected.entries())
        assert sorted(reader.event_timers, key=str) == sorted(expected.event_timers, key=str)
        assert sorted(reader.processing_timers, key=str) == sorted(expected.processing_timers, key=str)


def check_store(store, max_parallelism):
    """A page holds keys of one group, the one that its name begins with, and what the directory says of it is so."""
    pages = {f"{TAG}/{each.name}": each for each in directory(store) if each.keys}
    of_groups = {f"{TAG}/{each.number:x}" for each in groups(store) if each.count > 1}
    assert set(store.pages) - {f"{TAG}/pages"} == set(pages) | of_groups
    for group in groups(store):
        said = group.count, group.keys, group.event_time, group.processing_time, group.expires
        group.summarize()
        assert said == (group.count, group.keys, group.event_time, group.processing_time, group.expires)
    for name, info in pages.items():
        rows = PageRows(store.pages[name])
        keys = [read_item(rows.names, row.item) for row in rows_of(store.pages[name])]
        assert {key_group(key, max_parallelism) for key, *_ in keys} == {info.group}
        assert info.keys == len(keys)
        for number, expected in ((2, info.event_time), (3, info.processing_time)):
            assert min((timers[0][0] for key in keys if (timers := key[number])), default=None) == expected


def test_timers_of_one_key_keep_the_order_of_their_registration():
    """Timers of equal time fire in the order in which they were registered, also after they were written out."""
    store = MemoryPageStore()
    state = attached(store)
    state.set_current_key("k")
    for namespace in ("b", "a", "c"):
        state.event_timers.register(5, "k", namespace)
    state.flush()
    fired = []
    attached(store).fire_event_timers(5, lambda _, namespace: fired.append(namespace))
    assert fired == ["b", "a", "c"]


def test_a_page_that_grows_too_large_is_split(small_pages):
    """No page with several keys is larger than the bound, and every key is found in its page."""
    store = MemoryPageStore()
    put_all(store, dict.fromkeys(range(200), "value"))
    pages = [data for name, data in store.pages.items() if "." in name]
    assert len(pages) > 50
    sizes = [[len(row.item) for row in rows_of(data)] for data in pages]
    assert all(sum(items) <= 120 or len(items) == 1 for items in sizes)
    state = attached(store)
    for key in range(200):
        state.set_current_key(key)
        assert state.get("v") == "value"


def test_one_key_is_never_split(small_pages):
    """A page of one key may be as large as the key's state."""
    store = MemoryPageStore()
    put_all(store, {"k": "x" * 1000})
    assert sorted(store.pages) == ["op/0/0.0", "op/pages"]


def test_keys_of_one_hash_share_a_page_at_the_greatest_depth(small_pages, monkeypatch):
    """Keys that no bit tells apart end in one page, and splitting stops."""
    monkeypatch.setattr(paged, "stable_hash", lambda key: 1)
    store = MemoryPageStore()
    put_all(store, dict.fromkeys(range(10), "value"))
    assert [each.depth for each in directory(store) if each.keys] == [MAX_DEPTH]


def test_a_batch_reads_and_writes_only_the_pages_of_its_keys(small_pages):
    """Reading one key of many brings in one page; nothing is written if nothing has changed."""
    store = CountingStore()
    put_all(store, dict.fromkeys(range(200), "value"))
    store.take()
    state = attached(store)
    state.set_current_key(7)
    assert state.get("v") == "value"
    state.flush()
    read, written = store.take()
    assert (len(read), written) == (1, [])


@pytest.mark.parametrize("value", ["VALUE", "another value"])
def test_a_batch_that_changes_values_alone_leaves_the_records_of_groups(small_pages, value):
    """What a group's record says of the page is the same, so the page and the root are written, and nothing else."""
    store = CountingStore()
    put_all(store, dict.fromkeys(range(200), "value"))
    store.take()
    name = next(each.name for each in directory(store) if each.keys == 1)
    (row,) = rows_of(store.pages[f"{TAG}/{name}"])
    key, *_ = read_item(["v"], row.item)
    put_all(store, {key: value})
    _, written = store.take()
    assert written == [f"{TAG}/{name}", f"{TAG}/pages"]
    state = attached(store)
    state.load_all()
    assert dict(state.entries()) == {each: {("v", None): value if each == key else "value"} for each in range(200)}


def test_a_worker_that_keeps_pages_sees_what_another_has_changed_in_them(small_pages):
    """The root has another token, though the records of groups are the same."""
    store = MemoryPageStore()
    one, another = new_state(), new_state()
    for number, state in enumerate([one, another, one, another]):
        state.attach(store, TAG)
        for key in range(100):
            state.set_current_key(key)
            assert state.get("v") == (number - 1 if number else None)
            state.put("v", None, number)
        state.flush()


def test_a_key_that_only_was_looked_at_is_not_stored():
    """A key without state and timers leaves nothing behind."""
    store = MemoryPageStore()
    put_all(store, {"k": 1})
    before = dict(store.pages)
    state = attached(store)
    state.set_current_key("another")
    state.flush()
    assert store.pages == before


def test_due_timers_bring_in_their_pages_and_no_others(small_pages):
    """Firing reads the pages whose earliest timer is due."""
    store = CountingStore()
    state = attached(store)
    for key in range(100):
        state.set_current_key(key)
        state.put("v", None, "value")
    state.event_timers.register(10, 42, None)
    state.processing_timers.register(5, 43, None)
    state.flush()
    store.take()
    state = attached(store)
    assert (state.next_event_time(), state.next_processing_time()) == (10, 5)
    state.fire_event_timers(9, lambda *_: pytest.fail("no timer is due"))
    assert store.take()[0] == []
    fired = []
    state.fire_event_timers(10, lambda time, namespace: fired.append((time, state.current_key, state.get("v"))))
    assert fired == [(10, 42, "value")]
    assert len(store.take()[0]) == 1


def test_the_earliest_timer_counts_the_changes_in_memory():
    """What was deleted or registered since the state was attached is in the answer."""
    store = MemoryPageStore()
    state = attached(store)
    state.set_current_key("k")
    state.event_timers.register(10, "k", None)
    state.flush()
    state = attached(store)
    state.set_current_key("k")
    state.event_timers.delete(10, "k", None)
    assert state.next_event_time() is None
    state.event_timers.register(3, "k", None)
    assert state.next_event_time() == 3


def test_pages_of_keys_that_are_gone_go_too(small_pages):
    """When all keys are gone only an empty directory of one page is left."""
    store = MemoryPageStore()
    put_all(store, dict.fromkeys(range(200), "value"))
    state = attached(store)
    for key in range(200):
        state.set_current_key(key)
        state.remove("v")
    state.flush()
    assert list(store.pages) == ["op/pages"]
    assert directory(store) == []


def test_the_directory_shrinks_while_keys_come_and_go(small_pages):
    """Keys that live one after another for a short time do not make the directory grow for ever."""
    store = MemoryPageStore()
    sizes = []
    for start in range(0, 2000, 50):
        state = attached(store)
        for key in range(start, start + 50):
            state.set_current_key(key)
            state.put("v", None, "value")
        for key in range(start - 50, start):
            state.set_current_key(key)
            state.remove("v")
        state.flush()
        sizes.append(len(directory(store)))
    assert max(sizes[20:]) <= 2 * max(sizes[:5])


def test_operators_share_a_store_under_their_tags():
    """State of one tag is not seen under another."""
    store = MemoryPageStore()
    put_all(store, {"k": 1})
    other = attached(store, "another")
    other.set_current_key("k")
    assert other.get("v") is None


def test_attaching_forgets_what_was_not_flushed():
    """What is in memory and not written is gone after attach: a batch that failed leaves no trace."""
    store = MemoryPageStore()
    state = attached(store)
    state.set_current_key("k")
    state.put("v", None, 1)
    state.event_timers.register(1, "k", None)
    state.attach(store, TAG)
    state.set_current_key("k")
    assert (state.get("v"), state.next_event_time()) == (None, None)


@pytest.mark.parametrize("of_page", [False, True])
def test_a_record_that_is_gone_is_damage(small_pages, of_page):
    """What the directory names and the store does not have is an error that names the operator and says what to do."""
    store = MemoryPageStore()
    put_all(store, dict.fromkeys(range(20), "value" * 8))
    gone = page_name(store) if of_page else "op/0"
    del store.pages[gone]
    state = attached(store)
    with pytest.raises(RuntimeError, match=rf"'op' is damaged: '{gone[3:]}' is gone; restore an earlier checkpoint"):
        state.load_all()


def test_a_directory_without_the_page_of_a_key_is_damage(small_pages):
    """A key for which the directory has no page is an error, too."""
    store = MemoryPageStore()
    put_all(store, dict.fromkeys(range(50), "value"))
    store.pages["op/0"] = stored.dumps((1, []))
    state = attached(store)
    with pytest.raises(RuntimeError, match=r"'op' is damaged.*holds key 7; restore an earlier checkpoint"):
        state.set_current_key(7)


def page_name(store):
    return next(name for name in store.pages if "." in name)


@pytest.mark.parametrize("name", ["op/pages", "op/0", "a page"])
def test_what_a_later_version_wrote_is_refused(small_pages, name):
    """Root, group records and pages say their version."""
    store = MemoryPageStore()
    put_all(store, dict.fromkeys(range(20), "value" * 8))
    name = name if name in store.pages else page_name(store)
    data = store.pages[name]
    store.pages[name] = b"\x09" + data[1:] if "." in name else stored.dumps((9, *stored.loads(data)[1:]))
    with pytest.raises(ValueError, match=r"version 9, and this program reads [12]"):
        attached(store).load_all()


def test_without_keys_nothing_is_read_or_written():
    """An operator that keeps no keyed state costs its store nothing."""
    store = CountingStore()
    state = attached(store)
    state.flush()
    state.attach(store, TAG)
    state.flush()
    assert (store.read, store.written) == ([], [])


@pytest.mark.usefixtures("small_pages")
def test_what_a_worker_has_written_it_does_not_read_again():
    """In the next batch it reads the root alone; what it touches it writes, with the directory of its group."""
    store = CountingStore()
    state = attached(store)
    for value in range(3):
        for key in (7, 8):
            state.set_current_key(key)
            state.put("v", None, value)
        state.flush()
        state.attach(store, TAG)
        store.read.clear()
    store.read, store.written = [], []
    state.set_current_key(7)
    assert state.get("v") == 2
    state.put("v", None, 3)
    state.flush()
    assert store.read == ["op/pages"]
    assert len(store.written) <= 3


def test_what_another_worker_has_written_is_read():
    """What is kept counts only while nobody else has written."""
    store = MemoryPageStore()
    here, there = attached(store), attached(store)
    for number, state in enumerate((here, there, here, here, there)):
        state.attach(store, TAG)
        state.set_current_key("k")
        assert state.get("v") == (number - 1 if number else None)
        state.put("v", None, number)
        state.flush()


def test_what_was_written_and_not_committed_is_forgotten():
    """A batch that is run again begins with what the store has, not with what the first attempt has left in memory."""
    store = MemoryPageStore()
    state = attached(store)
    state.set_current_key("k")
    state.put("v", None, 1)
    state.flush()
    before = dict(store.pages)
    for _ in range(2):
        again = MemoryPageStore(dict(before))
        state.attach(again, TAG)
        state.set_current_key("k")
        assert state.get("v") == 1
        state.put("v", None, 2)
        state.flush()


def test_what_could_not_be_written_whole_is_forgotten(small_pages):
    """An error in the middle of writing leaves nothing in memory that the next batch takes for what is stored."""
    store = MemoryPageStore()
    put_all(store, dict.fromkeys(range(20), "value"))
    before = dict(store.pages)
    state = attached(store)
    for key in range(20):
        state.set_current_key(key)
        state.put("v", None, "another" if key else Lock())
    with pytest.raises(NotStorableError, match="state 'v' of key 0"):
        state.flush()
    state.attach(MemoryPageStore(before), TAG)
    for key in range(20):
        state.set_current_key(key)
        assert state.get("v") == "value"


@pytest.mark.usefixtures("small_pages")
def test_pages_that_were_not_used_for_longest_are_dropped_from_memory(monkeypatch):
    """Memory is bounded: what no longer fits is read from the store when it is needed."""
    monkeypatch.setattr(paged, "KEPT_BYTES", 2000)
    monkeypatch.setattr(paged, "_KEEPING", WeakSet())
    store = CountingStore()
    state = attached(store)
    for key in range(200):
        state.set_current_key(key)
        state.put("v", None, "value")
    state.flush()
    assert 0 < state.kept_bytes <= 2000
    state.attach(store, TAG)
    store.read.clear()
    for key in range(200):
        state.set_current_key(key)
        assert state.get("v") == "value"
    assert len(store.read) > 50
    state.flush()
    assert 0 < state.kept_bytes <= 2000


def test_operators_of_a_process_share_what_may_be_kept(monkeypatch):
    """Two that keep pages keep half of it each."""
    monkeypatch.setattr(paged, "KEPT_BYTES", 100_000)
    monkeypatch.setattr(paged, "_KEEPING", WeakSet())
    states = [attached(MemoryPageStore()), attached(MemoryPageStore())]
    for _ in range(2):
        for state in states:
            state.attach(state._store, TAG)
            for key in range(2000):
                state.set_current_key(key)
                state.put("v", None, "value" * 10)
            state.flush()
    assert [state.kept_bytes > 40_000 for state in states] == [True, True]
    assert sum(state.kept_bytes for state in states) <= 100_000


def test_a_key_is_read_without_the_others_of_its_page():
    """The cost of a batch follows its keys: what else is in their pages is not unpickled."""
    store = MemoryPageStore()
    put_all(store, {key: Counted(key) for key in range(20)})
    Counted.read = 0
    state = attached(store)
    state.set_current_key(3)
    assert state.get("v").number == 3
    state.put("v", None, Counted(30))
    state.flush()
    assert Counted.read == 1


class Counted:
    """Counts how many of it are unpickled."""

    read = 0

    def __init__(self, number):
        self.number = number

    def __setstate__(self, state):
        Counted.read += 1
        self.__dict__ = state


def test_without_pages_nothing_is_kept():
    """A job of one batch needs no store: nothing that is written can be read."""
    store = NoPages()
    store.put("page", b"data")
    assert store.get("page") is None
    store.remove("page")


LIVES_100 = StateTtlConfig.new_builder(100).build()


def run_at(store, now, values, ttl=LIVES_100):
    """A batch at a processing time, in which keys get values that live for some time."""
    descriptor = ValueStateDescriptor("v")
    descriptor.enable_time_to_live(ttl)
    state = attached(store)
    state.expiry.clock.processing_time = now
    view = view_of(state, descriptor, "v")
    for key, value in values.items():
        state.set_current_key(key)
        view.update(value)
    state.flush()


def stored_keys(store):
    state = attached(store)
    state.load_all()
    return {key for key, _ in state.entries()}


def test_what_has_expired_goes_when_its_page_is_written():
    """A key that is used takes the expired values of its page's other keys out of the store."""
    store = MemoryPageStore()
    run_at(store, 0, {1: "a", 2: "b"})
    run_at(store, 50, {3: "c"})
    assert stored_keys(store) == {1, 2, 3}
    run_at(store, 149, {4: "d"})
    assert stored_keys(store) == {3, 4}


@pytest.mark.usefixtures("small_pages")
def test_a_page_in_which_all_has_expired_goes_without_being_touched():
    """Nobody reads these keys again: their pages leave with the next batch, and the directory shrinks."""
    store = MemoryPageStore()
    run_at(store, 0, dict.fromkeys(range(100), "v"))
    assert len(store.pages) > 20
    run_at(store, 99, {})
    assert len(stored_keys(store)) == 100
    run_at(store, 100, {})
    assert stored_keys(store) == set()
    assert directory(store) == []


@pytest.mark.usefixtures("small_pages")
def test_a_batch_cleans_so_many_pages_and_no_more(monkeypatch):
    """What expires at once is dropped over some batches, so that none of them waits long."""
    monkeypatch.setattr(paged, "EXPIRED_PAGES", 5)
    store = CountingStore()
    run_at(store, 0, dict.fromkeys(range(100), "v"))
    store.take()
    run_at(store, 500, {})
    assert len(store.take()[0]) == 5
    for now in range(501, 540):
        run_at(store, now, {})
    assert stored_keys(store) == set()


@pytest.mark.usefixtures("small_pages")
def test_pages_are_left_alone_where_cleanup_is_disabled():
    """Without cleanup in the background no page is read for it, and nothing goes."""
    store = CountingStore()
    disabled = StateTtlConfig.new_builder(100).disable_cleanup_in_background().build()
    run_at(store, 0, dict.fromkeys(range(100), "v"), disabled)
    store.take()
    run_at(store, 1000, {}, disabled)
    assert store.take() == ([], [])
    assert len(stored_keys(store)) == 100


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 60), st.sets(st.integers(0, 30), max_size=4)), max_size=12))
def test_what_nobody_reads_is_gone_one_time_to_live_after_it_expired(batches):
    """The promise of StateTtlConfig: whatever the batches, nothing is stored two lifetimes after its last access."""
    store, now, accessed = MemoryPageStore(), 0, {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page, "PAGE_BYTES", 120)
        for wait, keys in batches:
            now += wait
            run_at(store, now, dict.fromkeys(keys, "v"))
            accessed.update(dict.fromkeys(keys, now))
            stored = stored_keys(store)
            assert {key for key, last in accessed.items() if now < last + 100} <= stored
            assert stored <= {key for key, last in accessed.items() if now < last + 200}


def test_pages_of_keys_that_come_next_are_read_together(small_pages):
    """Records of their groups first, then the pages: two calls, however many keys there are; none if all are here."""
    store = CountingStore()
    put_all(store, {key: f"value {key}" for key in range(200)})
    calls = []
    store.get_many = lambda pages: calls.append(len(pages)) or [store.pages.get(page) for page in pages]
    state = attached(store)
    state.expect([*range(0, 200, 2), "new", 3])
    assert len(calls) == 2
    assert calls[0] == 1
    assert calls[1] > 30
    for key in range(0, 200, 2):
        assert state.entry_of(key) == {("v", None): f"value {key}"}
    assert state.entry_of("new") == {}
    state.expect([*range(0, 200, 2)])
    assert len(calls) == 2
    state.flush()


@pytest.mark.parametrize("expects", [True, False])
def test_timers_of_keys_that_come_next_keep_their_turns(small_pages, expects):
    """Of two with the same time the one comes first that was registered, or whose key came, first."""
    store = MemoryPageStore()
    state = attached(store)
    for key in range(100):
        state.set_current_key(key)
        state.event_timers.register(5, key, None)
    state.flush()
    state = attached(store)
    if expects:
        state.expect(["new", 7, 3])
    for key in ("new", 7, 3):
        state.set_current_key(key)
        state.event_timers.register(5, key, None)
    assert [key for _, key, _ in state.take_due_event_timers(5)][:3] == ["new", 7, 3]


def test_keys_that_come_next_and_do_not_are_no_state(small_pages):
    store = CountingStore()
    put_all(store, dict.fromkeys(range(100), "value"))
    store.take()
    state = attached(store)
    state.expect(range(50, 300))
    state.flush()
    assert store.take()[1] == []
    assert state.stored_keys() == 100


def test_pages_of_timers_that_are_due_are_read_together(small_pages):
    """Of all groups."""
    store = CountingStore()
    state = attached(store, max_parallelism=8)
    for key in range(100):
        state.set_current_key(key)
        state.event_timers.register(key, key, None)
    state.flush()
    calls = []
    store.get_many = lambda pages: calls.append(len(pages)) or [store.pages.get(page) for page in pages]
    state = attached(store, max_parallelism=8)
    due = state.take_due_event_timers(60)
    assert sorted(key for _, key, _ in due) == list(range(61))
    assert len(calls) == 2
    assert calls[0] == 8


def test_a_page_that_is_gone_is_named_when_it_is_read_with_others(small_pages):
    """State that is damaged is no empty state."""
    store = CountingStore()
    put_all(store, dict.fromkeys(range(50), 1))
    gone = next(name for name in store.pages if "." in name)
    del store.pages[gone]
    with pytest.raises(RuntimeError, match=f"{gone.partition('/')[2]}' is gone; restore an earlier checkpoint"):
        attached(store).expect(range(50))


def test_a_key_whose_class_has_another_field_is_refused(monkeypatch):
    """Elements would not find its state: it is met when a timer of it is due."""

    def key(*fields):
        made = make_dataclass("Key", fields, frozen=True)
        made.__module__ = __name__
        monkeypatch.setattr(sys.modules[__name__], "Key", made, raising=False)
        return made

    store = MemoryPageStore()
    state = PagedKeyedState(new_token=lambda: b"token", operator="counts")
    state.attach(store, "tag")
    state.set_current_key(key("number")(7))
    state.event_timers.register(5, state.current_key, None)
    state.flush()
    key("number", ("price", int, field(default=1)))
    other = PagedKeyedState(new_token=lambda: b"other", operator="counts")
    other.attach(store, "tag")
    with pytest.raises(CheckpointError, match=r"operator 'counts': the key Key\(number=7, price=1\) has another hash"):
        other.fire_event_timers(10, lambda *_: None)


class Path:
    """A key that says itself what makes it equal, and remembers more."""

    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        return self.name == other.name

    def __hash__(self):
        return 7

    @cached_property
    def shouted(self):
        return self.name.upper()


def test_a_key_that_remembers_something_is_the_same_key():
    """What pickling keeps of it has changed, and not what makes it equal."""
    store, key = MemoryPageStore(), Path("a")
    state = PagedKeyedState(new_token=lambda: b"token", operator="counts")
    state.attach(store, "tag")
    state.set_current_key(key)
    state.event_timers.register(5, key, None)
    assert key.shouted == "A"
    state.flush()
    fired = []
    other = PagedKeyedState(new_token=lambda: b"other", operator="counts")
    other.attach(store, "tag")
    other.fire_event_timers(10, lambda *_: fired.append(other.current_key.name))
    assert fired == ["a"]


def test_a_group_of_many_pages_gets_smaller_ones(small_pages, monkeypatch):
    """When they are written anew; what was stored before is found where it was."""
    monkeypatch.setattr(page, "SMALL_PAGE_BYTES", 60)
    store = MemoryPageStore()
    put_all(store, dict.fromkeys(range(200), "value"))
    before = directory(store)
    assert {info.keys for info in before} == {1, 2}
    monkeypatch.setattr(page, "MANY_PAGES", len(before))
    values = {**dict.fromkeys(range(200), "value"), **dict.fromkeys(range(100), "values")}
    put_all(store, {key: values[key] for key in range(100)})
    after = directory(store)
    assert {info.keys for info in after if info.code not in {info.code for info in before}} <= {0, 1}
    assert len(before) < len(after) < 200
    check_store(store, 1)
    state = attached(store)
    state.load_all()
    assert {key: entry["v", None] for key, entry in state.entries()} == values


def test_pages_that_are_not_kept_leave_no_object(small_pages, monkeypatch):
    """Of a directory of many pages a worker would have one for each that it ever had in memory."""
    monkeypatch.setattr(paged, "KEPT_BYTES", 400)
    store = MemoryPageStore()
    put_all(store, dict.fromkeys(range(1000), "value"))
    state = attached(store)
    for key in range(1000):
        state.set_current_key(key)
        state.put("v", None, "other")
        state.flush()
        state.attach(store, TAG)
    [group] = state._show().values()
    assert group.count > 200
    assert len(group._made) < 10
    check_store(store, 1)
