"""The pictures of terminals in the documents show what is drawn now, and load nothing."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from docs.pictures import report, screens


@pytest.fixture
def drawn() -> dict[str, str]:
    """Return the pictures as they are drawn now."""
    return screens.pictures()


@pytest.mark.parametrize("width", screens.WIDTHS)
@pytest.mark.parametrize("theme", screens.THEMES)
def test_a_picture_is_the_one_drawn_now(drawn: dict[str, str], width: int, theme: str) -> None:
    name = f"status-{width}-{theme}.svg"
    kept = (screens.HERE / name).read_text("utf-8")
    assert kept == drawn[name], "run: .venv/bin/python -m docs.pictures.screens"


def test_a_picture_is_well_formed_and_loads_nothing(drawn: dict[str, str]) -> None:
    for picture in drawn.values():
        ET.fromstring(picture)
        assert re.findall(r"url\((?!#)|https?://(?!www\.w3\.org/2000/svg)|<script|@import", picture) == []


def test_the_pictures_of_the_report_show_the_figures_of_now(home: Path) -> None:
    del home
    kept = json.loads(report.FIGURES.read_text("utf-8"))
    assert kept == json.loads(json.dumps(report.figures())), "run: make pictures"
