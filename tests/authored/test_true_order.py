"""The true order of entries, whichever way the file grew."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.authored.order import Stamp, true_order


def ordered(*rows: str) -> list[str]:
    """Return the ids in true order; a row is `day clock id`, `-` for what is missing, `|` ends the upper block."""
    stamps, block = [], 0 if "|" in rows else 1
    for row in rows:
        if row == "|":
            block = 1
            continue
        day, clock, id_ = ("" if part == "-" else part for part in row.split())
        stamps.append(Stamp(day, clock, id_, block))
    return [stamps[at].id for at in true_order(stamps)]


def test_a_log_without_dates_keeps_its_order_whatever_the_ids() -> None:
    assert ordered("- - A-2", "- - A-1", "- - A-3", "- - A-4") == ["A-2", "A-1", "A-3", "A-4"]


def test_a_log_written_newest_first_is_turned() -> None:
    assert ordered("2026-01-03 - A-3", "2026-01-02 - A-2", "2026-01-01 - A-1") == ["A-1", "A-2", "A-3"]


def test_falling_ids_of_one_day_show_a_log_written_newest_first() -> None:
    assert ordered(*(f"2026-01-03 - A-{n}" for n in (4, 3, 2, 1))) == ["A-1", "A-2", "A-3", "A-4"]


def test_one_id_out_of_turn_does_not_turn_a_log() -> None:
    rows = [f"2026-01-03 - A-{n}" for n in (1, 2, 4, 3, 5)]
    assert ordered(*rows) == ["A-1", "A-2", "A-4", "A-3", "A-5"]


def test_entries_put_above_the_head_section_are_the_newest() -> None:
    rows = ["2026-01-03 - A-6", "2026-01-03 - A-5", "|", *(f"2026-01-03 - A-{n}" for n in (2, 1, 3, 4))]
    assert ordered(*rows) == ["A-2", "A-1", "A-3", "A-4", "A-5", "A-6"]


def test_a_head_section_that_came_late_divides_nothing() -> None:
    assert ordered("2026-01-01 - A-1", "2026-01-02 - A-2", "|", "2026-01-03 - A-3") == ["A-1", "A-2", "A-3"]


def test_times_order_the_entries_of_a_day() -> None:
    rows = ["2026-01-02 12:00 A-7", "2026-01-02 09:00 A-8", "2026-01-01 10:00 A-1", "2026-01-01 11:00 A-2"]
    assert ordered(*rows) == ["A-1", "A-2", "A-8", "A-7"]


def test_a_mistyped_year_moves_nothing() -> None:
    rows = ["2026-01-01 - A-1", "2025-01-02 - A-2", "2026-01-03 - A-3", "2026-01-04 - A-4"]
    assert ordered(*rows) == ["A-1", "A-2", "A-3", "A-4"]


def test_an_entry_without_date_stays_behind_its_neighbour() -> None:
    assert ordered("2026-01-01 - A-1", "- - A-9", "2026-01-02 - A-2") == ["A-1", "A-9", "A-2"]


DAYS = st.sampled_from(["", "2026-01-01", "2026-01-02", "2025-01-02", "2026-12-31"])
CLOCKS = st.sampled_from(["", "09:00", "10:30"])
STAMPS = st.builds(Stamp, DAYS, CLOCKS, st.sampled_from(["", "A-1", "A-2", "B-10", "x"]), st.integers(0, 1))


@given(st.lists(STAMPS, max_size=12))
def test_every_entry_is_there_once(stamps: list[Stamp]) -> None:
    assert sorted(true_order(stamps)) == list(range(len(stamps)))
