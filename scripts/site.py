"""Builds the docs as a site into out/site and looks at what has come out: ``make docs``.

What Sphinx warns of is an error. Then every link and anchor of the site's pages must lead somewhere, and no page may
fetch anything from elsewhere when somebody looks at it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).parents[1]
SITE = ROOT / "out" / "site"

#: What a browser fetches by itself, by element and attribute.
FETCHED = {
    ("audio", "src"), ("embed", "src"), ("iframe", "src"), ("img", "src"), ("input", "src"), ("object", "data"),
    ("script", "src"), ("source", "src"), ("video", "src"),
}  # fmt: skip
#: The kinds of ``<link>`` that a browser fetches; others say where something is.
FETCHED_LINKS = {"icon", "mask-icon", "manifest", "preload", "preconnect", "prefetch", "stylesheet"}


class Page(HTMLParser):
    """What a page refers to, what it fetches, and the anchors that it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.anchors.update(values[name] for name in ("id", "name") if name in values)
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if tag == "link" and FETCHED_LINKS & set(values.get("rel", "").split()):
            self.fetched.append(values["href"])
        self.fetched += [value for name, value in values.items() if (tag, name) in FETCHED]


def faults(site: Path) -> list[str]:
    """What is wrong with the pages of a site, a line for each."""
    pages = {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        where = path.relative_to(site.resolve())
        found += [f"{where}: fetches {url} when it is looked at" for url in page.fetched if is_elsewhere(url)]
        for url in dict.fromkeys([*page.links, *page.fetched]):
            if not is_elsewhere(url) and not leads_somewhere(path, url, pages):
                found.append(f"{where}: {url} leads nowhere")
    for path in sorted(site.rglob("*.css")):
        text = path.read_text(encoding="utf-8")
        if "url(http" in text or "url(//" in text or "@import" in text:
            found.append(f"{path.relative_to(site)}: fetches something when it is looked at")
    return found


def is_elsewhere(url: str) -> bool:
    """Whether a URL names its host or is of another kind: ``https:``, ``mailto:``, ``data:`` with nothing to fetch."""
    parts = urlsplit(url)
    return bool(parts.netloc) or parts.scheme not in {"", "file", "data"}


def leads_somewhere(path: Path, url: str, pages: dict[Path, Page]) -> bool:
    """Whether a relative URL on the page at the path names a file that is there, and an anchor of it."""
    parts = urlsplit(url)
    if parts.scheme == "data":
        return True
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return False
    return not parts.fragment or target not in pages or unquote(parts.fragment) in pages[target].anchors


def build(site: Path) -> int:
    """Run Sphinx, on all pages: an anchor that one has lost is missed on others; its exit code."""
    shutil.rmtree(site, ignore_errors=True)
    docs = ROOT / "docs"
    command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--quiet", "--fresh-env", "--builder", "html"]
    command += ["--conf-dir", str(docs / "site"), "--doctree-dir", str(site.with_name("site-doctrees"))]
    return subprocess.run([*command, str(docs), str(site)], cwd=ROOT, check=False).returncode


def main() -> int:
    """Build and look; the exit code."""
    if build(SITE) != 0:
        return 1
    found = faults(SITE)
    print(*found, sep="\n", end="\n" if found else "")
    if not found:
        print(f"written: {SITE.relative_to(ROOT)}/index.html, {len(list(SITE.rglob('*.html')))} pages")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
