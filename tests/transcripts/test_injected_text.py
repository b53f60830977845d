"""What a client or a start of ours has put into a text is left out of it, and nothing else."""

from __future__ import annotations

import pytest

from progress_plugin.transcripts.injected_text import without_injected

_SECTION = (
    "## Last Session\n\nFrom the client's transcript: 2026-11-20 09:00 – 09:41 UTC, claude.\n\n"
    "- Asked: “Build the sluice.”\n- Changed: sluice.py (new)\n- The agent's last words: “Built.”\n"
)
_ALONE = "agent-progress: recorded by a client's hooks in this project. More: `agent-progress sessions`.\n\n"
_SUMMARY = (
    "agent-progress: recorded progress of the project Harbour. More: `agent-progress recall WORDS`, `status`, `recent`.\n\n"
    "# Progress Summary: Harbour\n\nOld words.\n\n"
    "Auto-generated from prd.json. Full history preserved in prd.json.\n"
)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            "agent-progress: why does the doctor fail?\nAlso add a tide table.",
            "agent-progress: why does the doctor fail?\nAlso add a tide table.",
        ),
        (
            f"What is this?\n{_ALONE}{_SECTION}\nPlease also rename gate.py.",
            "What is this?\nPlease also rename gate.py.",
        ),
        (
            f"What is this?\n{_SUMMARY}\nPlease also rename gate.py.",
            "What is this?\nPlease also rename gate.py.",
        ),
        (
            "agent-progress: recorded the wrong branch yesterday. Please:\n- mend it\n- say so in the log",
            "agent-progress: recorded the wrong branch yesterday. Please:\n- mend it\n- say so in the log",
        ),
        (
            "agent-progress: recorded progress of the project is told twice. Mend that.\n# Why\n- it costs",
            "agent-progress: recorded progress of the project is told twice. Mend that.\n# Why\n- it costs",
        ),
        (f"{_ALONE.strip()} What does that mean?\n- say it", "What does that mean?\n- say it"),
        ("agent-progress: recorded in this project about tides.py:\n- US-001 done\nMend it.", "Mend it."),
        (
            "agent-progress: the last entries of the log are wrong.",
            "agent-progress: the last entries of the log are wrong.",
        ),
        (f"I was told:\n\n{_SECTION}\nso I went on.", "I was told:\nso I went on."),
        (
            "I was told:\n> " + _SECTION.replace("\n", "\n> ") + "\nso I went on.",
            "I was told:\nso I went on.",
        ),
        ("Why is <system-reminder> in my log? Mend it.", "Why is <system-reminder> in my log? Mend it."),
        ("Mend it. <system-reminder>Ours.</system-reminder>Now.", "Mend it. Now."),
        ("## Last Session\nis a heading of mine.", "## Last Session\nis a heading of mine."),
    ],
)
def test_only_what_we_or_a_client_have_put_there_is_left_out_of_a_text(text: str, left: str) -> None:
    found = without_injected(text)
    assert [line.strip("> ") for line in found.splitlines() if line.strip("> ")] == left.splitlines()
