"""One table of words for every file that names a status."""

from __future__ import annotations

import pytest

from progress_plugin.model.status import Status, parse_status, parse_status_phrase


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (Status.DONE, "done Completed CLOSED pass passing complete implemented ✅ ✓ [x] [X]"),
        (Status.ACTIVE, "in-progress in_progress IN_PROGRESS inProgress hooked review pending_review 🔄 [~]"),
        (Status.BLOCKED, "blocked 🚫 ⊘"),
        (Status.FAILED, "failed not_implemented ❌ ✗"),
        (Status.SKIPPED, "skipped cancelled canceled deferred expanded wont-fix ⏭️"),
        (Status.PENDING, "pending open todo not-started ○ ⏳"),
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
    ],
)
def test_free_text_is_read_by_its_first_words(text: str, status: Status | None) -> None:
    assert parse_status_phrase(text) is status
