"""A test file of PyFlink's with its imports changed: to Windrow, and to stand-ins for PyFlink's test machinery."""

from __future__ import annotations

import ast
from importlib import import_module
from importlib.util import find_spec

_STAND_INS = "scripts.pyflink_suite.stand_ins"
#: Modules that are no part of the API, and what takes their place.
MACHINERY = {
    "pyflink.datastream.tests.test_util": f"{_STAND_INS}.sink",
    "pyflink.find_flink_home": f"{_STAND_INS}.java",
    "pyflink.java_gateway": f"{_STAND_INS}.java",
    "pyflink.pyflink_gateway_server": f"{_STAND_INS}.java",
    "pyflink.testing.test_case_utils": f"{_STAND_INS}.test_case",
    "pyflink.util.java_utils": f"{_STAND_INS}.java",
}


class _Imports(ast.NodeTransformer):
    def visit_ImportFrom(self, node: ast.ImportFrom) -> list[ast.stmt]:
        if node.module is None:
            return [node]
        made: list[ast.stmt] = []
        if not node.module.startswith("pyflink"):
            # Within functions tests import modules that they make themselves.
            if node.col_offset or _is_installed(node.module):
                return [node]
            for alias in node.names:
                made += _missing(f"{node.module}.{alias.name}", alias.asname or alias.name)
            return made
        for alias in node.names:
            module = _place(node.module, alias.name)
            name = alias.asname or alias.name
            if module is None:
                made += _missing(f"{node.module}.{alias.name}", name)
            else:
                made.append(ast.ImportFrom(module, [alias], 0))
        return made

    def visit_Import(self, node: ast.Import) -> ast.Import:
        for alias in node.names:
            if alias.name.startswith("pyflink."):
                alias.name = alias.name.replace("pyflink", "windrow", 1)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            # A configuration that shows an environment's: the stand-in has both ways to set and get.
            case ast.Call(func=ast.Name(id="Configuration"), keywords=[ast.keyword("j_configuration", shown)]):
                return shown
            # The stand-in takes the environment: no Java object is behind one.
            case ast.Call(
                func=ast.Name(id="get_j_env_configuration"),
                args=[ast.Attribute(value=env, attr="_j_stream_execution_environment")],
            ):
                node.args = [env]
        return node


def _missing(what: str, name: str) -> list[ast.stmt]:
    return ast.parse(f"from {_STAND_INS}.missing import missing; {name} = missing({what!r})").body


def _is_installed(module: str) -> bool:
    return find_spec(module.partition(".")[0]) is not None


def _place(module: str, name: str) -> str | None:
    """The module that has the name, in place of PyFlink's; None if there is none."""
    if module in MACHINERY:
        return MACHINERY[module]
    if ".tests." in module:
        return module  # a test file, which lies beside this one, changed as well
    here = module.replace("pyflink", "windrow", 1)
    try:
        found = import_module(here)
    except ImportError:
        return None
    try:
        return here if hasattr(found, name) else None
    except ImportError:
        return None


def rewritten(program: str) -> str:
    """The text of a test file with its imports changed, and nothing else.

    A name that Windrow does not have becomes one that raises when it is used, so that it fails the tests that use it
    and no others.

    >>> rewritten("from pyflink.common import Types\\nfrom pyflink.java_gateway import get_gateway")
    'from windrow.common import Types\\nfrom scripts.pyflink_suite.stand_ins.java import get_gateway'
    """
    return ast.unparse(ast.fix_missing_locations(_Imports().visit(ast.parse(program))))
