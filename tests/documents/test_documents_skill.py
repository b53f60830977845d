"""The skill and the slash command: an agent that follows them must get where they say."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from progress_plugin.log.entry import ENTRY_TYPES
from progress_plugin.mcp.calls import TOOLS
from tests.documents import remake
from tests.documents.console import Place

SKILL = remake.read(remake.SKILL)
COMMAND = remake.read("commands/status.md")


def _front(text: str) -> dict[str, str]:
    lines = text.split("---\n")[1].splitlines()
    return {key: value.strip() for key, _, value in (line.partition(":") for line in lines)}


def _commands() -> list[str]:
    blocks = re.findall(r"^```bash\n(.*?)^```$", SKILL, re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def test_every_type_that_may_be_written_is_explained() -> None:
    rows = re.findall(r"^\| `(\w+)` \| .+ \|.*\|$", SKILL, re.MULTILINE)
    assert sorted(rows) == sorted(ENTRY_TYPES)


def test_the_tool_is_shown_with_arguments_it_has() -> None:
    known = TOOLS["progress_log"].model_fields
    (arguments,) = re.findall(r"`progress_log\(([^)]*)\)`", SKILL)
    assert set(arguments.split(", ")) <= set(known)


@pytest.mark.slow
def test_every_command_of_the_skill_does_what_it_says(tmp_path: Path) -> None:
    place = Place(tmp_path)
    logged = []
    for command in _commands():
        code, printed = place.run(command)
        assert code == 0, f"{command}\n{printed}"
        if shlex.split(command)[1] == "log":
            logged.append(printed.split()[1])
    log = json.loads((place.project / ".agent-os/progress/progress.json").read_text("utf-8"))
    assert [entry["type"] for entry in log["entries"]] == logged
    assert set(logged) == set(ENTRY_TYPES) - {"session_started", "session_ended"}
    _, document = place.run("agent-progress memory progress")
    assert '"accept button"' in document


@pytest.mark.slow
def test_a_blocker_named_by_its_id_is_resolved(tmp_path: Path) -> None:
    place = Place(tmp_path)
    _, printed = place.run("agent-progress log task_blocked --description 'No key for the quay gate'")
    entry_id = printed.split()[0]
    place.run(f"agent-progress log debug_resolved --description 'The key was found' --resolves {entry_id}")
    _, printed = place.run("agent-progress recent --json")
    assert json.loads(printed)["unresolved_blockers"] == []


def test_the_slash_command_keeps_the_built_in_of_the_same_name() -> None:
    assert "name" not in _front(COMMAND)


def test_the_slash_command_allows_the_model_nothing_but_itself() -> None:
    front = _front(COMMAND)
    (shell,) = re.findall(r"^!`(.+)`$", COMMAND, re.MULTILINE)
    allowed = re.findall(r"Bash\((.*?)\)", front["allowed-tools"])
    launcher = 'sh "${CLAUDE_PLUGIN_ROOT}/bin/agent-progress" status'
    assert allowed == [f"{launcher}:*", "true"]
    assert shell.startswith(f"{launcher} $ARGUMENTS")
    assert front["disable-model-invocation"] == "true"


@pytest.mark.slow
@pytest.mark.parametrize("argument", ["", "summarize", "why", "nonsense"])
def test_the_slash_command_ends_well_whatever_the_answer_is(argument: str, tmp_path: Path) -> None:
    place = Place(tmp_path)
    (shell,) = re.findall(r"^!`(.+)`$", COMMAND, re.MULTILINE)
    called = shell.replace('sh "${CLAUDE_PLUGIN_ROOT}/bin/agent-progress"', "agent-progress")
    code, printed = place.run(called.replace("$ARGUMENTS", argument))
    assert code == 0
    assert printed.strip()


RECALL = remake.read("commands/recall.md")


def test_the_command_that_recalls_runs_nothing_by_itself_and_allows_nothing_else() -> None:
    front = _front(RECALL)
    launcher = 'sh "${CLAUDE_PLUGIN_ROOT}/bin/agent-progress" recall'
    assert re.findall(r"Bash\((.*?)\)", front["allowed-tools"]) == [f"{launcher}:*"]
    assert f"`{launcher}`" in RECALL
    assert not re.search(
        r"^!`", RECALL, re.MULTILINE
    )  # a question may hold quotes: no shell reads it as it is
    assert front["disable-model-invocation"] == "true"
    assert "$ARGUMENTS" in RECALL
