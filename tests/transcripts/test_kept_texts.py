"""What is kept of a session's texts: no secrets, no text of our hooks, the end of a long answer."""

from __future__ import annotations

import json

import pytest

from progress_plugin.core.clients import CLIENTS, END_OF_CONTEXT, session_start_output
from progress_plugin.core.project import Project
from progress_plugin.summary.session_section import section
from progress_plugin.summary.start_context import intro
from progress_plugin.transcripts.record_builder import without_injected
from tests.transcripts.claude_transcript import ClaudeTranscript
from tests.transcripts.recorded import kept, kept_text, record_of, record_of_lines
from tests.transcripts.tables import rows

_SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def test_what_a_start_of_ours_had_printed_comes_not_back(project: Project, told: ClaudeTranscript) -> None:
    ours = f"{intro('Harbour')}# Progress Summary: Harbour\n{END_OF_CONTEXT}\n"
    told.injects(ours)
    told.asks(f"<hook_context>{ours}</hook_context>Build the pier.<system-reminder>x</system-reminder>")
    told.says(f"{ours}Done.")
    kept = json.dumps(record_of(project, told).to_data())
    assert "Progress Summary" not in kept
    assert '"Build the pier."' in kept
    assert "system-reminder" not in kept


def test_no_secret_is_kept_of_requests_commands_outputs_and_calls(
    project: Project, told: ClaudeTranscript
) -> None:
    told.asks(f"Use the token {_SECRET} for the harbour. " * 3)
    told.runs(f"curl -H 'Authorization: Bearer {_SECRET}' harbour.example", 7, f"Error: bad token {_SECRET}")
    told.runs(f"TOKEN={_SECRET} pytest", 1, f"E   AssertionError: {_SECRET}\n1 failed")
    told.plans("1", f"Rotate {_SECRET}")
    told.says(f"The token is {_SECRET}.")
    told.waits(f"deploy --token {_SECRET}")
    record_of(project, told)
    kept = kept_text(project)
    assert "REDACTED" in kept
    assert _SECRET not in kept
    assert _SECRET[:20] not in kept


@pytest.mark.parametrize("command", [row[0] for row in rows("secret_arguments.tsv")])
def test_no_secret_is_kept_in_the_name_of_a_check(
    command: str, project: Project, told: ClaudeTranscript
) -> None:
    secret = "Xk7pQ2m9" + "RtZ4abcd"
    told.asks("Build the pier.")
    told.writes("pier.py")
    told.runs(command.replace("@", secret), 1, "E 1")
    assert record_of(project, told).failing
    assert secret not in kept_text(project)


_KEY_IN_LINES = "\n".join(
    ["-----BEGIN RSA PRIVATE KEY-----", *["Zm9vYmFyYmF6" * 5] * 900, "-----END RSA PRIVATE KEY-----"]
)


@pytest.mark.parametrize(
    "part", [f"<private>{'Meier owes 500. ' * 3000}</private>", _KEY_IN_LINES], ids=["private", "key"]
)
def test_of_a_part_that_is_longer_than_what_is_looked_at_nothing_is_kept(
    part: str, project: Project, told: ClaudeTranscript
) -> None:
    told.asks(f"Build the pier. {part}")
    told.writes("pier.py")
    told.runs("pytest", 1, f"{part}\n")
    told.runs("./deploy", 1, f"E   before\n{part}")
    told.says(f"It is done.\n{part}\nThe end.")
    record = record_of(project, told)
    assert record.closing.startswith("It is done. ")
    assert record.closing.endswith("The end.")
    kept = kept_text(project)
    assert "Meier" not in kept
    assert "Zm9v" not in kept


def test_of_a_long_answer_the_end_is_kept_as_its_last_words(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Build the pier.")
    told.writes("pier.py", new=True)
    told.says(f"I began with the piles. {'They are deep. ' * 80}The last plank is missing.")
    record = record_of(project, told)
    again = kept(record)
    assert len(again.closing) <= 602
    assert again.closing.startswith("…")
    assert again.closing.endswith("The last plank is missing.")
    assert "The last plank is missing.”" in section(again)
    assert again.to_data()["closing"] == again.closing


def test_what_a_record_tells_is_safe_before_it_was_kept_too(project: Project) -> None:
    said = f"The token is {_SECRET}.\n\n{intro('Harbour')}# Progress\n{END_OF_CONTEXT}"
    line = {"type": "assistant.message", "data": {"content": said}}
    record = record_of_lines("copilot", [line], project.root)
    assert record.closing == "The token is [REDACTED:GITHUB_TOKEN]."


_OURS = f"""\
agent-progress: recorded progress of the project Harbour. More: `agent-progress recall WORDS`, `status`, `recent`.

# Progress Summary: Harbour

agent-progress: the summary could not be renewed (no room).
- Asked: “Build the sluice.”
{END_OF_CONTEXT}
"""


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"What is this?\n{_OURS}Please also rename gate.py.", "What is this?\nPlease also rename gate.py."),
        (
            "I was told:\n> " + _OURS.replace("\n", "\n> ").rstrip("> ") + "so I went on.",
            "I was told:\nso I went on.",
        ),
        (_OURS + _OURS, ""),
        ("agent-progress: why does the doctor fail?\nAlso add a table.",) * 2,
        (f"{END_OF_CONTEXT}\nWhat is that?",) * 2,
        ("## Last Session\nis a heading of mine.",) * 2,
        ("Why is <system-reminder> in my log? Mend it.",) * 2,
        ("Mend it. <system-reminder>Ours.</system-reminder>Now.", "Mend it. Now."),
        (f"<hook_context>{_OURS}</hook_context>Build the pier.", "Build the pier."),
        ("<hook_context>" * 70_000 + "</hook_context>Build the pier.", "Build the pier."),
    ],
)
def test_only_what_we_or_a_client_have_put_there_is_cut_out(text: str, left: str) -> None:
    assert without_injected(text).strip() == left


@pytest.mark.parametrize("client", CLIENTS)
def test_what_a_hook_prints_is_cut_out_by_its_marks(client: str) -> None:
    printed = json.loads(
        session_start_output(CLIENTS[client], "agent-progress: the log.\n- Old words.\n", "")
    )
    (shown,) = [value for value in _texts(printed) if "Old words" in value]
    assert without_injected(f"Look:\n{shown}Build the pier.") == "Look:\nBuild the pier."


def _texts(value: object) -> list[str]:
    if isinstance(value, dict):
        return [text for each in value.values() for text in _texts(each)]
    return [value] if isinstance(value, str) else []
