"""Pictures of terminals for the documents: `.venv/bin/python -m docs.pictures.screens`.

SVG, so that a change shows as a difference of text, in a font of the reader's, so that nothing is loaded.
A test holds them equal to what is drawn now.
"""

from __future__ import annotations

import io
import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.terminal_theme import TerminalTheme

from progress_plugin.cli.status_screen import show
from progress_plugin.core.project import find_project
from progress_plugin.usecases.demo import EXAMPLE, EXAMPLE_FILES
from progress_plugin.usecases.init import init
from progress_plugin.usecases.recording.log_entry import log_entry
from progress_plugin.usecases.status import project_status

HERE = Path(__file__).resolve().parent
WIDTHS = (60, 100, 160)
NOW = datetime(2026, 4, 2, 9, 30, tzinfo=UTC)
THEMES = {
    "dark": TerminalTheme(
        (24, 26, 31),
        (214, 217, 224),
        [(58, 62, 72), (224, 108, 117), (126, 200, 120), (229, 192, 123),
         (97, 175, 239), (198, 120, 221), (86, 196, 210), (214, 217, 224)],
    ),
    "light": TerminalTheme(
        (253, 253, 251),
        (42, 45, 52),
        [(42, 45, 52), (190, 40, 50), (30, 120, 50), (150, 95, 0),
         (25, 95, 180), (140, 50, 150), (0, 115, 135), (240, 240, 240)],
    ),
}  # fmt: skip
_FORMAT = """\
<svg viewBox="0 0 {width} {height}" width="{width}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{
  font-family: "DejaVu Sans Mono", Menlo, Consolas, "Liberation Mono", monospace;
  font-size: {char_height}px;
  line-height: {line_height}px;
}}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def pictures() -> dict[str, str]:
    """Return every picture as SVG, by its file name."""
    answer = _answer()
    return {
        f"status-{width}-{theme}.svg": _drawn(answer, width, theme) for width in WIDTHS for theme in THEMES
    }


def _answer() -> dict[str, Any]:
    """Return the status of a copy of the example with an open blocker, as if it stood in a home."""
    with tempfile.TemporaryDirectory() as scratch:
        for name in EXAMPLE_FILES:
            shutil.copyfile(Path(EXAMPLE) / name, Path(scratch) / name)
        project = find_project(scratch)
        init(project)
        blocker = {"issue": "the test account of the payment provider is not open yet"}
        log_entry(
            project, "task_blocked", now=datetime(2026, 3, 27, 14, tzinfo=UTC), task_id="US-012", data=blocker
        )
        return {**project_status(project), "root": "~/harbour"}


def _drawn(answer: dict[str, Any], width: int, theme: str) -> str:
    console = Console(
        file=io.StringIO(), record=True, width=width, force_terminal=True, color_system="standard",
        highlight=False, legacy_windows=False, no_color=False, _environ={},
    )  # fmt: skip
    console.print("[dim]$[/dim] agent-progress status")
    show(answer, console, NOW)
    console.print()
    return console.export_svg(
        title="agent-progress", theme=THEMES[theme], code_format=_FORMAT, unique_id=f"status-{width}-{theme}"
    )


def main() -> None:
    """Draw every picture."""
    for name, picture in pictures().items():
        (HERE / name).write_text(picture, "utf-8")


if __name__ == "__main__":
    main()
