"""The tests in a file of PyFlink's, and the names that each of them uses: read from the text, nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_Function = ast.FunctionDef | ast.AsyncFunctionDef
#: Gives PyFlink's tests the settings of an environment; there is a stand-in for it, so its argument asks for no Java.
_SETTINGS = "get_j_env_configuration"


@dataclass(frozen=True)
class Case:
    """A test of PyFlink's.

    Attributes:
        file: relative to PyFlink's package, as ``common/tests/test_typeinfo.py``.
        owner: the test class, which may have the test from another one.
        name: the method.
        names: every name and attribute in the test, its class's ``setUp``, and what it calls in the tests' files.
        imports: what the names of the file are in PyFlink, as ``pyflink.common.Row``.
        bases: the names of the class and of all classes behind it.
        skipped: whether PyFlink itself passes it over.
    """

    file: str
    owner: str
    name: str
    names: frozenset[str]
    imports: frozenset[str]
    bases: frozenset[str]
    skipped: bool

    def __str__(self) -> str:
        return f"{self.file}::{self.owner}.{self.name}"


class TestFile:
    """One of PyFlink's test files.

    Args:
        package: The folder of the package ``pyflink``.
        path: The file, somewhere below it.
    """

    __test__ = False

    def __init__(self, package: Path, path: Path) -> None:
        self._package = package
        self._name = path.relative_to(package).as_posix()
        self.tree = ast.parse(path.read_text())
        self._top = {node.name: node for node in self.tree.body if isinstance(node, _Function | ast.ClassDef)}
        self.imported = dict(_imports(self.tree))

    def cases(self) -> list[Case]:
        """The tests, those that a class has from a class before it as well."""
        found = []
        for node in list(self._top.values()):
            if isinstance(node, ast.ClassDef) and any(base.endswith("TestCase") for base in self._bases(node)):
                found += [self._case(node, name) for name in self._tests(node)]
        return found

    def _case(self, owner: ast.ClassDef, name: str) -> Case:
        used, bases = self._used(owner, name), self._bases(owner)
        method = self._method(owner, name)
        skipped = _is_skipped(owner) or (method is not None and _is_skipped(method))
        imports = frozenset(target for local, target in self.imported.items() if local in used)
        return Case(self._name, owner.name, name, used, imports, frozenset(bases), skipped)

    def _bases(self, node: ast.ClassDef) -> list[str]:
        names = [node.name]
        for base in node.bases:
            name = base.id if isinstance(base, ast.Name) else ast.unparse(base)
            inner = self._top.get(name)
            names += self._bases(inner) if isinstance(inner, ast.ClassDef) else [name]
        return names

    def _lines(self, node: ast.ClassDef) -> Iterator[ast.ClassDef]:
        """The class and those before it that are in this file, nearest first."""
        for name in self._bases(node):
            found = self._top.get(name)
            if isinstance(found, ast.ClassDef):
                yield found

    def _tests(self, owner: ast.ClassDef) -> list[str]:
        names = [node.name for cls in self._lines(owner) for node in cls.body if isinstance(node, _Function)]
        tests = [name for name in names if name.startswith("test")]
        if "PythonAPICompletenessTestCase" in self._bases(owner):
            tests.append("test_completeness")
        return list(dict.fromkeys(tests))

    def _method(self, owner: ast.ClassDef, name: str) -> _Function | None:
        methods = (node for cls in self._lines(owner) for node in cls.body if isinstance(node, _Function))
        return next((node for node in methods if node.name == name), None)

    def _used(self, owner: ast.ClassDef, name: str) -> frozenset[str]:
        """All names in the test and, again and again, in what those names are in the tests' files."""
        used: set[str] = set()
        left = [node for node in (self._method(owner, each) for each in (name, "setUp", "setUpClass")) if node]
        seen: set[int] = set()
        while left:
            node = left.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            fresh = names_in(node)
            used |= fresh
            for each in fresh:
                behind = self._method(owner, each) or self._top.get(each) or self._helper(each)
                if behind is not None and not _has_tests(behind):
                    left.append(behind)
        return frozenset(used)

    def _helper(self, name: str) -> ast.AST | None:
        """A function that the file has from another test file; its names count as the file's own."""
        module, _, there = self.imported.get(name, "").rpartition(".")
        if ".tests." not in module:
            return None
        path = self._package.parent / f"{module.replace('.', '/')}.py"
        if path.name == "test_util.py" or not path.exists():
            return None
        other = _parsed(self._package, path)
        for each, target in other.imported.items():
            self.imported.setdefault(each, target)
        for each, node in other._top.items():
            self._top.setdefault(each, node)
        return other._top.get(there)


@cache
def _parsed(package: Path, path: Path) -> TestFile:
    return TestFile(package, path)


def _imports(tree: ast.AST) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)


def names_in(node: ast.AST) -> set[str]:
    """The names and attributes in a piece of code, without what only asks for an environment's settings."""
    found: set[str] = set()
    left = [node]
    while left:
        each = left.pop()
        match each:
            case ast.Call(func=ast.Name(id=name)) if name == _SETTINGS:
                found.add(name)
                continue
            case ast.Name(id=name) | ast.Attribute(attr=name):
                found.add(name)
            case ast.alias(name=name):
                found.add(name)
            case ast.Constant(value=str(text)) if text.startswith("_"):
                found.add(text)  # PyFlink's own operators have such names in execution plans
        left += ast.iter_child_nodes(each)
    return found


def _has_tests(node: ast.AST) -> bool:
    """Whether it is a class of tests: ``super(ThatClass, self)`` names it, and uses no test of it."""
    body = node.body if isinstance(node, ast.ClassDef) else []
    return any(isinstance(each, _Function) and each.name.startswith("test") for each in body)


def _is_skipped(node: ast.ClassDef | _Function) -> bool:
    return any(ast.unparse(each).startswith("unittest.skip(") for each in node.decorator_list)


def test_files(path: Path) -> list[Path]:
    """The test files at a path: the file itself, or those in the folder, without the Table API's."""
    if path.is_file():
        return [path]
    found = sorted(path.rglob("test_*.py"))
    return [each for each in found if "tests" in each.parts and "table" not in each.relative_to(path).parts]


test_files.__test__ = False  # type: ignore[attr-defined]


def package_of(path: Path) -> Path:
    """The folder of the package ``pyflink`` that a path is in, or has below it.

    Raises:
        ValueError: there is none.
    """
    path = path.resolve()
    for folder in (path, *path.parents):
        if folder.name == "pyflink":
            return folder
    for below in ("pyflink", "flink-python/pyflink"):
        if (path / below).is_dir():
            return path / below
    msg = f"{path} is neither in PyFlink's package nor above it: name flink-python/pyflink of Flink's sources"
    raise ValueError(msg)
