"""Parts of an inline SVG: everything that comes in as text is escaped here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from markupsafe import Markup

WIDE, NARROW = 880, 350
_SIZES = {"wide": WIDE, "narrow": NARROW}


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A chart before it is drawn; `title` and `description` are for those who cannot see it."""

    name: str
    """Unique on the page."""
    title: str
    description: str
    height: int
    draw: Callable[[int], Iterable[Markup]]
    """Takes a width and returns the parts."""

    def markup(self) -> Markup:
        """Return a wide and a narrow drawing, of which the page shows one.

        A single one would be scaled down to a phone, and its letters with it.
        """
        return Markup("").join(self._drawing(size, width) for size, width in _SIZES.items())

    def _drawing(self, size: str, width: int) -> Markup:
        return Markup(
            '<svg class="chart {size}" viewBox="0 0 {width} {height}" role="img" '
            'aria-labelledby="{name}-title {name}-desc"><title id="{name}-title">{title}</title>'
            '<desc id="{name}-desc">{description}</desc>{parts}</svg>'
        ).format(
            size=size,
            width=width,
            height=self.height,
            name=f"{self.name}-{size}",
            title=self.title,
            description=self.description,
            parts=Markup("").join(self.draw(width)),
        )


def line(kind: str, start: tuple[float, float], end: tuple[float, float]) -> Markup:
    """Return a line; `kind` is its class in the style sheet, as in all of these."""
    return Markup('<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(kind, *start, *end)


def text(kind: str, x: float, y: float, words: str) -> Markup:
    """Return one line of text on a baseline."""
    return Markup('<text class="{}" x="{}" y="{}">{}</text>').format(kind, x, y, words)


def path(kind: str, course: str) -> Markup:
    """Return a path; `course` is its `d`."""
    return Markup('<path class="{}" d="{}"/>').format(kind, course)


def box(kind: str, corner: tuple[float, float], size: tuple[float, float], radius: int = 0) -> Markup:
    """Return a filled box from its upper left corner."""
    numbers = [round(number, 1) for number in (*corner, *size)]
    return Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="{}"/>').format(
        kind, *numbers, radius
    )


def dot(kind: str, x: float, y: float) -> Markup:
    """Return a small disc."""
    return Markup('<circle class="{}" cx="{}" cy="{}" r="4"/>').format(kind, x, y)
