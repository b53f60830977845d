"""Only real requests of the user are shown, not other texts that a transcript has in the user's name."""

from __future__ import annotations

import pytest

from progress_plugin.core.project import Project
from progress_plugin.summary.session_section import section
from progress_plugin.transcripts.events import AgentReply, FileEdit, UserRequest
from tests.transcripts.claude_transcript import ClaudeTranscript
from tests.transcripts.recorded import record_of, record_of_events, requests_of


def test_a_short_request_is_shown_with_those_before_it(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Add a tide table.")
    told.writes("tides.py", new=True)
    told.says("The table stands; the conversion itself is not written yet.")
    told.asks("go on")
    told.asks("/progress:status why")
    told.asks("thanks")
    told.says("You are welcome.")
    shown = section(record_of(project, told))
    assert "- Asked last: “Add a tide table.”, then “go on”, then “thanks”\n" in shown
    assert "last words: “The table stands; the conversion itself is not written yet.”" in shown
    told.asks("Now add the tides of the other harbours of the coast, too.")
    told.asks("go on")
    shown = section(record_of(project, told), running=True)
    assert (
        "- Being worked on: “Now add the tides of the other harbours of the coast, too.”, then “go on”\n"
        in shown
    )
    assert "- Asked before: “Add a tide table.”; “thanks”; “go on”\n" in shown


@pytest.mark.parametrize("answer", ["It passes now.", "You are welcome. " * 12])
def test_an_answer_after_work_or_of_some_length_is_the_last_word(answer: str) -> None:
    asked = UserRequest("2026-11-20T09:00:00Z", "Add a tide table.")
    thanked = UserRequest("2026-11-20T09:02:00Z", "thanks")
    begun = (asked, AgentReply("2026-11-20T09:01:00Z", "It does not pass yet."), thanked)
    work = [FileEdit("2026-11-20T09:03:00Z", "/p/tides.py")] if len(answer) < 100 else []
    record = record_of_events(*begun, *work, AgentReply("2026-11-20T09:04:00Z", answer))
    assert record.closing == answer.strip()


def test_a_request_that_is_private_as_a_whole_is_none(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Build the pier.")
    told.asks("<private>for Meier</private>")
    assert requests_of(record_of(project, told)) == ["Build the pier."]
