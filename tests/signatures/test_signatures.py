"""Calls of PyFlink's, with arguments by position and by name, are calls of Windrow's: their parameters are alike."""

import importlib
import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DATA = json.loads((Path(__file__).parent / "pyflink.json").read_text())

_BY_POSITION = "a type calls it, by position"
_INTERNAL = "streams and tables make these objects; PyFlink's constructor is its own affair"
_NEEDED = "PyFlink lets it be left out, and fails in Java then"
_MADE_ELSEWHERE = "PyFlink's takes a Java object, under another name; here a program derives from the class"

#: Signatures that are not PyFlink's, and are meant.
MEANT = {
    ("windrow.common.typeinfo", "DateTypeInfo.from_internal_type"): _BY_POSITION,
    ("windrow.common.typeinfo", "DateTypeInfo.to_internal_type"): _BY_POSITION,
    ("windrow.common.typeinfo", "TimeTypeInfo.from_internal_type"): _BY_POSITION,
    ("windrow.common.typeinfo", "TimeTypeInfo.to_internal_type"): _BY_POSITION,
    ("windrow.common.typeinfo", "TimestampTypeInfo.from_internal_type"): _BY_POSITION,
    ("windrow.common.typeinfo", "TimestampTypeInfo.to_internal_type"): _BY_POSITION,
    ("windrow.datastream.connectors.base", "Sink.__init__"): _MADE_ELSEWHERE,
    ("windrow.datastream.connectors.base", "Source.__init__"): _MADE_ELSEWHERE,
    ("windrow.datastream.functions", "SinkFunction.__init__"): _MADE_ELSEWHERE,
    ("windrow.datastream.data_stream", "AllWindowedStream.__init__"): _INTERNAL,
    ("windrow.datastream.data_stream", "BroadcastConnectedStream.__init__"): _INTERNAL,
    ("windrow.datastream.data_stream", "WindowedStream.__init__"): _INTERNAL,
    ("windrow.table.expression", "Expression.like"): _NEEDED,
    ("windrow.table.expression", "Expression.position"): _NEEDED,
    ("windrow.table.expression", "Expression.similar"): _NEEDED,
    ("windrow.table.statement_set", "StatementSet.__init__"): _INTERNAL,
    ("windrow.table.table", "AggregatedTable.__init__"): _INTERNAL,
    ("windrow.table.table", "FlatAggregateTable.__init__"): _INTERNAL,
    ("windrow.table.table", "GroupWindowedTable.__init__"): _INTERNAL,
    ("windrow.table.table", "GroupedTable.__init__"): _INTERNAL,
    ("windrow.table.table", "OverWindowedTable.__init__"): _INTERNAL,
    ("windrow.table.table", "WindowGroupedTable.__init__"): _INTERNAL,
    ("windrow.table.udf", "FunctionContext.__init__"): _INTERNAL,
    ("windrow.table.udf", "UserDefinedAggregateFunctionWrapper.__init__"): _INTERNAL,
    ("windrow.table.udf", "UserDefinedFunctionWrapper.__init__"): _INTERNAL,
    ("windrow.table.udf", "UserDefinedScalarFunctionWrapper.__init__"): _INTERNAL,
    ("windrow.table.udf", "UserDefinedTableFunctionWrapper.__init__"): _INTERNAL,
    ("windrow.table.window", "GroupWindow.__init__"): _INTERNAL,
    ("windrow.table.window", "OverWindow.__init__"): _INTERNAL,
    ("windrow.table.window", "SlideWithSize.__init__"): _INTERNAL,
}


def test_the_list_is_of_a_release() -> None:
    """Names come from PyFlink's sources, by scripts/pyflink_signatures.py."""
    assert DATA["source"] == "apache-flink 2.3.0"
    assert len(DATA["modules"]) > 80


def test_parameters_are_pyflinks() -> None:
    """Same names in the same order; further ones, and those that PyFlink demands, may be left out."""
    different = {place: said for place, said in compared().items() if said is not None and place not in MEANT}
    assert different == {}


def test_what_differs_and_is_meant_does_differ() -> None:
    """An explanation is not kept for what is like PyFlink's."""
    found = compared()
    assert [place for place in MEANT if found.get(place) is None] == []


def test_most_of_it_is_compared() -> None:
    """The test looks at the functions that both have; a module that is not found would go unseen."""
    assert len(compared()) > 1300


def compared() -> dict[tuple[str, str], str | None]:
    """Every function of PyFlink's that Windrow has, and how its parameters differ; None: they do not."""
    found = {}
    for module, signatures in DATA["modules"].items():
        here = module.replace("pyflink", "windrow", 1)
        for name, wanted in signatures.items():
            # What takes a Java object is no call of a program's: PyFlink makes it itself.
            if not any(parameter.startswith("j_") for parameter in wanted):
                for got in parameters(here, name):
                    found[here, name] = difference(wanted, got)
    return found


def parameters(module: str, name: str) -> Iterator[list[str]]:
    """The parameters as the list spells them, without ``self`` and ``cls``; nothing if Windrow has no such function."""
    try:
        owner: Any = importlib.import_module(module)
        *owners, last = name.split(".")
        for each in owners:
            owner = getattr(owner, each)
        function = getattr(owner, last)
    except (ImportError, AttributeError):
        return
    if last == "__init__" and function is object.__init__:
        function = owner  # a named tuple or the like, which has its parameters in __new__
    if not callable(function) or (isinstance(function, type) and last != "__init__"):
        return
    shown = list(inspect.signature(function).parameters.values())
    bound = isinstance(function, type) or inspect.ismethod(function)
    static = owners and isinstance(inspect.getattr_static(owner, last), staticmethod)
    yield [spelt(each) for each in (shown if bound or static or not owners else shown[1:])]


def spelt(parameter: inspect.Parameter) -> str:
    """``name``, ``name=``, ``*name`` or ``**name``."""
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    return f"{stars}{parameter.name}{'' if parameter.default is inspect.Parameter.empty else '='}"


def difference(wanted: list[str], got: list[str]) -> str | None:
    """What a program written for the first would stumble over in the second; None for nothing."""
    if [each[:1] for each in got] == ["*", "*"]:
        return None  # takes all there is: the method is there to be refused with a reason
    names = [each for each in got if not each.startswith("*") or each in wanted]
    alike = len(names) >= len(wanted) and all(
        have in (want, f"{want}=") for want, have in zip(wanted, names, strict=False)
    )
    left = names[len(wanted) :]
    if alike and all(each.endswith("=") for each in left):
        return None
    return f"PyFlink has ({', '.join(wanted)}), here is ({', '.join(got)})"


def test_differences_are_found() -> None:
    """Another name, another order, one that is missing or demanded: each is a difference."""
    assert difference(["a", "b="], ["a", "b=", "c="]) is None
    assert difference(["a"], ["a="]) is None
    assert difference(["*args"], ["*args", "x="]) is None
    for wanted, got in ((["a"], ["b"]), (["a", "b"], ["b", "a"]), (["a="], ["a"]), (["a"], ["a", "b"]), (["a"], [])):
        assert difference(wanted, got) is not None
