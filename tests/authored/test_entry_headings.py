"""Headings of entries, taken apart."""

from __future__ import annotations

import pytest

from progress_plugin.authored.dates import find_date
from progress_plugin.authored.heading import read_heading, status_of
from progress_plugin.model.status import Status

KNOWN = {"icon-set": "Icons", "M_7": "Seven"}


@pytest.mark.parametrize(
    ("text", "ids", "title"),
    [
        ("2026-02-01 16:45 - US-001: Build it", ["US-001"], "Build it"),
        ("[2026-02-17 06:57:07 JST] - US-001", ["US-001"], None),
        ("US-001 - Build it", ["US-001"], "Build it"),
        ("[US-004] Build it ✅", ["US-004"], "Build it"),
        ("Story US-005 — Build it", ["US-005"], "Build it"),
        ("COMPLETED: US-006 Build it", ["US-006"], "Build it"),
        ("✅ Build it (US-003)", ["US-003"], "Build it"),
        ("2026-02-01 - US-014 & US-015", ["US-014", "US-015"], None),
        ("US-017, US-018 and US-019: Build it", ["US-017", "US-018", "US-019"], "Build it"),
        ("2026-02-13 - US-009 through US-011 (retry)", ["US-009", "US-010", "US-011"], None),
        ("US-001–US-003", ["US-001", "US-002", "US-003"], None),
        ("US-126B: Build it", ["US-126B"], "Build it"),
        ("T001 Build it", ["T001"], "Build it"),
        ("us-001 - Build it", ["us-001"], "Build it"),
        ("Feature #12: Build it - PASSING", ["12"], "Build it"),
        ("Session 2: Features #4 and #5 - Build it", ["4", "5"], "Build it"),
        ("Session 7 - Ticket 7.11: Build it", ["7.11"], "Build it"),
        ("Session 12 — Nov 26, 2026 (Ana + agent)", [], None),
        ("Session 12 (with Ana and Claude)", [], None),
        ("Session 12 (login form)", [], "login form"),
        ("Session 12 (Agent login)", [], "Agent login"),
        ("Session 12 - Claude", [], "Claude"),
        ("Ticket Completed: 7.7 Build it (ad64e28a)", ["7.7"], "Build it"),
        ("2026-02-01 - icon-set: Build it", ["icon-set"], "Build it"),
        ("2026-02-01 - M_7", ["M_7"], None),
        ("2026-02-01 - Build it (Ticket 1)", [], "Build it (Ticket 1)"),
        ("2026-02-01 - build_it tool", [], "build_it tool"),
        ("2026-02-01 - File-Based build", [], "File-Based build"),
        ("UTF-8 all over", [], "UTF-8 all over"),
        ("M2: Build it *(achieved 2026-03-08)*", ["M2"], "Build it *(achieved)*"),
        ("US-001: Build it *(done, 2026-03-08)*", ["US-001"], "Build it"),
        ("US-001: Build it (seen on 2026-03-08)", ["US-001"], "Build it (seen on)"),
        ("Iteration 4 - 2026-02-01 10:00", [], None),
        ("Session 3 Completed", [], None),
        ("会话 3：构建", [], "构建"),
        ("Sat Feb 14 03:17:41 UTC 2026 - US-004", ["US-004"], None),
        ("[Wed Mar 4 16:37:51 +03 2026] - US-001: Build it", ["US-001"], "Build it"),
        ("Tuesday, February 3, 2026 - Build it", [], "Build it"),
        ("2026-02-03 (Tue)", [], None),
        ("2026-02-03 (Dienstag): Build it", [], "Build it"),
        ("2026-02-03 (Sunrise)", [], "(Sunrise)"),
        ("会话 1 - FEAT-001 完成", ["FEAT-001"], None),
        ("US-001: Done", ["US-001"], None),
        ("US-001: Review", ["US-001"], "Review"),
        ("feat: US-003 - Build it", ["US-003"], "Build it"),
        ("fix(mill)!: T2.3 — Build it", ["T2.3"], "Build it"),
        ("Phase 2: BUG-028 + BUG-029 — Build it", ["BUG-028", "BUG-029"], "Build it"),
        ("Phase 2: Build it", [], "Phase 2: Build it"),
        ("(Iteration 3) T4 - Build it", ["T4"], "Build it"),
        ("2026-01-14 03:30 EAT - DEAL-001", ["DEAL-001"], None),
        ("2026-01-14 03:30 TEST the wheel", [], "TEST the wheel"),
        ("January 12, 2026 - Sprint Initialization", [], "Sprint Initialization"),
        ("Mill Progress Report - Session 52: Build it", [], "Build it"),
        ("1S.2 — Build it (PASSED)", ["1S.2"], "Build it"),
        ("GEAR-002/003/004 - Build it - COMPLETE", ["GEAR-002", "GEAR-003", "GEAR-004"], "Build it"),
        ("US-001/US-002: Build it", ["US-001", "US-002"], "Build it"),
        ("MILL-1/wheel.py - Build it", [], "MILL-1/wheel.py - Build it"),
        ("MILL-1/2/wheel - Build it", [], "MILL-1/2/wheel - Build it"),
        ("IMPLEMENTED PRD ITEMS #37-38: Build it", ["37", "38"], "Build it"),
        ("Implemented PRD item #2 & #3: Build it", ["2", "3"], "Build it"),
        ("Implemented S3 upload", [], "Implemented S3 upload"),
        ("Features 105-106: Build it", ["105", "106"], "Build it"),
        ("FEATURES #105-#106: Build it", ["105", "106"], "Build it"),
        ("Task 1-2: Build it", [], "Task 1-2: Build it"),
        ("2026-01-26 (Extended) - FIX-001 Build it", ["FIX-001"], "Build it"),
        ("[2026-01-05 Evening] Build it", [], "Build it"),
        ("2026-01-05 Evening walk", [], "Evening walk"),
        ("", [], None),
    ],
)
def test_ids_and_title_are_found(text: str, ids: list[str], title: str | None) -> None:
    heading = read_heading(text, KNOWN)
    assert (list(heading.ids), heading.title) == (ids, title)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Session 12 - 2026-02-03", 12),
        ("Sprint 10: Polish", 10),
        ("Iteration 3 - US-001: Build it", 3),
        ("Session: Build it", None),
        ("Mill Progress Report - Session 52 (Checks)", 52),
        ("Progress of the mill in session 3", None),
        ("Session 2.1 - Build it", None),
        ("Rebuilt session 3 of the mill", None),
    ],
)
def test_a_heading_that_counts_says_which_it_is(text: str, number: int | None) -> None:
    assert read_heading(text, {}).number == number


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("FEAT-001 完成", Status.DONE),
        ("US-001 blocked", Status.BLOCKED),
        ("US-001: Build it ✅", Status.DONE),
        ("US-001: Build it - BLOCKED", Status.BLOCKED),
        ("US-001: Build it (in progress)", Status.ACTIVE),
        ("US-001: DONE — Build it", Status.DONE),
        ("[2026-01-05T10:00:00Z] FAILED US-001 Build it", Status.FAILED),
        ("Feature #65: SKIPPED (the crane is not drawn)", Status.SKIPPED),
        ("2026-01-05T10:30Z — crane-oiling — FAILED (no commit)", Status.FAILED),
        ("2026-01-05T10:30Z — crane-oiling — FAILED (no commit). The gate holds", Status.FAILED),
        ("[2026-01-05] - Oil the cranes ❌ **FALSE ENTRY - ON PAPER ONLY**", Status.FAILED),
        ("US-001: Open FTP (passive)", None),
        ("US-001: Build it", None),
        ("US-001: Make the build pass", None),
    ],
)
def test_a_heading_may_say_how_it_stands(text: str, status: Status | None) -> None:
    assert read_heading(text, {}).status is status


@pytest.mark.parametrize(
    ("value", "status"),
    [
        ("✅ Complete (all green)", Status.DONE),
        ("complete", Status.DONE),
        ("true", Status.DONE),
        ("❌", Status.FAILED),
        ("🟡 partial, tests missing", Status.ACTIVE),
        ("已完成", Status.DONE),
        ("en progreso", Status.ACTIVE),
        ("wont-fix", Status.SKIPPED),
        ("who knows", None),
        ("", None),
    ],
)
def test_a_status_value_is_understood(value: str, status: Status | None) -> None:
    assert status_of(value) is status


@pytest.mark.parametrize(
    ("text", "day", "clock"),
    [
        ("on 2026-02-03T04:05:06Z", "2026-02-03", "04:05"),
        ("2026/2/3 9:05", "2026-02-03", "09:05"),
        ("Feb 3rd, 2026", "2026-02-03", ""),
        ("3 February 2026 at 14:00", "2026-02-03", "14:00"),
        ("03.02.2026", "2026-02-03", ""),
        ("2026-02-03 ~14:30 KST - US-001", "2026-02-03", "14:30"),
        ("2026年2月3日", "2026-02-03", ""),
        ("Tue Feb  3 04:05:06 CET 2026", "2026-02-03", "04:05"),
        ("Tue 3 Feb 09:05:06 PM UTC 2026", "2026-02-03", "21:05"),
        ("2026-02-03 12:05 AM", "2026-02-03", "00:05"),
        ("Вт 3 Фев 2026 04:05:37 EET - US-006", "2026-02-03", "04:05"),
        ("Вт фев  3 04:05:37 EET 2026 - US-006", "2026-02-03", "04:05"),
        ("Di 3. März 04:05:37 CET 2026", "2026-03-03", "04:05"),
        ("mar. 03 févr. 2026 04:05:37 CET", "2026-02-03", "04:05"),
        ("ter 03 fev 2026 04:05:37 -03", "2026-02-03", "04:05"),
        ("wto, 3 lut 2026, 04:05:37, CET", "2026-02-03", "04:05"),
        ("2026年 02月 03日 星期二 04:05:37 CST", "2026-02-03", "04:05"),
        ("3 de febrero de 2026", "2026-02-03", ""),
        ("3 февраля 2026 г., вечер", "2026-02-03", ""),
        ("2026-02-03 12:05 pm", "2026-02-03", "12:05"),
    ],
)
def test_dates_are_read_in_many_forms(text: str, day: str, clock: str) -> None:
    found = find_date(text)
    assert found is not None
    assert (found.day, found.clock) == (day, clock)


@pytest.mark.parametrize(
    ("zone", "minutes"),
    [("UTC", 0), ("PST", -480), ("-03:30", -210), ("+0800", 480), ("IST", None), ("", None)],
)
def test_a_zone_is_told_in_minutes_where_its_name_means_one(zone: str, minutes: int | None) -> None:
    found = find_date(f"2026-02-03 04:05 {zone}")
    assert found is not None
    assert found.offset == minutes


def test_the_day_of_the_week_belongs_to_the_date() -> None:
    found = find_date("## Mon, 3 Feb 2026")
    assert found is not None
    assert found.start == 3


@pytest.mark.parametrize(
    "date", ["Вт 3 Фев 2026 04:05:37 EET", "Di 3. März 04:05:37 CET 2026", "mar. 03 févr. 2026 04:05:37 CET"]
)
def test_a_date_in_another_language_is_found_whole(date: str) -> None:
    found = find_date(f"## {date} - US-006: Cart")
    assert found is not None
    assert (found.start, found.end) == (3, 3 + len(date))


@pytest.mark.parametrize("text", ["5 cats 2026", "the 5 maids of 2026", "5 mai", "Version 2.5 mai 2026x"])
def test_a_word_that_only_begins_like_a_month_is_none(text: str) -> None:
    assert find_date(text) is None


def test_digits_of_other_scripts_are_read_as_those_that_they_are() -> None:
    found = find_date("## 20２6-０3-٠١ ١٠:３0 - US-1")
    assert found is not None
    assert (found.day, found.clock) == ("2026-03-01", "10:30")


@pytest.mark.parametrize("text", ["\u017fep 3, 2026", "3 \u017fept 2026", "\u017fep 3 10:00:00 2026"])
def test_a_month_may_have_a_letter_that_without_regard_to_case_is_another(text: str) -> None:
    found = find_date(text)
    assert found is not None
    assert found.day == "2026-09-03"


def test_a_letter_that_only_counts_as_another_without_regard_to_case_makes_no_part_of_a_day() -> None:
    found = find_date("2026-03-01 even\u0131ng")
    assert found is not None
    assert (found.day, found.about) == ("2026-03-01", "")


def test_an_impossible_date_is_none() -> None:
    assert find_date("2026-13-45 and 20 more") is None


@pytest.mark.parametrize(
    ("text", "day"),
    [("2026-02-31", "2026-02-28"), ("Feb 30, 2028", "2028-02-29"), ("31.04.2026", "2026-04-30")],
)
def test_a_day_that_its_month_has_not_got_is_the_last_of_the_month(text: str, day: str) -> None:
    found = find_date(text)
    assert found is not None
    assert found.day == day
