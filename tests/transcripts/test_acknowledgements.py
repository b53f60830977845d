"""Requests that only thank or urge on say nothing of the work."""

from __future__ import annotations

import pytest

from progress_plugin.core.project import Project
from progress_plugin.transcripts.events import Asked, CallFailed, Ran, Said, Wrote
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.requests import Request, only_urges_on
from progress_plugin.transcripts.session_section import section
from tests.transcripts.claude_transcript import ClaudeTranscript
from tests.transcripts.recorded import record_of


@pytest.mark.parametrize(
    "text",
    [
        "thanks", "Go on.", "ok, continue please!", "Looks good to me 👍", "yes", "Thank you very much :)", "LGTM", "keep going…",
        "Danke, mach weiter!", "weiter", "Ja, bitte.", "merci, c’est parfait", "d’accord, continue", "vas-y", "Sí, adelante por favor",
        "va bene, grazie", "sim, obrigado", "tack!", "спасибо, продолжай", "继续", "好的，谢谢！", "ありがとうございます", "はい、続けてください", "계속해 주세요",
    ],
)  # fmt: skip
def test_few_words_that_thank_agree_or_urge_on_ask_for_nothing(text: str) -> None:
    assert only_urges_on(text)
    assert not Request(text).is_of_work


@pytest.mark.parametrize(
    "text",
    [
        "fix it", "commit", "go on with the pier", "thanks, now the quay", "ok, but use Fahrenheit", "continue with tides.py", "ja, aber ohne Test",
        "yes, delete it", "2", "next: US-004", "please run `make`", "/review", "go.mod", "deploy", "why?", "weiter mit dem Kai", "merci, corrige le test",
        "继续写测试", "続けてテストを書いて", "", "…", "go on " * 8, "make test", "ok --force",
    ],
)  # fmt: skip
def test_whatever_says_more_is_a_request(text: str) -> None:
    assert not only_urges_on(text)


def test_what_is_worked_on_is_what_was_asked_and_not_the_thanks_for_it(
    project: Project, told: ClaudeTranscript
) -> None:
    told.asks("Add a tide table.")
    told.writes("tides.py", new=True)
    told.says("The table stands; the conversion itself is not written yet.")
    told.asks("go on")
    told.asks("/progress:status why")
    told.asks("thanks")
    told.says("You are welcome.")
    record = record_of(project, told)
    assert "Being worked on: “Add a tide table.”" in section(record, running=True, in_log=None)
    shown = section(record)
    assert "- Asked: “Add a tide table.”" in shown
    assert "last words: “The table stands; the conversion itself is not written yet.”" in shown
    again = SessionRecord.from_json(record.as_json(), project.root)
    assert again is not None
    again.take(Asked("2026-11-21T09:00:00Z", "bye"))
    again.take(Said("2026-11-21T09:00:01Z", "Goodbye!"))
    assert again.closing == record.closing


def test_where_nothing_else_was_asked_the_urging_is_told(project: Project) -> None:
    record = SessionRecord("claude", "s", project.root)
    record.take(Asked("2026-11-20T09:00:00Z", "go on"))
    assert "Being worked on: “go on”" in section(record, running=True, in_log=None)


@pytest.mark.parametrize("answer", ["It passes now.", "You are welcome. " * 12])
def test_an_answer_after_work_or_of_some_length_is_the_last_word(answer: str, project: Project) -> None:
    record = SessionRecord("claude", "s", project.root)
    record.take(Asked("2026-11-20T09:00:00Z", "Add a tide table."))
    record.take(Said("2026-11-20T09:01:00Z", "It does not pass yet."))
    record.take(Asked("2026-11-20T09:02:00Z", "go on"))
    if len(answer) < 100:
        record.take(Wrote("2026-11-20T09:03:00Z", f"{project.root}/tides.py"))
    record.take(Said("2026-11-20T09:04:00Z", answer))
    assert record.closing == answer.strip()


def test_what_our_own_tools_refuse_is_not_told(project: Project) -> None:
    record = SessionRecord("claude", "s", project.root)
    for tool in ("mcp__plugin_progress_progress__progress_log", "progress_mem_save", "mcp__other__deploy"):
        record.take(CallFailed("2026-11-20T09:00:00Z", tool, ""))
    assert list(record.failures) == ["mcp__other__deploy"]


def test_of_a_command_line_that_failed_no_check_is_told_beside_it() -> None:
    record = SessionRecord("claude", "s", "/p")
    record.take(Ran("2026-11-20T09:00:00Z", "npm ci && npm test", 1, "error: no network"))
    record.take(Ran("2026-11-20T09:01:00Z", "npm run lint | cat", 0, ""))
    shown = section(record, running=True, in_log=None)
    assert "- Failed, and not repeated with success: `npm ci && npm test`: error: no network" in shown
    assert "- Checks: `npm run lint` ran, its result is not known\n" in shown
