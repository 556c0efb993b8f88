"""What windows hold as columns, written and read: a table for each pane, with what says how to read it.

The description is plain data: how time is cut, which keys there are, the form of an accumulator, and what becomes of
its fields. So who has another function, or no columns at all, can make accumulators of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from windrow.common.typeinfo import TypeInformation, Types
from windrow.elements.columns import Columns
from windrow.elements.shape import DataclassShape, RowShape, ScalarShape, Shape, TupleShape
from windrow.operators.column_folds.field_fold import FieldFold, Longs
from windrow.operators.column_folds.fold_plan import Column, FoldPlan, field_fold
from windrow.operators.column_folds.key_index import IntKeyIndex, KeyIndex, TextKeyIndex
from windrow.operators.window.aligned_windows import AlignedWindows
from windrow.operators.window.panes.pane_windows import PANE, Grid, Name, PaneWindows
from windrow.operators.window.panes.partials import ArrivalOrder, Row
from windrow.state.column_page import Table
from windrow.state.kept_columns import Groups, KeptColumns
from windrow.tracing.outcome import NotExact

#: The version of descriptions.
VERSION = 1
#: All panes of a window are in so many tables at most, and in that many more those that wait for late elements.
_TABLES = 32
#: Of these so many are counted: windows that wait for ever are not put into one table.
_MOST_LATE = 1 << 12
_SHAPES = {"value": ScalarShape, "tuple": TupleShape, "row": RowShape, "object": DataclassShape}
#: Declared types of fields, by their names in checkpoints.
_BASIC: dict[str, TypeInformation | None] = {
    "none": None,
    "boolean": Types.BOOLEAN(),
    "byte": Types.BYTE(),
    "short": Types.SHORT(),
    "int": Types.INT(),
    "long": Types.LONG(),
    "float": Types.FLOAT(),
    "double": Types.DOUBLE(),
    "string": Types.STRING(),
}
_MAY_BE_KEYS = frozenset({"first", "last", "min", "max"})


class Held(NamedTuple):
    """What windows hold as columns, and how it is made."""

    plan: FoldPlan
    keys: KeyIndex
    panes: PaneWindows

    def in_order(self, row: Row | None, order: ArrivalOrder) -> tuple[list[Any], Longs] | None:
        """What was folded in a window by the order in which the first elements of keys came, and their slots."""
        slots = None if row is None else order.slots(row.first[: self.keys.count])
        if row is None or slots is None or not slots.size:
            return None
        fields = [
            self.keys.column(slots) if fold.kind == "key" else values[slots]
            for fold, values in zip(self.plan.folds, row.fields, strict=True)
        ]
        return fields, slots

    def accumulators(self, ends: Sequence[int], order: ArrivalOrder) -> list[tuple[int, dict[Any, Any]]]:
        """What windows of these ends, in their order, hold by key: in the order in which windows came to be."""
        self.panes.rewind()
        windows: list[tuple[int, int, dict[Any, Any]]] = []
        for end in ends:
            row = self.panes.window(end)
            found = self.in_order(row, order)
            if row is not None and found is not None:
                fields, slots = found
                accumulators = dict(zip(self.keys.listed(slots), self.plan.accumulators(fields), strict=True))
                windows.append((int(row.first[slots[0]]), end, accumulators))
        return [(end, accumulators) for _, end, accumulators in sorted(windows, key=lambda window: window[:2])]


class KeptPanes(NamedTuple):
    """What was read, or is to be written.

    Args:
        held: What windows hold.
        elements: What an element is made of.
        lateness: For how long windows are kept.
        fired: The ends of windows that have fired, besides those that the watermark has passed.
    """

    held: Held
    elements: Shape
    lateness: int
    fired: frozenset[int]

    @property
    def windows(self) -> AlignedWindows:
        """How time is cut."""
        return self.held.panes.grid.windows

    def description(self) -> tuple[Any, ...] | None:
        """What the tables are to be read by; None if they cannot be kept."""
        plan, keys, panes = self.held
        elements, shape = _described(self.elements), _described(plan.shape)
        if elements is None or shape is None:
            return None
        kinds = [fold.kind for fold in plan.folds]
        text = isinstance(keys, TextKeyIndex)
        of_time = (*self.windows, self.lateness, sorted(self.fired))
        initial = None if plan.initial is None else list(plan.initial)
        return VERSION, of_time, panes.next_place, text, elements, shape, kinds, initial


class _Blocks(NamedTuple):
    """Which panes and windows are stored in one table: some that follow each other, where there are many."""

    grid: Grid
    panes: int

    def of(self, name: Name) -> int:
        """The number of a table."""
        section, number = name
        return (number if section == PANE else self.grid.first_pane(number)) // self.panes


def _blocks(kept: KeptPanes) -> _Blocks:
    grid = kept.held.panes.grid
    late = min(kept.lateness // grid.pane, _MOST_LATE)
    return _Blocks(grid, max(1, (grid.panes + late) // _TABLES))


def keep(kept: KeptPanes, columns: KeptColumns, groups: SlotGroups) -> bool:
    """Write what has changed; False if it cannot be kept as columns."""
    _, keys, panes = kept.held
    description = kept.description()
    if description is None:
        return False
    blocks = _blocks(kept)
    changed = {(name[0], blocks.of(name)) for name in panes.changed()}
    present: dict[Name, list[Name]] = {}
    for name in sorted(panes.names()):
        present.setdefault((name[0], blocks.of(name)), []).append(name)
    gone = [name for name in columns.names if name not in present]
    if not present:
        if columns.are_stored():
            columns.clear()
    elif changed or gone:
        of_slots, order = groups.of(keys, columns)
        tables = [(name, *_table(kept.held, present[name], of_slots, order)) for name in sorted(changed)]
        columns.write(description, tables, gone)
    return True


def read(columns: KeptColumns) -> KeptPanes:
    """Read all that is stored.

    Raises:
        ValueError: it is of another version.
    """
    version, of_time, next_place, text, elements, described, kinds, initial = columns.description()
    if version != VERSION:
        msg = f"windows of columns have version {version}, and this program reads {VERSION}"
        raise ValueError(msg)
    *windows, lateness, fired = of_time
    shape = _shape(described)
    folds = [
        _fold(kind, of, None if initial is None else initial[number])
        for number, (kind, of) in enumerate(zip(kinds, shape.types, strict=True))
    ]
    index: KeyIndex = TextKeyIndex() if text else IntKeyIndex()
    panes = PaneWindows(AlignedWindows(*windows), folds, next_place)
    tables = []
    for (section, _), table in columns.read():
        slots = index.slots_of(pa.array(table.keys, pa.string()) if text else table.keys)
        numbers, *values = table.columns
        for number in np.unique(numbers).tolist():
            rows = np.flatnonzero(numbers == number)
            tables.append(((section, number), slots[rows], [column[rows] for column in values]))
    if index.count > panes.width:
        panes.widen(index.count + index.count // 4)
    for name, slots, values in tables:
        panes.put_table(name, slots, values)
    held = Held(FoldPlan(shape, folds, _no_elements, initial), index, panes)
    return KeptPanes(held, _shape(elements), lateness, frozenset(fired))


def goes_on_with(plan: FoldPlan, kept: FoldPlan) -> bool:
    """Whether a plan can go on with what another one has folded; fields that were the key in all elements may be."""
    return (
        plan.shape == kept.shape
        and repr(plan.initial and list(plan.initial)) == repr(kept.initial)
        and all(
            before.kind == now.kind or (before.kind == "key" and now.kind in _MAY_BE_KEYS)
            for before, now in zip(kept.folds, plan.folds, strict=True)
        )
    )


class SlotGroups:
    """The key groups of slots, computed once for each key."""

    def __init__(self) -> None:
        self._groups = np.zeros(0, np.int32)
        self._order = np.zeros(0, np.int64)

    def forget(self) -> None:
        """Slots are other keys' now."""
        self._groups = self._groups[:0]

    def of(self, keys: KeyIndex, columns: KeptColumns) -> tuple[Groups, Longs]:
        """The key group of each slot, and the slots by their key groups."""
        known = self._groups.size
        if keys.count > known:
            new = columns.groups_of(keys.column(np.arange(known, keys.count)))
            self._groups = np.concatenate((self._groups, new))
            self._order = np.argsort(self._groups.astype(np.uint16), kind="stable")
        return self._groups, self._order


def _table(held: Held, names: Sequence[Name], of_slots: Groups, order: Longs) -> tuple[Table, Groups]:
    """Panes or windows as one table, by key groups: their numbers, and what is in them; and the rows' key groups."""
    parts = [held.panes.table(name, order) for name in names]
    slots = np.concatenate([slots for slots, _ in parts])
    numbers = np.repeat([number for _, number in names], [slots.size for slots, _ in parts])
    columns = [numbers, *(np.concatenate(column) for column in zip(*(values for _, values in parts), strict=True))]
    groups = of_slots[slots]
    if len(parts) > 1:
        by_group = np.argsort(groups, kind="stable")
        slots, groups, columns = slots[by_group], groups[by_group], [column[by_group] for column in columns]
    return Table(_key_array(held.keys, slots), columns), groups


def _key_array(keys: KeyIndex, slots: Longs) -> Any:
    if isinstance(keys, TextKeyIndex):
        return np.fromiter(keys.listed(slots), object, slots.size)
    return keys.column(slots)


def _fold(kind: str, of: pa.DataType, initial: Any) -> FieldFold:
    fold = field_fold("first" if kind == "key" else kind, of, initial)
    assert fold is not None, "what was folded can be folded"
    return replace(fold, kind=kind)


def _described(shape: Shape) -> tuple[Any, ...] | None:
    """A shape as plain data; None if its fields are of declared types that have no name here."""
    declared = None if shape.declared is None else [_name_of(of) for of in shape.declared]
    if declared is not None and None in declared:
        return None
    for name, kind in _SHAPES.items():
        if type(shape) is kind:
            types = pa.schema([(f"f{number}", of) for number, of in enumerate(shape.types)]).serialize().to_pybytes()
            return name, types, declared, getattr(shape, "field_names", None), getattr(shape, "kind", None)
    return None


def _shape(described: tuple[Any, ...]) -> Shape:
    name, schema, named, names, made = described
    types = tuple(pa.ipc.read_schema(pa.py_buffer(schema)).types)
    declared = None if named is None else tuple([_BASIC[of] for of in named])
    match name:
        case "row":
            return RowShape(types, declared, names)
        case "object":
            return DataclassShape(types, declared, made, names)
        case "tuple":
            return TupleShape(types, declared)
    return ScalarShape(types, declared)


def _name_of(declared: TypeInformation | None) -> str | None:
    return next((name for name, of in _BASIC.items() if of == declared), None)


def _no_elements(_: Columns) -> Sequence[Column]:
    msg = "who reads what was kept has no function for elements"
    raise NotExact(msg)
