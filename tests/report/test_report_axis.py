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
from progress_plugin.usecases.burn_up import BurnUp

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
