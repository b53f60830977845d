"""The page in a real browser: it renders, fetches nothing, runs nothing, and everybody can read it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.project import find_project
from progress_plugin.report.page import render
from progress_plugin.usecases.report import Report, report
from progress_plugin.usecases.sessions.report_sessions import ReportSession
from tests.report.chromium import Chromium
from tests.report.conftest import NOW

pytestmark = pytest.mark.browser

_SHOWN = "[...document.querySelectorAll('.chart')].filter(e => e.getBoundingClientRect().width).map(e => e.classList[1])"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """Return where to write a page."""
    return tmp_path / "report.html"


@pytest.fixture
def with_sessions(harbour: Report) -> Report:
    """Return a report with two sessions, one of which left a failing check."""
    first = ReportSession(
        id="session-1",
        client="claude",
        branch="feature/berths",
        started="2026-04-06 09:00",
        ended="2026-04-06 09:41",
        requests=("Add a waiting list.", f"And name it {'x' * 300}"),
        left_out=2,
        files=("berths/waiting.py (3 times)", "y" * 300),
        checks=("pytest tests/test_waiting.py failed: E assert 3 == 4", "ruff check . passed"),
        failing=1,
        commits=("934cc2c1e feat: a waiting list",),
        open_tasks=("Document the list",),
        in_log=False,
    )
    entries = tuple(replace(each, evidence="claimed, no check seen") for each in harbour.entries)
    sessions = (
        first,
        replace(first, id="session-2", failing=0, requests=("Mend it.",), left_out=0, in_log=True),
    )
    return replace(harbour, sessions=sessions, entries=entries)


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault(
    with_sessions: Report, page: Path, browser: Chromium, axe: str, width: int, scheme: str
) -> None:
    page.write_text(render(with_sessions), "utf-8")
    browser.look(width, scheme=scheme)
    browser.open(page)
    browser.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    browser.evaluate(f"{axe}; 0")
    found: dict[str, Any] = json.loads(browser.evaluate("axe.run().then(found => JSON.stringify(found))"))
    faults = {each["id"]: [node["html"] for node in each["nodes"]] for each in found["violations"]}
    assert faults == {}
    assert "color-contrast" in {each["id"] for each in found["passes"]}


def test_axe_does_find_faults(page: Path, browser: Chromium, axe: str) -> None:
    page.write_text("<!DOCTYPE html><html><p style='color:#ccc;background:#fff'>pale</p></html>", "utf-8")
    browser.open(page)
    browser.evaluate(f"{axe}; 0")
    found = json.loads(browser.evaluate("axe.run().then(found => JSON.stringify(found.violations))"))
    assert {"color-contrast", "html-has-lang"} <= {each["id"] for each in found}


def test_it_asks_for_nothing_but_itself(harbour: Report, page: Path, browser: Chromium) -> None:
    page.write_text(render(harbour), "utf-8")
    browser.open(page)
    assert browser.requested() == [page.as_uri()]
    assert browser.told("Log.entryAdded") == []


def test_its_own_policy_does_not_keep_its_style_out(harbour: Report, page: Path, browser: Chromium) -> None:
    page.write_text(render(harbour), "utf-8")
    browser.look(1280)
    browser.open(page)
    assert browser.evaluate("getComputedStyle(document.querySelector('.chart path.known')).fill") == "none"


def test_hostile_text_stays_text(hostile: Report, page: Path, browser: Chromium) -> None:
    page.write_text(render(hostile), "utf-8")
    browser.open(page)
    assert browser.requested() == [page.as_uri()]
    assert browser.told("Log.entryAdded") == []
    assert browser.evaluate("document.title") == "<script>document.title='owned'</script> – progress"
    assert browser.evaluate("document.querySelectorAll('script, img, svg[onload]').length") == 0


def test_a_script_that_got_in_all_the_same_would_not_run(
    harbour: Report, page: Path, browser: Chromium
) -> None:
    smuggled = "<script>document.title='owned'</script><img src='http://192.0.2.1/a.png'></main>"
    page.write_text(render(harbour).replace("</main>", smuggled), "utf-8")
    browser.open(page)
    assert browser.evaluate("document.title") == "Harbour berth booking – progress"
    assert browser.evaluate("document.querySelectorAll('script').length") == 1
    refused = [event["params"]["entry"]["text"] for event in browser.told("Log.entryAdded")]
    assert any("inline script" in text for text in refused)
    assert browser.told("Network.responseReceived")[1:] == []


@pytest.mark.parametrize(("width", "size"), [(390, "narrow"), (1280, "wide")])
def test_nothing_is_wider_than_the_window_and_each_chart_shows_once(
    with_sessions: Report, page: Path, browser: Chromium, width: int, size: str
) -> None:
    page.write_text(render(with_sessions), "utf-8")
    browser.look(width)
    browser.open(page)
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    assert browser.evaluate(_SHOWN) == [size] * 3


def test_a_word_without_end_does_not_widen_the_page(page: Path, browser: Chromium, tmp_path: Path) -> None:
    endless = "x" * 300
    stories = [
        {"id": endless, "title": endless, "status": "blocked", "notes": endless, "delegatedTo": endless}
    ]
    (tmp_path / "prd.json").write_text(json.dumps({"project": endless, "userStories": stories}))
    page.write_text(render(report(find_project(str(tmp_path)), now=NOW)), "utf-8")
    for width in (390, 1280):
        browser.look(width)
        browser.open(page)
        assert browser.evaluate("document.documentElement.scrollWidth") <= width


def test_it_can_be_printed(harbour: Report, page: Path, browser: Chromium) -> None:
    page.write_text(render(harbour), "utf-8")
    browser.look(1280, scheme="dark", media="print")
    browser.open(page)
    colours = "[document.body].map(e => getComputedStyle(e)).map(e => [e.color, e.backgroundColor])[0]"
    assert browser.evaluate(colours) == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
    assert browser.call("Page.printToPDF")["data"].startswith("JVBERi")
