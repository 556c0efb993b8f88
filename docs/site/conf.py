"""How Sphinx makes the site of the pages in docs/: ``make docs``. Nothing is fetched to build it, or to look at it."""

import inspect
import re
import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from navigation import contents  # noqa: E402

from windrow import __version__  # noqa: E402

project = "Windrow"
version = release = __version__
copyright = "the authors of Windrow"  # noqa: A001
language = "en"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "public_names"]
exclude_patterns = ["site"]
html_theme = "furo"
html_title = "Windrow"
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False

# Anchors as GitHub makes them: a link is right in both places, or in none.
myst_heading_anchors = 4
napoleon_use_ivar = True
autodoc_typehints_format = "short"
# Every page's navigation is a copy of all headings: with each method among them the site takes twice as long.
toc_object_entries = False
autodoc_member_order = "bysource"
# Annotations give a name as the module has it: SQL has a class of this name, too.
autodoc_type_aliases = {"AggregateFunction": "windrow.datastream.functions.AggregateFunction"}
python_use_unqualified_type_names = True
# Blocks marked "py" are lists of lambdas, and "text" is what programs print: neither has to be a program.
highlight_language = "none"


#: A link to a Markdown file that is not one of the pages, such as the README of a folder of tests.
OUTSIDE = re.compile(r"\[([^\[\]]+)\]\((\.\./[^)#\s]+\.md)(?:#[^)]*)?\)")


def with_outside_files(app: Sphinx, page: str, source: list[str]) -> None:
    """Let the site carry the Markdown files that pages link to outside of docs/, as it does with programs by itself."""
    source[0] = OUTSIDE.sub(lambda link: f"{{download}}`{' '.join(link[1].split())} <{link[2]}>`", source[0])


def without_aliases(app: Sphinx, what: str, name: str, value: Any, skip: bool, options: Any) -> bool | None:
    """A class that is an attribute of another one, as in PyFlink, is described where it is defined."""
    return True if what == "class" and inspect.isclass(value) and "." not in value.__qualname__ else None


def with_contents(app: Sphinx, page: str, source: list[str]) -> None:
    """Put the tables of contents below the front page, made by rule from the pages that are there."""
    if page != "index":
        return
    pages = sorted(path.stem for path in Path(app.srcdir).glob("*.md"))
    for section, names in contents(pages).items():
        source[0] += "\n".join(["\n\n```{toctree}", ":hidden:", f":caption: {section}", "", *names, "```", ""])
    source[0] += "\n\n```{toctree}\n:hidden:\n:caption: Reference\n:glob:\n\napi/*\n```\n"


def setup(app: Sphinx) -> None:
    """Take part in the build."""
    app.connect("autodoc-skip-member", without_aliases)
    app.connect("source-read", with_outside_files)
    app.connect("source-read", with_contents)
