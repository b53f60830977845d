"""The page in a real browser: it renders, fetches nothing, runs nothing, and everybody can read it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
from playwright.sync_api import Browser, Page

from progress_plugin.cli.report import render
from progress_plugin.core.project import find_project
from progress_plugin.usecases.report import report
from tests.report.conftest import HOSTILE, NOW

pytestmark = pytest.mark.browser

WIDTHS = (320, 768, 1280)


class Opened(NamedTuple):
    """A page that is open in the browser, with the addresses it requested and what the console shows."""

    page: Page
    requests: list[str]
    messages: list[str]


Open = Callable[..., Opened]


@pytest.fixture
def open_html(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Return a function that opens HTML from a file in a window of this width and colour scheme."""
    file, pages = tmp_path / "report.html", []

    def open_html(html: str, width: int = 1280, scheme: Literal["light", "dark"] = "light") -> Opened:
        file.write_text(html, "utf-8")
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        pages.append(page)
        opened = Opened(page, [], [])
        page.on("request", lambda request: opened.requests.append(request.url))
        page.on("console", lambda message: opened.messages.append(message.text))
        page.goto(file.as_uri())
        return opened

    yield open_html
    for page in pages:
        page.close()


@pytest.fixture
def with_sessions(harbour: dict[str, Any]) -> dict[str, Any]:
    """Return a report with two sessions, one of which left a failing check."""
    first = json.loads((Path(__file__).with_name("data") / "session.json").read_text("utf-8"))
    second = {"id": "session-2", "failing": (), "requests": ("Mend it.",), "left_out": 0, "in_log": True}
    entries = [each | {"evidence": "claimed, no check seen"} for each in harbour["entries"]]
    return harbour | {"sessions": [first, first | second], "entries": entries}


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (768, "dark"), (1280, "dark")])
def test_axe_finds_nothing(
    with_sessions: dict[str, Any], open_html: Open, axe: str, width: int, scheme: str
) -> None:
    page = open_html(render(with_sessions), width, scheme).page
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    page.evaluate(axe)
    found = page.evaluate("axe.run()")
    assert {each["id"]: [node["html"] for node in each["nodes"]] for each in found["violations"]} == {}
    assert "color-contrast" in {each["id"] for each in found["passes"]}


@pytest.mark.parametrize(("project", "name"), [("harbour", "Harbour berth booking"), ("hostile", HOSTILE[0])])
def test_the_page_requests_only_itself_and_text_stays_text(
    project: str, name: str, request: pytest.FixtureRequest, open_html: Open
) -> None:
    opened = open_html(render(request.getfixturevalue(project)))
    assert opened.requests == [opened.page.url]
    assert opened.messages == []
    assert opened.page.title() == f"{name} – progress"
    assert opened.page.locator("script, img, svg[onload]").count() == 0
    styled = "getComputedStyle(document.body).backgroundColor"
    assert opened.page.evaluate(styled) not in ("", "rgba(0, 0, 0, 0)")  # the policy allows its style


def test_the_policy_of_the_page_stops_a_script_that_got_in(harbour: dict[str, Any], open_html: Open) -> None:
    smuggled = "<script>document.title='owned'</script><img src='http://192.0.2.1/a.png'></main>"
    opened = open_html(render(harbour).replace("</main>", smuggled))
    assert opened.page.title() == "Harbour berth booking – progress"
    assert opened.page.locator("script").count() == 1
    assert any("inline script" in text for text in opened.messages)
    assert any("192.0.2.1" in text for text in opened.messages)


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_window(
    with_sessions: dict[str, Any], open_html: Open, tmp_path: Path, width: int
) -> None:
    endless = "x" * 300
    story = {"id": endless, "title": endless, "status": "blocked", "notes": endless, "delegatedTo": endless}
    (tmp_path / "prd.json").write_text(json.dumps({"project": endless, "userStories": [story]}))
    for each in (with_sessions, report(find_project(str(tmp_path)), now=NOW)):
        page = open_html(render(each), width).page
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_it_is_printed_black_on_white(harbour: dict[str, Any], open_html: Open) -> None:
    page = open_html(render(harbour), scheme="dark").page
    page.emulate_media(media="print")
    colours = "[document.body].map(e => getComputedStyle(e)).map(e => [e.color, e.backgroundColor])[0]"
    assert page.evaluate(colours) == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
    assert page.pdf().startswith(b"%PDF")
