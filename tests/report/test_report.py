"""The report: its data, and the page, which shows all of the data and runs none of its text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from progress_plugin.cli.report import prose, render
from progress_plugin.core.project import find_project
from progress_plugin.usecases.report import report
from tests.report.conftest import HOSTILE, NOW

DATA = Path(__file__).with_name("data")
LOADING = {"script", "img", "link", "iframe", "object", "a", "form", "base"}


class _Outline(HTMLParser):
    """Collects the tags of a page, its attributes and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.text += " " if tag in {"dd", "div", "li", "td"} else ""
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def _text(page: str) -> str:
    return " ".join(_Outline(page).text.split())


def _report(root: Path, plan: object = None, log: str = "") -> dict[str, Any]:
    if plan is not None:
        (root / "prd.json").write_text(json.dumps(plan))
    if log:
        (root / "progress.md").write_text(log)
    return report(find_project(str(root)), now=NOW)


def test_stories_are_finished_when_plan_or_entries_say(tmp_path: Path) -> None:
    log = "# Log\n\n## 2026-03-01 - D: d\n\n- Began\n\n## 2026-03-04 - F: f\n\n- Done\n"
    data = _report(tmp_path, json.loads((DATA / "finished.json").read_text("utf-8")), log)
    points = [(*point.values(),) for point in data["burn_up"]["points"]]
    assert points == [("2026-03-01", 0, 2, 5), ("2026-03-02", 1, 3, 5), ("2026-03-04", 3, 4, 5)]
    assert (data["burn_up"]["undated"], data["counts"]["skipped"]) == (2, 1)
    (tmp_path / "prd.json").unlink()
    data = _report(tmp_path)
    assert (data["total"], data["burn_up"]["points"], data["summary"]) == (None, [], "2 entries logged")


def test_blockers_entries_and_learnings_have_their_places(harbour: dict[str, Any]) -> None:
    (blocker,) = harbour["blockers"]
    assert (blocker["id"], blocker["since"], blocker["place"]) == ("US-012", "2026-03-27", "progress.md:441")
    assert blocker["why"].startswith("The payment provider has not opened")
    first = harbour["entries"][0]
    assert (first["story"], first["when"], first["place"]) == ("US-013", "2026-03-30", "progress.md:476")
    assert len(harbour["entries"]) == 13
    kinds = [topic["kind"] for topic in harbour["topics"]]
    assert kinds == sorted(kinds, key=["pattern", "gotcha", "dependency"].index)
    statements = [statement for topic in harbour["topics"] for statement in topic["statements"]]
    assert len(statements) == harbour["learnings"] > 30
    assert all(place.partition(":")[2] for each in statements for place in each["places"])


def test_each_of_many_learnings_is_shown_once_and_the_older_part_is_folded(tmp_path: Path) -> None:
    learnings = [f"The gate of quarry{n} locks at noon, fetch stone{n} before" for n in range(150)]
    log = "".join(
        f"## 2026-03-{n % 28 + 1:02} - US-{n}: A\n\n- Laid stone {n}\n\n**Learnings:**\n- {text}\n\n"
        for n, text in enumerate(learnings)
    )
    data = _report(tmp_path, log=f"# Log\n\n{log}")
    topics = data["topics"]
    assert sorted(each["text"] for topic in topics for each in topic["statements"]) == sorted(learnings)
    assert [topic["label"] for topic in topics].count("") <= 1
    text = _text(render(data))
    assert "110 more patterns" in text or "110 more gotchas" in text
    assert "110 earlier entries" in text
    assert all(text.count(f"Laid stone {n} ") for n in range(1, 150))


def test_what_a_person_asks_for_is_on_the_page(harbour: dict[str, Any]) -> None:
    text = _text(render(harbour))
    for words in (
        "11 of 14",
        "US-012 Pay by card at booking since 2026-03-27",
        "Now US-013: Move bookings when a berth is closed (in progress)",
        "11 of 14 stories were finished from 2026-03-02 to 2026-03-30.",
        "US-013 · progress.md:495",
        "Made 2026-04-08 09:00 UTC",
    ):
        assert words in text, words


def test_the_policy_allows_the_one_style_sheet_and_nothing_else(harbour: dict[str, Any]) -> None:
    page = render(harbour)
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">', page)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert not re.search(r"url\(|@import", style)


def test_hostile_text_is_shown_as_it_was_written_and_loads_nothing(
    hostile: dict[str, Any],
) -> None:
    outline = _Outline(render(hostile))
    assert not outline.tags & LOADING
    assert not outline.attributes & {"src", "href", "style", "srcdoc"}
    assert not {name for name in outline.attributes if name.startswith("on")}
    for text in (HOSTILE[0], HOSTILE[1].replace("<img", "‹img"), *HOSTILE[2:4], "{{ 7 * 7 }}", "&lt;u&gt;"):
        assert text in outline.text


def test_code_and_bold_words_are_shown_as_such_and_nothing_else_is() -> None:
    assert prose("use `a < b` and ``x ` y``, **never** <b>c</b> or `open") == (
        "use <code>a &lt; b</code> and <code>x ` y</code>, <strong>never</strong> &lt;b&gt;c&lt;/b&gt; or `open"
    )
