"""What a client or a hook of ours puts into a text is cut out of it, and nothing else."""

from __future__ import annotations

import json

import pytest

from progress_plugin.core.clients import CLIENTS, END_OF_CONTEXT, session_start_output
from progress_plugin.transcripts.cleaning import without_injected

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
