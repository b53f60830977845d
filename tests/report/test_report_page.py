"""The page: one file that holds everything, in which text stays text."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from progress_plugin.cli.report import prose, render
from progress_plugin.core.project import find_project
from progress_plugin.usecases.report import report
from tests.report.conftest import HOSTILE, NOW


class _Outline(HTMLParser):
    """Collects tags, attributes that load or run something, and text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.ids: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.text += " " if tag in {"dd", "div", "li", "td"} else ""
        self.attributes |= {name for name, _ in attrs}
        self.ids += [value for name, value in attrs if name == "id" and value]

    def handle_data(self, data: str) -> None:
        self.text += data


def _outline(page: str) -> _Outline:
    outline = _Outline()
    outline.feed(page)
    return outline


def test_the_policy_allows_the_one_style_sheet_and_nothing_else(harbour: dict[str, Any]) -> None:
    page = render(harbour)
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">', page)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy == (f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'")


def test_nothing_in_the_page_can_load_or_run_anything(
    harbour: dict[str, Any], hostile: dict[str, Any]
) -> None:
    for told in (harbour, hostile):
        outline = _outline(render(told))
        assert not outline.tags & {"script", "img", "link", "iframe", "object", "a", "form", "base"}
        assert not {name for name in outline.attributes if name.startswith("on")}
        assert not outline.attributes & {"src", "href", "style", "srcdoc"}
    (style,) = re.findall(r"<style>(.*?)</style>", render(harbour), re.DOTALL)
    assert not re.search(r"url\(|@import", style)


def test_hostile_text_is_shown_as_it_was_written(hostile: dict[str, Any]) -> None:
    outline = _outline(render(hostile))
    for text in (HOSTILE[0], *HOSTILE[2:4]):
        assert text in outline.text
    assert HOSTILE[1].replace("<img", "‹img") in outline.text
    assert "{{ 7 * 7 }}" in outline.text
    assert "&lt;u&gt;" in outline.text


def test_what_a_person_asks_for_stands_in_it(harbour: dict[str, Any]) -> None:
    text = " ".join(_outline(render(harbour)).text.split())
    for words in (
        "11 of 14",
        "US-012 Pay by card at booking since 2026-03-27",
        "Now US-013: Move bookings when a berth is closed (in progress)",
        "11 of 14 stories were finished from 2026-03-02 to 2026-03-30.",
        "US-013 · progress.md:495",
        "Made 2026-04-08 09:00 UTC",
    ):
        assert words in text, words


def test_of_very_much_the_older_part_is_folded_away_and_counted(tmp_path: Path) -> None:
    entries = [
        f"## 2026-03-{n % 28 + 1:02} 10:00 - US-{n}: Story {n}\n\n- Laid stone {n}\n\n"
        f"**Learnings:**\n- The quarry {n} has a gate{n} that locks at noon{n}\n"
        for n in range(1, 101)
    ]
    (tmp_path / "progress.md").write_text("# Log\n\n" + "\n---\n\n".join(entries))
    page = render(report(find_project(str(tmp_path)), now=NOW))
    text = " ".join(_outline(page).text.split())
    assert "60 more patterns" in text or "60 more gotchas" in text
    assert "60 earlier entries" in text
    assert all(text.count(f"Laid stone {n} ") for n in range(1, 101))


def test_columns_that_would_be_empty_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "prd.json").write_text('[{"title": "a", "passes": false}]')
    page = render(report(find_project(str(tmp_path)), now=NOW))
    assert re.findall(r'<th scope="col"[^>]*>(\w+)<', page) == ["Story", "Status"]


def test_code_and_bold_words_are_shown_as_such_and_nothing_else_is() -> None:
    assert prose("use `a < b` and ``x ` y``, **never** <b>c</b> 2026-03-27 or `open") == (
        "use <code>a &lt; b</code> and <code>x ` y</code>, <strong>never</strong> "
        '&lt;b&gt;c&lt;/b&gt; <span class="day">2026-03-27</span> or `open'
    )
