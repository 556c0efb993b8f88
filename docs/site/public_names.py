"""The directive ``public-names``: what a public module gives, with the docstrings of it."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping
from typing import Any, ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

#: Programs may import a name from several modules. It is described with the first of these; the others refer to it.
MODULES = (
    "windrow.common",
    "windrow.common.watermark_strategy",
    "windrow.datastream.window",
    "windrow.datastream.functions",
    "windrow.datastream.state",
    "windrow.datastream.connectors.base",
    "windrow.datastream",
    "windrow.table",
    "windrow.metrics",
    "windrow.testing",
    "windrow.state_processor",
)


def public_names(module: str) -> dict[str, Any]:
    """The names that a module gives to programs: those of its ``__all__``, or else what is defined in it."""
    loaded = importlib.import_module(module)
    listed = getattr(loaded, "__all__", None)
    if listed is not None:
        return {name: getattr(loaded, name) for name in sorted(listed)}
    return {
        name: value
        for name, value in sorted(vars(loaded).items())
        if not name.startswith("_") and getattr(value, "__module__", None) == module
    }


def homes() -> Mapping[int, str]:
    """By an object's id the module that it is described with."""
    found: dict[int, str] = {}
    for module in MODULES:
        for value in public_names(module).values():
            found.setdefault(id(value), module)
    return found


def described(module: str) -> str:
    """What a module gives, as reStructuredText."""
    home = homes()
    lines, elsewhere, here = [], [], []
    for name, value in public_names(module).items():
        where = home.get(id(value), module)
        if where != module:
            elsewhere.append(f":py:obj:`~{where}.{name}`")
            continue
        here.append(f":py:obj:`{name} <{module}.{name}>`")
        if inspect.isclass(value):
            lines += [f".. autoclass:: {module}.{name}", "   :members:", "   :show-inheritance:", ""]
        elif callable(value):
            lines += [f".. autofunction:: {module}.{name}", ""]
        else:
            lines += [f".. autodata:: {module}.{name}", ""]
    if elsewhere:
        lines += [f"``{module}`` gives these, too: {', '.join(elsewhere)}.", ""]
    return "\n".join([f".. py:module:: {module}", "", ", ".join(here), "", *lines])


class PublicNames(SphinxDirective):
    """Describe what the module that is its argument gives."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {}

    def run(self) -> list[nodes.Node]:
        return self.parse_text_to_nodes(described(self.arguments[0]))


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the directive known."""
    app.add_directive("public-names", PublicNames)
    return {"parallel_read_safe": True}
