"""What is looked for in the site of the docs once it is built."""

import importlib.util
from pathlib import Path

import pytest

from scripts.site import ROOT, faults

SITE_CODE = ROOT / "docs" / "site"


def site_of(folder: Path, **pages: str) -> Path:
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text)
    return folder


def loaded(name: str):
    spec = importlib.util.spec_from_file_location(name, SITE_CODE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_links_that_lead_somewhere_are_no_faults(tmp_path):
    """Files, anchors on this page and others, and addresses elsewhere, which nobody fetches before they are clicked."""
    links = '<a href="b.html">b</a><a href="b.html#there">b</a><a href="#here" id="here">a</a><a href="https://x.org/">x</a>'
    assert faults(site_of(tmp_path, a=links, b='<h2 id="there">There</h2>')) == []


@pytest.mark.parametrize("link", ["c.html", "b.html#gone", "#gone", "../outside.html"])
def test_a_dead_link_is_a_fault(tmp_path, link):
    """A page that is not there, or an anchor that its page does not have."""
    assert faults(site_of(tmp_path, a=f'<a href="{link}">x</a>', b="")) == [f"a.html: {link} leads nowhere"]


@pytest.mark.parametrize(
    "element",
    [
        '<script src="https://cdn.org/x.js"></script>',
        '<link rel="stylesheet" href="//fonts.org/x.css">',
        '<img src="http://cdn.org/x.png">',
    ],
)
def test_what_a_page_fetches_from_elsewhere_is_a_fault(tmp_path, element):
    """Reading the docs tells nobody of it, and works without a network."""
    (found,) = faults(site_of(tmp_path, a=element))
    assert "fetches" in found


def test_a_style_sheet_that_fetches_is_a_fault(tmp_path):
    """Fonts come in by style sheets."""
    (tmp_path / "x.css").write_text("@font-face {src: url(https://fonts.org/x.woff)}")
    assert faults(tmp_path) == ["x.css: fetches something when it is looked at"]


def test_every_page_of_docs_is_in_a_section():
    """One that no section names comes last, so nothing that is written is left out."""
    contents = loaded("navigation").contents
    pages = [path.stem for path in (ROOT / "docs").glob("*.md")]
    found = [page for section in contents(pages).values() for page in section]
    assert sorted(found) == sorted(set(pages) - {"index"})
    assert contents(["kafka", "unheard_of"]) == {"Sources and sinks": ["kafka"], "More": ["unheard_of"]}


def test_every_public_module_is_in_the_reference():
    """The packages that programs import from, and each connector and format."""
    text = "\n".join(path.read_text() for path in (ROOT / "docs" / "api").glob("*.rst"))
    package = ROOT / "src" / "windrow"
    modules = ["common", "datastream", "table", "metrics", "testing", "state_processor", "errors"]
    modules += [f"datastream.{name}" for name in ("functions", "state", "window")]
    for folder in ("connectors", "formats"):
        files = (package / "datastream" / folder).glob("[!_]*.py")
        modules += [f"datastream.{folder}.{path.stem}" for path in files]
    assert [name for name in modules if f".. public-names:: windrow.{name}\n" not in text + "\n"] == []
