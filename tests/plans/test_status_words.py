"""One table of words for every file that names a status."""

from __future__ import annotations

import pytest

from progress_plugin.authored.reader import read_log
from progress_plugin.model.status import (
    FINISHED,
    OPEN,
    SHOWN_MARKS,
    SHOWN_WORDS,
    Status,
    parse_status,
    parse_status_phrase,
)
from progress_plugin.plans.reader import read_plan


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (
            Status.DONE,
            "done Completed CLOSED pass passing complete implemented finished success true ✅ ✓ 🟢",
        ),
        (Status.DONE, "[x] [X] [✓] [✔] [✅] 완료 concluido"),
        (Status.ACTIVE, "in-progress in_progress IN_PROGRESS inProgress hooked review pending_review 🔄 🟡"),
        (Status.ACTIVE, "wip ongoing started incomplete 进行 [~] [/] [-]"),
        (
            Status.ACTIVE,
            "unfinished not-finished half-done begonnen teilweise nicht-fertig 作業中 実装中 未完 未完成",
        ),
        (Status.PENDING, "paused on-hold 保留"),
        (Status.BLOCKED, "blocked 🚫 ⊘ 🔴 [!]"),
        (Status.FAILED, "failed fail failing failure error false not_implemented ❌ ✗"),
        (Status.SKIPPED, "skipped skip cancelled canceled deferred expanded wont-fix ⏭️"),
        (Status.PENDING, "pending open todo not-started ○ ⏳ ⏸ ⬜ [>]"),
    ],
)
def test_words_and_marks_mean_their_status_however_they_are_joined(status: Status, words: str) -> None:
    assert {word: parse_status(word) for word in words.split()} == dict.fromkeys(words.split(), status)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("won't fix", Status.SKIPPED),
        ("**In Progress**", Status.ACTIVE),
        ("✅ Completed", Status.DONE),
        ("[x] Completed", Status.DONE),
        ("[complete]", Status.DONE),
        ("Completed ✅", Status.DONE),
        ("❌ done", Status.DONE),
        ("✅ Ferdig", Status.DONE),
        ("[ ]", Status.PENDING),
        ("verified", None),
        ("", None),
        ("…", None),
    ],
)
def test_a_known_word_counts_before_the_mark_beside_it(text: str, status: Status | None) -> None:
    assert parse_status(text) is status


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Completed on Monday (see notes)", Status.DONE),
        ("in progress: step 3 of 5", Status.ACTIVE),
        ("Abgeschlossen am 3. März", Status.DONE),
        ("已完成（昨天）", Status.DONE),
        ("Not implemented, by decision", Status.FAILED),
        ("20% - waits for review", None),
        ("Noch nicht begonnen", None),
        ("True baseline is 114 tests", None),
        ("🔴 High priority", None),
        ("🔴 Blocked by the office", Status.BLOCKED),
    ],
)
def test_free_text_is_read_by_its_first_words(text: str, status: Status | None) -> None:
    assert parse_status_phrase(text) is status


def in_a_log(text: str) -> list[tuple[str | None, Status]]:
    return [(event.title, event.status) for event in read_log(text, "progress.md", {}).events]


def in_a_plan(text: str) -> list[tuple[str | None, Status]]:
    plan = read_plan("tasks.md", text.encode(), lambda _: None)
    assert plan is not None
    return [(story.title, story.status) for story in plan.stories]


HEADED = [
    ("Login (WIP)", Status.ACTIVE),
    ("Login (ongoing)", Status.ACTIVE),
    ("Login (canceled)", Status.SKIPPED),
    ("Login [won't fix]", Status.SKIPPED),
    ("Login (closed)", Status.DONE),
    ("Login ⏳", Status.PENDING),
    ("Login 🔴", Status.BLOCKED),
    ("Login 🟡", Status.ACTIVE),
    ("Login 🟢 Done", Status.DONE),
    ("Login ⛔", Status.BLOCKED),
    ("Login ⬜", Status.PENDING),
]


@pytest.mark.parametrize(("wording", "status"), HEADED)
def test_a_heading_says_the_same_in_a_plan_and_in_a_log(wording: str, status: Status) -> None:
    assert in_a_plan(f"# Plan\n\n## Task 4: {wording}\n\nText.\n") == [("Login", status)]
    assert in_a_log(f"# Log\n\n## Task 4: {wording}\n\nText.\n") == [("Login", status)]


@pytest.mark.parametrize(
    "title", ["Code - Review", "Handle the toast (error)", "Map a → b", "Switch 🔴 Critical lamps"]
)
def test_a_word_of_a_title_is_no_status(title: str) -> None:
    assert in_a_plan(f"# Plan\n\n## Task 4: {title}\n\nText.\n") == [(title, Status.PENDING)]
    assert in_a_log(f"# Log\n\n## Task 4: {title}\n\nText.\n") == [(title, Status.DONE)]


@pytest.mark.parametrize("sign", "xX✓✔✅☑ ~/-!>")
def test_a_check_box_says_the_same_in_a_plan_and_in_a_log(sign: str) -> None:
    status = parse_status(f"[{sign}]")
    assert status is not None
    text = f"- [{sign}] T-1: Login\n- [{sign}] T-2: Cart\n"
    assert in_a_log(text) == [("Login", status), ("Cart", status)]
    assert [found for _, found in in_a_plan(f"# Plan\n\n{text}")] == [status, status]


def test_the_mark_before_a_story_is_its_status() -> None:
    text = "- ❌ US-3: Login\n- ⏳ US-4: Cart\n- ✅ US-5: Pay\n"
    expected = [("Login", Status.FAILED), ("Cart", Status.PENDING), ("Pay", Status.DONE)]
    assert in_a_log(text) == expected
    assert in_a_log("# Log\n\n" + text.replace("- ", "\n## ").replace("\n\n", "\nText.\n\n")) == expected


def test_a_story_is_either_open_or_finished_and_every_status_has_a_word_and_a_mark() -> None:
    assert set(Status) == FINISHED | OPEN
    assert not FINISHED & OPEN
    assert set(SHOWN_MARKS) == set(SHOWN_WORDS) == set(Status)
    assert {parse_status(word) for word in SHOWN_WORDS.values()} == set(Status)
