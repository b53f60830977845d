"""The documents as a site: built strictly, every link of it leads somewhere, nothing is loaded from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path

import pytest

from docs import site_pages
from tests.documents import remake

ROOT = Path(__file__).resolve().parents[2]
needs_mkdocs = pytest.mark.skipif(find_spec("mkdocs") is None, reason="mkdocs is not installed here")


class Page(HTMLParser):
    """The links of a page, the files that it loads, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.names: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what one element refers to."""
        given = {name: value or "" for name, value in attrs}
        self.names |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag in ("script", "img", "iframe") and "src" in given:
            self.loaded.append(given["src"])
        elif tag == "link" and given.get("rel") in ("stylesheet", "icon", "preconnect"):
            self.loaded.append(given.get("href", ""))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Page]:
    """Return every page of the site."""
    place = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(place)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return {path: Page(path.read_text("utf-8")) for path in place.rglob("*.html")}


@pytest.mark.slow
@needs_mkdocs
def test_every_link_of_the_site_leads_to_a_page_and_a_place_on_it(site: dict[Path, Page]) -> None:
    astray = []
    for path, page in site.items():
        if path.name == "404.html":  # it is served at any address, so its links begin at the top
            continue
        for link in (*page.links, *page.loaded):
            target, _, anchor = link.partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            place = (path.parent / target.split("?")[0]).resolve() if target else path
            place = place / "index.html" if place.is_dir() else place
            if not place.exists() or (anchor and place in site and anchor not in site[place].names):
                astray.append(f"{path.name}: {link}")
    assert astray == []


@pytest.mark.slow
@needs_mkdocs
def test_every_document_has_a_page_and_nothing_is_loaded_from_elsewhere(site: dict[Path, Page]) -> None:
    pages = {path.name for path in site}
    assert {f"{path.stem}.html" for path in (ROOT / "docs").glob("*.md")} <= pages
    assert [link for page in site.values() for link in page.loaded if "://" in link] == []


def test_links_between_documents_become_links_between_pages() -> None:
    text = "See [why](docs/savings.md#x), [rules](CONTRIBUTING.md), [code](bin/agent-progress), [net](https://a.b/c)\n"
    assert site_pages.for_site(text, "README.md") == (
        "See [why](savings.md#x), [rules](contributing.md), code, [net](https://a.b/c)\n"
    )
    assert site_pages.for_site("[home](../README.md)", "docs/hooks.md") == "[home](index.md)"


def test_code_and_links_that_lead_nowhere_are_left_as_they_are() -> None:
    text = "```sh\n[x](docs/savings.md)\n```\n[gone](no-such-file.md)\n"
    assert site_pages.for_site(text, "README.md") == text


def test_the_documents_of_the_top_are_the_ones_that_are_checked() -> None:
    assert all(remake.read(name) for name in site_pages.PAGES)
