"""Of what stands in a transcript as the user's words, only what the user asked is told."""

from __future__ import annotations

from progress_plugin.core.project import Project
from progress_plugin.transcripts.session_section import section
from tests.transcripts.claude_transcript import ClaudeTranscript
from tests.transcripts.recorded import record_of, requests_of


def test_a_first_request_that_was_withdrawn_is_not_told(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Build the peer.")
    told.withdraws()
    told.asks("Build the pier.")
    told.says("I do.")
    told.asks("Now the quay.")
    told.withdraws()
    told.asks("Now the lighthouse.")
    record = record_of(project, told)
    assert requests_of(record) == ["Build the pier.", "Now the lighthouse."]
    assert record.asked == 2


def test_a_request_after_a_compaction_withdraws_none(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Build the pier.")
    told.is_compacted()
    told.begins_anew()
    told.asks("Now the quay.")
    assert requests_of(record_of(project, told)) == ["Build the pier.", "Now the quay."]


def test_a_request_that_is_private_as_a_whole_is_none(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Build the pier.")
    told.asks("<private>for Meier</private>")
    told.writes("pier.py", new=True)
    record = record_of(project, told)
    assert [request.text for request in record.requests] == ["Build the pier."]
    assert "“”" not in section(record, running=False, in_log=None)
