"""`context` prints what the next session start shows, byte for byte, whatever state the project is in."""

from __future__ import annotations

import json

from tests.journeys.project_life import Life


def the_same(life: Life) -> str:
    """Return what a start shows, which `context` and its JSON forms say too."""
    done = life.try_command("context")
    shown = life.starts().context
    assert (done.stdout, bool(done.returncode)) == (shown, not shown)
    assert json.loads(life.try_command("context", "--json").stdout)["context"] == shown
    traced = json.loads(life.try_command("context", "--sources", "--json").stdout)
    assert "".join(f"{line['text']}\n" for line in traced) == shown
    return shown


def test_context_and_start_say_the_same_from_init_on(life: Life) -> None:
    the_same(life)
    life.command("init")
    life.starts().logs("task_completed", "Drove the piles", task="US-000")
    assert "US-000" in the_same(life)
    life.plan("US-001 Berths", "US-002 Moorings")
    life.story("US-002", passes=True)
    assert "Stories: 1/2 complete" in the_same(life)
    life.command("config", "set", "inject", "false")
    assert not the_same(life)
