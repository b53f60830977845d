"""The drawings of the report as inline SVG: the burn-up of stories, and a bar of their statuses."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from progress_plugin.text.bounds import counted
from progress_plugin.usecases.report import BurnUp

SIZES = {"wide": 880, "narrow": 350}  # the style sheet shows one; scaled down, letters would be too small
HEIGHT = 260
LEFT, RIGHT, TOP, BOTTOM = 34, 12, 14, 26  # margins
WIDTH_OF_DATE = 110
MAX_LEVELS = 5
BAR_UNITS = 1000
BAR_GAP = 3  # keeps two parts apart for readers who do not see colours


def draw_burn_up(curve: BurnUp) -> Markup:
    """Return the steps of finished stories below the line of all stories; empty without points."""
    if not curve.points:
        return Markup("")
    return Markup("").join(_draw(curve, size, width) for size, width in SIZES.items())


def draw_shares(parts: Sequence[tuple[str, int]]) -> Markup:
    """Return one bar split by status; `parts` are (status, number of stories) in the order to draw."""
    total = sum(number for _, number in parts)
    if not total:
        return Markup("")
    boxes, left = [], 0.0
    for status, number in parts:
        width = BAR_UNITS * number / total
        gap = BAR_GAP if round(left + width) < BAR_UNITS else 0
        if number:
            size = (round(left, 1), round(max(width - gap, 1), 1))
            boxes.append(
                Markup('<rect class="{}" x="{}" y="0" width="{}" height="10"/>').format(status, *size)
            )
        left += width
    label = ", ".join(f"{number} {status}" for status, number in parts if number)
    return Markup(
        '<svg class="shares" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" '
        'aria-label="Stories: {}">{}</svg>'
    ).format(label, Markup("").join(boxes))


def _draw(curve: BurnUp, size: str, width: int) -> Markup:
    first, last = curve.points[0], curve.points[-1]
    description = (
        f"{last.finished} of {counted(last.known, 'story was', 'stories were')} finished "
        f"from {first.when} to {last.when}."
    )
    return Markup(
        '<svg class="chart {size}" viewBox="0 0 {width} {height}" role="img" '
        'aria-labelledby="burn-up-{size}-title burn-up-{size}-desc">'
        '<title id="burn-up-{size}-title">Stories finished over time</title>'
        '<desc id="burn-up-{size}-desc">{description}</desc>{parts}</svg>'
    ).format(
        size=size,
        width=width,
        height=HEIGHT,
        description=description,
        parts=Markup("").join(_parts(curve, _Scale(width, _day(first.when), _day(last.when), last.known))),
    )


def _day(text: str) -> dt.date:
    return dt.date.fromisoformat(text)


@dataclass(frozen=True, slots=True)
class _Scale:
    """Time to the right, stories upward."""

    width: int
    first: dt.date
    last: dt.date
    highest: int

    @property
    def floor(self) -> int:
        return HEIGHT - BOTTOM

    def x(self, day: dt.date) -> float:
        share = (day - self.first).days / max(1, (self.last - self.first).days)
        return round(LEFT + share * (self.width - LEFT - RIGHT), 1)

    def y(self, number: int) -> float:
        return round(self.floor - number / max(1, self.highest) * (self.floor - TOP), 1)


def _parts(curve: BurnUp, scale: _Scale) -> Iterator[Markup]:
    step = max(1, -(-scale.highest // MAX_LEVELS))
    for number in sorted({*range(0, scale.highest, step), scale.highest}):
        yield from _level(scale, number)
    yield from _dates(scale)
    course = f"M{scale.x(scale.first)} {scale.y(curve.undated)}"
    for point in curve.points:
        course += f"H{scale.x(_day(point.when))}V{scale.y(point.finished)}"
    yield Markup('<path class="area" d="{}V{}H{}Z"/>').format(course, scale.floor, scale.x(scale.first))
    line = f"M{scale.x(scale.first)} {scale.y(scale.highest)}H{scale.x(scale.last)}"
    yield Markup('<path class="known" d="{}"/>').format(line)
    yield Markup('<path class="finished" d="{}"/>').format(course)
    end = scale.x(scale.last), scale.y(curve.points[-1].finished)
    yield Markup('<circle class="finished" cx="{}" cy="{}" r="4"/>').format(*end)


def _level(scale: _Scale, number: int) -> Iterator[Markup]:
    y = scale.y(number)
    kind = "grid" if number else "base"
    yield Markup('<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(
        kind, LEFT, y, scale.width - RIGHT, y
    )
    yield Markup('<text class="number" x="{}" y="{}">{}</text>').format(LEFT - 8, y + 4, number)


def _dates(scale: _Scale) -> Iterator[Markup]:
    """Yield the first and the last day, and days between them if there is room."""
    days = (scale.last - scale.first).days
    intervals = max(1, min(days, (scale.width - LEFT - RIGHT) // WIDTH_OF_DATE))
    for number in range(intervals + 1 if days else 1):
        day = scale.first + dt.timedelta(days=round(days * number / intervals))
        edge = " first" if number == 0 else " last" if number == intervals else ""
        yield Markup('<text class="date{}" x="{}" y="{}">{}</text>').format(
            edge, scale.x(day), HEIGHT - 5, f"{day.day} {day:%b}"
        )
