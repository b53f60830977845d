"""Charts over time: stories finished, entries written."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from markupsafe import Markup

from progress_plugin.report import svg
from progress_plugin.report.axis import SHORT, Tick, counts, dates
from progress_plugin.text.bounds import counted
from progress_plugin.usecases.burn_up import BurnUp, Point

_LEFT, _RIGHT, _TOP, _BOTTOM = 34, 12, 14, 26
_PER_DATE = 80
"""Room for one date, in drawing units."""
_COLUMNS = 62
"""At most: hours in a short time, days while they fit, else weeks, else longer times."""
_BROADEST = 14
_HOUR, _DAY, _WEEK = timedelta(hours=1), timedelta(days=1), timedelta(days=7)


class ActivitySlot(NamedTuple):
    """How many entries fall into one slot of time."""

    finished: int
    """Those that finish a story."""
    other: int


class TimeSpan(NamedTuple):
    """The time that the charts of a page share, so that they can be read one below the other; UTC."""

    first: datetime
    last: datetime
    hours: bool = False
    """Whether the time of day is known: what is drawn by the day says nothing of hours."""


@dataclass(frozen=True, slots=True)
class _Frame:
    """A drawing's size and its scales: time to the right, counts upward."""

    width: int
    height: int
    span: TimeSpan
    highest: float

    @property
    def floor(self) -> float:
        return self.height - _BOTTOM

    def x(self, when: datetime) -> float:
        share = (when - self.span.first) / (self.span.last - self.span.first)
        return round(_LEFT + share * (self.width - _LEFT - _RIGHT), 1)

    def y(self, count: float) -> float:
        return round(self.floor - count / self.highest * (self.floor - _TOP), 1)

    def axes(self, levels: Sequence[Tick]) -> Iterable[Markup]:
        """Yield grid lines with their numbers, and the dates below."""
        for level in levels:
            y = self.y(level.value)
            yield svg.line("grid" if level.value else "base", (_LEFT, y), (self.width - _RIGHT, y))
            yield svg.text("number", _LEFT - 8, y + 4, level.label)
        room = self.width - _LEFT - _RIGHT
        first, last, hours = self.span
        for tick in dates(first, last, most=room // _PER_DATE + 1, hours=hours):
            x = self.x(datetime.fromtimestamp(tick.value, UTC))
            yield svg.line("base", (x, self.floor), (x, self.floor + 5))
            edge = " first" if x < _LEFT + 20 else " last" if x > self.width - 30 else ""
            yield svg.text(f"date{edge}", x, self.height - 5, tick.label)


def span(curve: BurnUp, entries: Iterable[datetime]) -> TimeSpan | None:
    """Return the time from the first date to the end of the last day; None where there is no date."""
    points, written = list(map(_moment, curve.points)), list(entries)
    moments = sorted([*points, *written])
    if not moments:
        return None
    last = _day_of(moments[-1]) + _DAY
    # A bare day reads as its midnight: where there is one, no hour is known of it.
    hours = bool(written) and last - moments[0] <= SHORT and all(map(_tells_hour, moments))
    begin = _hour_of(moments[0]) if hours else min([*points, *map(_day_of, written)])
    return TimeSpan(begin, last, hours)


def _day_of(when: datetime) -> datetime:
    return when.replace(hour=0, minute=0, second=0, microsecond=0)


def _hour_of(when: datetime) -> datetime:
    return when.replace(minute=0, second=0, microsecond=0)


def _tells_hour(when: datetime) -> bool:
    return when != _day_of(when)


def burn_up(curve: BurnUp, span: TimeSpan) -> Markup:
    """Return the steps of finished stories below the line of known ones; empty without dates."""
    if not curve.points:
        return Markup("")
    moments = list(map(_moment, curve.points))
    known = [point.known for point in curve.points]
    finished = [point.finished for point in curve.points]
    levels = counts(max(*known, *finished))

    def draw(width: int) -> Iterable[Markup]:
        frame = _Frame(width, 260, span, levels[-1].value)
        steps = _steps(frame, moments, [curve.undated, *finished])
        yield from frame.axes(levels)
        yield svg.path("area", f"{steps}V{frame.floor}H{frame.x(moments[0])}Z")
        yield svg.path("known", _steps(frame, moments, [known[0], *known]))
        yield svg.path("finished", steps)
        yield svg.dot("finished", frame.x(moments[-1]), frame.y(finished[-1]))

    return svg.Chart(
        name="burn-up",
        title="Stories finished over time",
        description=f"{finished[-1]} of {counted(known[-1], 'story was', 'stories were')} finished "
        f"from {moments[0].date()} to {moments[-1].date()}.",
        height=260,
        draw=draw,
    ).markup()


def activity(entries: dict[datetime, ActivitySlot], span: TimeSpan) -> Markup:
    """Return a column of entries per hour, day, week or longer; keys are times in UTC. Empty without any."""
    if not entries:
        return Markup("")
    step = _step(span)
    columns = _columns(entries, span, step)
    peak = max(sum(work) for work in columns.values())
    levels = counts(peak, steps=3)

    def draw(width: int) -> Iterable[Markup]:
        frame = _Frame(width, 130, span, levels[-1].value)
        yield from frame.axes(levels)
        for start, work in columns.items():
            left = frame.x(max(start, span.first))
            room = frame.x(min(start + step, span.last)) - left
            broad = min(max(room - min(room * 0.2, 3), 1), _BROADEST)
            left += (room - broad) / 2
            for kind, low, high in (("finished", 0, work.finished), ("other", work.finished, sum(work))):
                if high > low:
                    yield svg.box(kind, (left, frame.y(high)), (broad, frame.y(low) - frame.y(high)))

    unit = {_HOUR: "hour", _DAY: "day", _WEEK: "week"}.get(step, counted(step.days, "day"))
    return svg.Chart(
        name="activity",
        title=f"Entries per {unit}",
        description=f"{counted(sum(map(sum, entries.values())), 'entry')}, at most {peak} per {unit}.",
        height=130,
        draw=draw,
    ).markup()


def _step(span: TimeSpan) -> timedelta:
    if span.hours:
        return _HOUR
    days = (span.last - span.first).days + 1
    whole = (step for step in (_DAY, _WEEK) if days <= step.days * _COLUMNS)
    return next(whole, timedelta(days=days // _COLUMNS + 1))


def _columns(
    entries: dict[datetime, ActivitySlot], span: TimeSpan, step: timedelta
) -> dict[datetime, ActivitySlot]:
    first = span.first if span.hours else _day_of(span.first)
    if step == _WEEK:
        first -= timedelta(days=first.weekday())
    columns: dict[datetime, ActivitySlot] = {}
    for when, work in sorted(entries.items()):
        start = first + (when - first) // step * step
        before = columns.get(start, ActivitySlot(0, 0))
        columns[start] = ActivitySlot(before.finished + work.finished, before.other + work.other)
    return columns


def _moment(point: Point) -> datetime:
    return datetime.fromisoformat(point.when)


def _steps(frame: _Frame, moments: Sequence[datetime], values: Sequence[int]) -> str:
    """Return a path; the first value is the one before the first moment."""
    path = f"M{frame.x(moments[0])} {frame.y(values[0])}"
    for when, value in zip(moments, values[1:], strict=True):
        path += f"H{frame.x(when)}V{frame.y(value)}"
    return path
