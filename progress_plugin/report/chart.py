"""The drawings of the report as inline SVG: the burn-up of stories, and a bar of their statuses."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from progress_plugin.text.bounds import counted
from progress_plugin.usecases.report import BurnUp

WIDTH, HEIGHT = 880, 280  # units of the drawing, which the style sheet scales to the width of the window
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 18, 36  # margins; letters are larger in a narrow window
WIDTH_OF_DATE = 150
MAX_LEVELS = 5
NEAREST_LEVEL = 0.75  # to the highest, in steps: letters must not touch
BAR_UNITS = 1000
BAR_GAP = 3  # keeps two parts apart for readers who do not see colours


def draw_burn_up(curve: BurnUp) -> Markup:
    """Return the steps of finished stories below the line of all stories; empty without points."""
    if not curve.points:
        return Markup("")
    first, last = curve.points[0], curve.points[-1]
    description = (
        f"{last.finished} of {counted(last.known, 'story was', 'stories were')} finished "
        f"from {first.when} to {last.when}."
    )
    scale = _Scale(_day(first.when), _day(last.when), last.known)
    return Markup(
        '<svg class="chart" viewBox="0 0 {} {}" role="img" aria-labelledby="burn-up-title burn-up-desc">'
        '<title id="burn-up-title">Stories finished over time</title>'
        '<desc id="burn-up-desc">{}</desc>{}</svg>'
    ).format(WIDTH, HEIGHT, description, Markup("").join(_parts(curve, scale)))


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


def _day(text: str) -> dt.date:
    return dt.date.fromisoformat(text)


@dataclass(frozen=True, slots=True)
class _Scale:
    """Time to the right, stories upward."""

    first: dt.date
    last: dt.date
    highest: int

    @property
    def floor(self) -> int:
        return HEIGHT - BOTTOM

    def x(self, day: dt.date) -> float:
        share = (day - self.first).days / max(1, (self.last - self.first).days)
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def y(self, number: int) -> float:
        return round(self.floor - number / max(1, self.highest) * (self.floor - TOP), 1)


def _parts(curve: BurnUp, scale: _Scale) -> Iterator[Markup]:
    step = max(1, -(-scale.highest // MAX_LEVELS))
    levels = [
        number for number in range(0, scale.highest, step) if scale.highest - number >= step * NEAREST_LEVEL
    ]
    for number in (*levels, scale.highest):
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
    yield Markup('<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(kind, LEFT, y, WIDTH - RIGHT, y)
    yield Markup('<text class="number" x="{}" y="{}">{}</text>').format(LEFT - 8, y + 4, number)


def _dates(scale: _Scale) -> Iterator[Markup]:
    """Yield the first and the last day, and days between them if there is room."""
    days = (scale.last - scale.first).days
    intervals = max(1, min(days, (WIDTH - LEFT - RIGHT) // WIDTH_OF_DATE))
    for number in range(intervals + 1 if days else 1):
        day = scale.first + dt.timedelta(days=round(days * number / intervals))
        edge = " first" if number == 0 else " last" if number == intervals else ""
        yield Markup('<text class="date{}" x="{}" y="{}">{}</text>').format(
            edge, scale.x(day), HEIGHT - 5, f"{day.day} {day:%b}"
        )
