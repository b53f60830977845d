"""Axes and charts: marks at round places, never too many, and drawings that hold what they are given."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.report import bars, timeline
from progress_plugin.report.axis import counts, dates
from progress_plugin.report.timeline import ActivitySlot, TimeSpan
from progress_plugin.usecases.burn_up import BurnUp, Point

_moments = st.datetimes(datetime(1990, 1, 1), datetime(2099, 12, 30), timezones=st.just(UTC))  # noqa: DTZ001
_DAY = timedelta(days=1)


@given(st.integers(0, 10**6), st.integers(1, 8))
def test_counts_begin_at_zero_reach_the_highest_and_are_few(highest: int, steps: int) -> None:
    values = [tick.value for tick in counts(highest, steps)]
    assert values[0] == 0
    assert values[-1] >= highest
    assert 2 <= len(values) <= steps + 1
    assert len({after - before for before, after in pairwise(values)}) == 1


@given(_moments, st.timedeltas(timedelta(hours=1), timedelta(days=40000)), st.integers(3, 12))
def test_dates_lie_inside_the_time_shown_in_order_and_are_few(
    first: datetime, length: timedelta, most: int
) -> None:
    last = min(first + length, datetime(2099, 12, 31, tzinfo=UTC))
    ticks = dates(first, last, most)
    values = [tick.value for tick in ticks]
    assert len(ticks) <= most
    assert values == sorted(set(values))
    assert all(first.timestamp() <= value <= last.timestamp() for value in values)


def test_no_date_stands_behind_the_end_of_a_time_before_the_first_monday() -> None:
    first = datetime(2000, 1, 1, 0, 59, tzinfo=UTC)
    ticks = dates(first, first + timedelta(seconds=3659, microseconds=1), 3)
    assert [tick.label for tick in ticks] == ["01:00"]


def test_dates_are_written_as_people_write_them() -> None:
    march = datetime(2026, 3, 2, tzinfo=UTC)
    assert [tick.label for tick in dates(march, march + timedelta(hours=13), 4)] == [
        "2 Mar",
        "06:00",
        "12:00",
    ]
    assert [tick.label for tick in dates(march, march + timedelta(days=20), 4)] == [
        "2 Mar",
        "9 Mar",
        "16 Mar",
    ]
    assert [tick.label for tick in dates(march, march + timedelta(days=500), 7)] == [
        "Apr", "Jul", "Oct", "2027", "Apr", "Jul",
    ]  # fmt: skip


@given(st.dictionaries(_moments.map(lambda each: each.replace(hour=0, minute=0, second=0, microsecond=0)),
                       st.tuples(st.integers(0, 50), st.integers(1, 50)), min_size=1, max_size=30))  # fmt: skip
def test_every_entry_is_in_a_column_inside_the_drawing(found: dict[datetime, tuple[int, int]]) -> None:
    days = {day: ActivitySlot(*numbers) for day, numbers in found.items()}
    span = timeline.span(BurnUp(points=(), undated=0), days)
    assert span is not None
    drawings = ET.fromstring(f"<all>{timeline.activity(days, span)}</all>")
    assert len(drawings) == 2
    for drawing in drawings:
        width, height = (float(number) for number in drawing.attrib["viewBox"].split()[2:])
        columns = drawing.findall("rect")
        assert columns
        assert len(columns) <= 2 * 63
        for column in columns:
            x, y, w, h = (float(column.attrib[name]) for name in ("x", "y", "width", "height"))
            assert 0 <= x <= x + w <= width
            assert 0 <= y <= y + h <= height


def test_a_burn_up_of_one_moment_is_drawn_all_the_same() -> None:
    curve = BurnUp(points=(Point(when="2026-03-02T10:00:00Z", finished=1, known=1),), undated=0)
    span = timeline.span(curve, [])
    assert span == TimeSpan(datetime(2026, 3, 2, 10, tzinfo=UTC), datetime(2026, 3, 3, tzinfo=UTC))
    (wide, narrow) = ET.fromstring(f"<all>{timeline.burn_up(curve, span)}</all>")
    assert [each.attrib["class"] for each in (wide, narrow)] == ["chart wide", "chart narrow"]


def test_without_dates_or_stories_there_is_no_drawing() -> None:
    empty = BurnUp(points=(), undated=0)
    assert timeline.span(empty, []) is None
    span = TimeSpan(datetime(2026, 3, 2, tzinfo=UTC), datetime(2026, 3, 3, tzinfo=UTC))
    assert (timeline.burn_up(empty, span), timeline.activity({}, span)) == ("", "")
    assert bars.shares([("done", 0), ("pending", 0)]) == ""


def test_a_bar_says_in_words_what_it_shows() -> None:
    assert bars.shares([("done", 1), ("failed", 0), ("pending", 3)]) == (
        '<svg class="shares" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" '
        'aria-label="Stories: 1 done, 3 pending">'
        '<rect class="done" x="0.0" y="0" width="247.0" height="10" rx="0"/>'
        '<rect class="pending" x="250.0" y="0" width="750.0" height="10" rx="0"/></svg>'
    )


def _columns_and_hours(found: list[datetime]) -> tuple[list[tuple[float, float]], dict[str, float]]:
    """Return the columns of the wide drawing as (left, right), and where its dates stand."""
    span = timeline.span(BurnUp(points=(), undated=0), found)
    assert span is not None
    wide = ET.fromstring(f"<all>{timeline.activity(dict.fromkeys(found, ActivitySlot(0, 1)), span)}</all>")[0]
    boxes = [(float(box.attrib["x"]), float(box.attrib["width"])) for box in wide.findall("rect")]
    labels = {
        each.text or "": float(each.attrib["x"])
        for each in wide.findall("text")
        if "date" in each.attrib["class"]
    }
    return [(left, left + width) for left, width in boxes], labels


def test_in_a_short_time_an_entry_stands_at_its_hour() -> None:
    day = datetime(2026, 3, 2, tzinfo=UTC)
    found = [day.replace(hour=6, minute=10), day.replace(hour=8, minute=5), day.replace(hour=18, minute=40)]
    columns, labels = _columns_and_hours(found)
    assert {"08:00", "18:00"} <= set(labels)
    assert columns[1][0] >= labels["08:00"]
    assert columns[1][1] <= labels["10:00"]
    assert columns[2][0] >= labels["18:00"]
    assert len(columns) == 3


def test_where_only_the_day_is_known_no_hour_is_told() -> None:
    day = datetime(2026, 3, 2, tzinfo=UTC)
    columns, labels = _columns_and_hours([day, day.replace(hour=8)])
    assert set(labels) == {"2 Mar", "3 Mar"}
    assert len(columns) == 1


def test_over_many_days_there_is_a_column_for_each_day() -> None:
    day = datetime(2026, 3, 2, 8, tzinfo=UTC)
    columns, labels = _columns_and_hours([day + timedelta(days=number, hours=number) for number in range(9)])
    assert len(columns) == 9
    assert columns[2][0] >= labels["4 Mar"]
    assert columns[2][1] <= labels["6 Mar"]
