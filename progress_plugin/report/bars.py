"""Bars: the state of the stories, how much a summary saves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from progress_plugin.report import svg
from progress_plugin.text.bounds import counted

_ROW = 48
_THICK = 12
_WHOLE = 1000
_HAIR = 3
"""Keeps two parts of a bar apart where colours do not."""


def sizes(before: int, after: int) -> Markup:
    """Return two bars: tokens of everything there is, and tokens an agent gets."""
    highest = max(before, after, 1)
    rows = (
        ("Logs and plans as they stand", before, "other"),
        ("Summary at a session start", after, "finished"),
    )

    def draw(width: int) -> Iterable[Markup]:
        for number, (label, tokens, kind) in enumerate(rows):
            top = number * _ROW
            yield svg.text("label", 0, top + 14, label)
            yield svg.text("amount", width, top + 14, counted(tokens, "token"))
            yield svg.box("trough", (0, top + 22), (width, _THICK), 3)
            yield svg.box(kind, (0, top + 22), (max(tokens / highest * width, 2), _THICK), 3)

    return svg.Chart(
        name="sizes",
        title="Context size before and after",
        description=f"About {counted(before, 'token')} in the sources, {after:,} in the summary.",
        height=len(rows) * _ROW - _THICK,
        draw=draw,
    ).markup()


def shares(parts: Sequence[tuple[str, int]]) -> Markup:
    """Return one bar split by status; `parts` are (status, number of stories) in the order to draw."""
    total = sum(number for _, number in parts)
    if not total:
        return Markup("")
    pieces, left = [], 0.0
    for name, number in parts:
        if number:
            wide = _WHOLE * number / total
            left += wide
            gap = _HAIR if round(left) < _WHOLE else 0
            pieces.append(svg.box(name, (left - wide, 0), (max(wide - gap, 1), 10)))
    said = ", ".join(f"{number} {name}" for name, number in parts if number)
    return Markup(
        '<svg class="shares" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" '
        'aria-label="{}">{}</svg>'
    ).format(f"Stories: {said}", Markup("").join(pieces))
