"""Projects to report on, and a browser that opens the page."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from progress_plugin.core.project import find_project
from progress_plugin.usecases.report import report
from tests.conftest import REPOSITORY
from tests.run import AXE_CORE, CLIENTS
from tests.run import browser as find_browser

NOW = datetime(2026, 4, 8, 9, 0, tzinfo=UTC)
_REQUIRED = os.environ.get("AGENT_PROGRESS_REQUIRE_CLIENTS") == "1"
_BROWSER = find_browser()
BROWSER_ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip

HOSTILE = json.loads((Path(__file__).with_name("data") / "hostile.json").read_text("utf-8"))


def missing(what: str) -> None:
    """Skip the test, loudly; a build server must not pass without it."""
    line = f"{what} IS NOT HERE: python3 tests/run.py --install-node --only clients installs it"
    (pytest.fail if _REQUIRED else pytest.skip)(line)


@pytest.fixture(scope="session")
def axe() -> str:
    """Return the text of axe-core."""
    script = Path(CLIENTS) / f"axe-core-{AXE_CORE}" / "node_modules" / "axe-core" / "axe.min.js"
    if not script.is_file():
        missing("axe-core")
    return script.read_text("utf-8")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Return a headless Chromium."""
    if _BROWSER is None:
        missing("CHROMIUM")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=str(_BROWSER), args=BROWSER_ARGUMENTS)
        yield running
        running.close()


@pytest.fixture
def harbour() -> dict[str, Any]:
    """Return the report of the example, as of a fixed day, made once."""
    return _report_of_the_example()


@cache
def _report_of_the_example() -> dict[str, Any]:
    return report(find_project(str(REPOSITORY / "examples" / "harbour")), now=NOW)


@pytest.fixture
def hostile(tmp_path: Path) -> dict[str, Any]:
    """Return the report of a project in which every text is an attack."""
    stories = [
        {"id": f"<b>{n}</b>", "title": text, "status": "blocked", "notes": text, "delegatedTo": text}
        for n, text in enumerate(HOSTILE, start=1)
    ]
    plan = {"project": HOSTILE[0], "branchName": HOSTILE[3], "userStories": stories}
    (tmp_path / "prd.json").write_text(json.dumps(plan))
    entries = [
        f"## 2026-03-0{n} 10:00 - US-{n}: {text}\n\n- Did {text}\n\n**Learnings:**\n- Never trust {text} number {n}\n"
        f"\n**Files Changed:**\n- src/{n}<script>.py\n"
        for n, text in enumerate(HOSTILE, start=1)
    ]
    (tmp_path / "progress.md").write_text("# Log\n\n" + "\n---\n\n".join(entries))
    return report(find_project(str(tmp_path)), now=NOW)
