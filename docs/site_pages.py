"""A hook of mkdocs: pages made from the documents at the top of the repository, and links between them all.

In the repository links lead to files, on the site to pages; what has no page is named without a link.
"""

from __future__ import annotations

import importlib
import posixpath
import re
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[1]
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
}
"""Documents at the top of the repository, and their pages."""
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
_FENCE = re.compile(r"(^```.*?^```)", re.MULTILINE | re.DOTALL)


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that stand outside of `docs`."""
    file = importlib.import_module("mkdocs.structure.files").File  # there only where a site is made
    for source, page in PAGES.items():
        text = for_site((REPOSITORY / source).read_text("utf-8"), source)
        files.append(file.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Return a page of `docs` with its links as the site has them."""
    is_made = page.file.src_uri in PAGES.values()
    return markdown if is_made else for_site(markdown, f"docs/{page.file.src_uri}")


def for_site(markdown: str, source: str) -> str:
    """Return a document of the repository with links to pages; code is left alone."""
    parts = _FENCE.split(markdown)
    return "".join(
        part if part.startswith("```") else _LINK.sub(lambda found: _link(found, source), part)
        for part in parts
    )


def _link(found: re.Match[str], source: str) -> str:
    mark, text, target = found.groups()
    if "://" in target or target.startswith(("#", "mailto:")):
        return found[0]
    path, _, anchor = target.partition("#")
    place = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
    if not (REPOSITORY / place).exists():
        return found[0]  # the strict build names it
    page = PAGES.get(place) or (place.removeprefix("docs/") if place.startswith("docs/") else None)
    if page is None or (REPOSITORY / place).is_dir():
        return text
    folder = "" if source in PAGES else posixpath.dirname(source.removeprefix("docs/"))
    relative = posixpath.relpath(page, folder or ".")
    return f"{mark}[{text}]({relative}{f'#{anchor}' if anchor else ''})"
