"""The true order of entries, whichever way the file grew."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.authored.chronology import Stamp, true_order


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


def by_session(*numbers: int | None, days: str = "") -> list[int | None]:
    """Return the numbers of the sessions in true order; `days` has a digit of the month for each."""
    stamps = [
        Stamp(f"2026-01-0{days[at]}" if days else "", "", "", number=number)
        for at, number in enumerate(numbers)
    ]
    return [stamps[at].number for at in true_order(stamps)]


def test_sessions_stand_in_the_order_of_their_numbers_where_none_is_missing() -> None:
    assert by_session(4, 3, 1, 2) == [1, 2, 3, 4]
    assert by_session(4, 3, 1, 2, days="1111") == [1, 2, 3, 4]


def test_sessions_with_falling_numbers_are_turned_gaps_or_not() -> None:
    assert by_session(9, 7, 4) == [4, 7, 9]


def test_numbers_that_begin_anew_or_are_missing_order_nothing() -> None:
    assert by_session(1, 2, 1, 2) == [1, 2, 1, 2]
    assert by_session(8, 1, 2) == [8, 1, 2]
    assert by_session(2, None, 1, 3) == [2, None, 1, 3]


def test_days_stand_above_the_numbers_of_sessions() -> None:
    assert by_session(3, 1, 2, days="123") == [3, 1, 2]


def test_the_entries_of_a_sprint_keep_their_order_where_the_sprints_are_turned() -> None:
    rows = [(10, "T-1"), (10, "T-5"), (9, "T-1"), (9, "T-2"), (8, "T-1")]
    stamps = [Stamp("", "", id_, number=number) for number, id_ in rows]
    assert [rows[at] for at in true_order(stamps)] == [
        (8, "T-1"),
        (9, "T-1"),
        (9, "T-2"),
        (10, "T-1"),
        (10, "T-5"),
    ]


def test_one_wrong_date_moves_no_entry_of_a_log_whose_ids_only_rise() -> None:
    rows = [f"2026-01-0{1 + (n > 5)} {9 + n:02}:00 A-{n}" for n in (1, 2, 3, 4, 5, 6, 7)]
    rows[2] = "2026-01-09 12:00 A-3"
    assert ordered(*rows) == [f"A-{n}" for n in (1, 2, 3, 4, 5, 6, 7)]


def test_a_date_is_believed_where_ids_fall_too_or_many_dates_say_so() -> None:
    rows = ["2026-01-01 10:00 A-3", *(f"2026-01-01 0{n}:00 A-{n}" for n in (1, 2)), "2026-01-01 11:00 A-4"]
    assert ordered(*rows) == ["A-1", "A-2", "A-3", "A-4"]
    assert ordered("2026-01-02 - A-1", "2026-01-01 - A-2", "2026-01-02 - A-3") == ["A-2", "A-1", "A-3"]


def test_what_a_log_says_of_its_order_counts_where_nothing_else_tells() -> None:
    same = [Stamp("2026-01-01", "", id_) for id_ in ("wheel", "stone", "belt")]
    assert true_order(same, newest_first=lambda: True) == [2, 1, 0]
    assert true_order([Stamp("", "", "")] * 2, newest_first=lambda: True) == [1, 0]
    rising = [Stamp("2026-01-01", "", f"A-{n}") for n in (1, 2, 3)]
    asked = iter([True])
    assert true_order(rising, newest_first=lambda: next(asked)) == [0, 1, 2]
    assert list(asked) == [True], "nobody asked: it costs a look at all that stands above the entries"


def in_zones(*rows: tuple[str, str, int | None]) -> list[str]:
    """Return the times in true order; a row is day, time of day, minutes east of UTC."""
    stamps = [Stamp(day, clock, "", offset=offset) for day, clock, offset in rows]
    return [stamps[at].clock for at in true_order(stamps)]


def test_times_of_several_zones_are_compared_in_one() -> None:
    rows = [
        ("2026-02-24", "03:10", 0),
        ("2026-02-23", "19:15", -480),
        ("2026-02-24", "03:22", 0),
        ("2026-02-23", "19:34", -480),
    ]
    assert in_zones(*rows) == ["03:10", "19:15", "03:22", "19:34"]


def test_a_zone_written_beside_a_local_time_moves_nothing() -> None:
    rows = [("2026-02-24", "20:10", -480), ("2026-02-24", "21:01", 0), ("2026-02-24", "22:00", -480)]
    assert in_zones(*rows) == ["20:10", "21:01", "22:00"]


def test_times_without_a_zone_beside_those_with_one_are_taken_as_written() -> None:
    rows = [("2026-02-24", "03:10", 0), ("2026-02-24", "02:00", None), ("2026-02-23", "19:15", -480)]
    assert in_zones(*rows) == ["19:15", "02:00", "03:10"]


def test_times_of_a_day_that_contradict_both_ids_and_the_files_order_are_made_up() -> None:
    clocks = ["16:30", "17:35", "18:40", "19:45", "20:50", "17:32", "17:39", "17:44", "17:49", "17:55"]
    stamps = [Stamp("2026-02-13", clock, f"US-{11 + at}") for at, clock in enumerate(clocks)]
    assert true_order(stamps) == list(range(10))


IDS = st.sampled_from(["", "A-1", "A-2", "B-10", "x"])
NUMBERS = st.sampled_from([None, 1, 2, 3])
OFFSETS = st.sampled_from([None, 0, -360, 330])
STAMPS = st.builds(Stamp, DAYS, CLOCKS, IDS, st.integers(0, 1), NUMBERS, OFFSETS)


@given(st.lists(STAMPS, max_size=12))
def test_every_entry_is_there_once(stamps: list[Stamp]) -> None:
    assert sorted(true_order(stamps)) == list(range(len(stamps)))


def by_clock(*clocks: str) -> list[str]:
    """Return the times of entries of one day in true order."""
    stamps = [Stamp("2026-02-28", clock, "") for clock in clocks]
    return [stamps[at].clock for at in true_order(stamps)]


def test_a_time_typed_ahead_of_what_stands_below_it_moves_nothing() -> None:
    rows = ["13:01", "17:20", "13:05", "16:30", "13:12", "13:18", "13:25", "13:29"]
    assert by_clock(*rows) == rows


def test_what_was_put_above_all_others_is_newest_where_its_time_says_so() -> None:
    assert by_clock("17:20", "13:01", "13:05", "13:12") == ["13:01", "13:05", "13:12", "17:20"]


def test_one_entry_below_that_is_older_may_have_come_late_itself() -> None:
    assert by_clock("13:01", "17:20", "15:05", "18:00") == ["13:01", "15:05", "17:20", "18:00"]


def test_the_morning_may_be_written_down_after_the_evening() -> None:
    rows = ["15:00", "15:30", "16:00", "09:00", "09:30"]
    assert by_clock(*rows) == sorted(rows)


def test_a_wrong_month_or_year_that_was_copied_from_entry_to_entry_moves_nothing() -> None:
    for wrong in ("2025-01-19", "2024-11-19"):
        right = [f"2025-11-{day} - A{day}" for day in (23, 22, 20, 14, 13, 12, 10)]
        rows = [*right[:3], f"{wrong} - B3", f"{wrong} - B2", f"{wrong} - B1", *right[3:]]
        assert ordered(*rows) == [row.split()[2] for row in reversed(rows)]


def test_entries_of_an_earlier_year_between_newer_ones_keep_their_date() -> None:
    newer = [f"2026-01-0{n} - A-{n}" for n in (1, 2, 5, 6, 7)]
    rows = [*newer[:2], "2025-03-01 - A-3", "2025-03-02 - A-4", *newer[2:]]
    assert ordered(*rows) == ["A-3", "A-4", "A-1", "A-2", "A-5", "A-6", "A-7"]
