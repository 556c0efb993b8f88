"""Writes tests/signatures/pyflink.json: the parameters of PyFlink's public functions and methods, from its sources.

Takes the folder of the package ``pyflink`` (in the PyPI package apache-flink, or in Flink's sources). A parameter that
may be left out has ``=`` behind its name; ``*`` stands where others have to be named. Only names are taken.
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import click

OUT = Path(__file__).resolve().parents[1] / "tests" / "signatures" / "pyflink.json"
PARTS = ("common", "datastream", "metrics", "table")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def parameters(node: _Function) -> list[str]:
    """The parameters' names in order, without ``self`` and ``cls``."""
    given = node.args
    positional = [each.arg for each in (*given.posonlyargs, *given.args)]
    first_default = len(positional) - len(given.defaults)
    names = [f"{name}=" if i >= first_default else name for i, name in enumerate(positional)]
    if given.vararg is not None:
        names.append(f"*{given.vararg.arg}")
    elif given.kwonlyargs:
        names.append("*")
    pairs = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    names += [f"{each.arg}=" if default is not None else each.arg for each, default in pairs]
    if given.kwarg is not None:
        names.append(f"**{given.kwarg.arg}")
    static = any(isinstance(each, ast.Name) and each.id == "staticmethod" for each in node.decorator_list)
    has_owner = not static and names[:1] in (["self"], ["cls"])
    return names[1:] if has_owner else names


def signatures(body: list[ast.stmt], prefix: str = "") -> dict[str, list[str]]:
    """The functions in some code, by name; a class's methods as ``Class.method``."""
    found = {}
    for node in body:
        if isinstance(node, _Function) and (node.name == "__init__" or not node.name.startswith("_")):
            found[prefix + node.name] = parameters(node)
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            found |= signatures(node.body, f"{prefix}{node.name}.")
    return found


@click.command(help=__doc__)
@click.argument("package", type=click.Path(exists=True, file_okay=False, path_type=Path))
def main(package: Path) -> None:
    version = re.search(r'__version__ = "(.+)"', (package / "version.py").read_text())
    assert version is not None
    modules = {}
    for part in PARTS:
        for path in sorted((package / part).rglob("*.py")):
            name = ".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__")
            if "tests" not in path.parts:
                modules[name] = dict(sorted(signatures(ast.parse(path.read_text()).body).items()))
    others = {".".join(path.relative_to(package.parent).with_suffix("").parts) for path in package.rglob("*.py")}
    others = {name.removesuffix(".__init__") for name in others if ".tests." not in name} - set(modules) - {"pyflink"}
    data = {"source": f"apache-flink {version[1]}", "modules": modules, "other_modules": sorted(others)}
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps(data, indent=1) + "\n")
    print(f"{sum(map(len, modules.values()))} signatures of {data['source']} in {OUT}")


if __name__ == "__main__":
    main()
