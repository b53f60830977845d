"""Take the pictures of the report that documents show: `make pictures`, with Chromium on the PATH."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import sync_playwright

from progress_plugin.cli.report import render
from progress_plugin.core.project import find_project
from progress_plugin.usecases.report import report
from tests.report.conftest import BROWSER_ARGUMENTS
from tests.run import browser as find_browser

HERE = Path(__file__).resolve().parent
EXAMPLE = HERE.parent.parent / "examples" / "harbour"
NOW = datetime(2026, 4, 8, 9, 0, tzinfo=UTC)
"""The day the pictures are taken on, whenever that is."""
SIZES = {1280: 1150, 390: 1340}
"""Height of the picture by width of the window, in CSS pixels."""
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def report_of_example() -> dict[str, Any]:
    """Return the report of a copy of the example: what is checked out here is none of its business."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / EXAMPLE.name
        shutil.copytree(EXAMPLE, copy)
        return report(find_project(str(copy)), now=NOW)


def main() -> int:
    """Write `report-<width>-<scheme>.png` beside this file."""
    program = find_browser()
    if program is None:
        sys.stderr.write("no Chromium on the PATH; install it, for example: apt-get install chromium\n")
        return 1
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["HOME"] = scratch
        page = Path(scratch) / "report.html"
        page.write_text(render(report_of_example()), "utf-8")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=BROWSER_ARGUMENTS)
            for width, height in SIZES.items():
                for scheme in SCHEMES:
                    scale = 1 if width > 1000 else 2  # noqa: PLR2004 - a telephone has more dots
                    window = browser.new_page(
                        viewport={"width": width, "height": height},
                        color_scheme=scheme,
                        device_scale_factor=scale,
                    )
                    window.goto(page.as_uri())
                    window.screenshot(path=HERE / f"report-{width}-{scheme}.png")
            browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
