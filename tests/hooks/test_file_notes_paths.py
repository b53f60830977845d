"""Which file a recorded path means, in which worktree, and at which client's tools."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from real_doors import Answer, Hooks, Repository
from recorded_files import DATA, LAMP, WARDS, log, put, settings, started, used

from progress_plugin.core.known_paths import LOGS
from progress_plugin.text.safe_output import one_line


def as_client(hooks: Hooks, variable: str, **fields: Any) -> Answer:
    """Send a tool's use as another client does, known by one variable of its own."""
    hooks.environment = {"CLAUDECODE": "", variable: "1"}
    return hooks.event("PostToolUse", **fields)


def test_a_client_that_reads_by_a_shell_is_told_at_the_words_of_its_commands(recorded: Hooks) -> None:
    for line in ("echo lamp", "cat src/bell.ts", "ls src"):
        assert as_client(recorded, "PLUGIN_ROOT", tool_name="Bash", tool_input={"command": line}).raw == b""
    line = "cd src && sed -n '1,200p' \"./lamp.ts\"\n"
    told = as_client(recorded, "PLUGIN_ROOT", tool_name="Bash", tool_input={"command": line})
    assert told.context == ""  # it would have to be followed into that folder
    line = "sed -n '1,200p' \"src/lamp.ts\" | head\n"
    told = as_client(recorded, "PLUGIN_ROOT", tool_name="Bash", tool_input={"command": line})
    assert LAMP in told.context


def test_a_client_that_has_tools_for_files_is_told_nothing_at_a_command(recorded: Hooks) -> None:
    assert recorded.ran("git add src/lamp.ts").context == ""


def test_copilot_gets_its_flat_shape_and_gemini_nothing(recorded: Hooks) -> None:
    read = {"tool_name": "view", "tool_input": {"path": str(recorded.root / "src/lamp.ts")}}
    assert as_client(recorded, "GEMINI_PROJECT_DIR", **read).raw == b""
    told = as_client(recorded, "COPILOT_PLUGIN_ROOT", **read)
    assert list(told.json) == ["additionalContext"]
    assert LAMP in told.json["additionalContext"]


def test_a_name_without_a_folder_is_the_one_that_the_entry_lists(
    repository: Repository, hooks: Hooks
) -> None:
    settings(repository, "max_learnings = 0")
    text = (
        "## 2026-03-01 - US-001: Lamp\n- Files changed: src/web/client.ts\n- **Learnings:**\n"
        "  - `client.ts` waits for the tide\n\n"
        "## 2026-03-02 - US-002: Fog\n- Files changed: src/api/client.ts\n- **Learnings:**\n"
        "  - `client.ts` rings the bell twice\n"
    )
    (repository.root / "progress.md").write_text(text, "utf-8")
    put(repository.root, "src/web/client.ts", "src/api/client.ts")
    hooks.start()
    web, api = used(hooks, "src/web/client.ts"), used(hooks, "src/api/client.ts")
    assert ("waits for the tide" in web, "rings the bell" in web) == (True, False)
    assert ("waits for the tide" in api, "rings the bell" in api) == (False, True)


def test_a_name_without_a_folder_means_none_of_two_files_that_git_knows(
    repository: Repository, hooks: Hooks
) -> None:
    log(repository, "dup.ts must be kept in step", "single.ts waits for the tide")
    put(repository.root, "a/dup.ts", "b/dup.ts", "a/single.ts")
    repository.commit()
    started(hooks)
    assert [used(hooks, path) for path in ("a/dup.ts", "b/dup.ts")] == ["", ""]
    assert "tide" in used(hooks, "a/single.ts")


def test_absolute_paths_of_this_and_of_another_machine_are_understood(
    repository: Repository, hooks: Hooks
) -> None:
    log(repository, f"The fuse of `{repository.root}/src/lamp.ts` is short",
        "The rope of `/home/keeper/lighthouse/src/bell.ts` is long",
        "The wheel of `/home/keeper/mill/src/fog.ts` is wet")  # fmt: skip
    put(repository.root, "src/lamp.ts", "src/bell.ts", "src/fog.ts")
    hooks.start()
    assert "fuse" in used(hooks, "src/lamp.ts")
    assert "rope" in used(hooks, "src/bell.ts")
    assert used(hooks, "src/fog.ts") == ""


def test_a_worktree_is_told_what_the_log_of_the_main_one_knows(own: Hooks, tmp_path: Path) -> None:
    main = Repository(own.root)
    main.commit()
    tree = tmp_path / "branch"
    main.git("worktree", "add", "-q", str(tree))
    put(tree, "src/lamp.ts")
    there = Hooks(tree)
    (tree / DATA).mkdir(parents=True, exist_ok=True)
    (tree / DATA / "config.toml").write_text("max_learnings = 0\n", "utf-8")
    there.start()
    assert LAMP in used(there, "src/lamp.ts")


@pytest.mark.parametrize("is_tracked", [True, False])
def test_a_worktree_in_which_no_session_has_begun_is_told_what_the_main_one_knows(
    own: Hooks, tmp_path: Path, is_tracked: bool
) -> None:
    Repository(own.root).commit()
    tree = tmp_path / "branch"
    Repository(own.root).git("worktree", "add", "-q", str(tree))
    assert (tree / DATA / "config.toml").exists()
    if not is_tracked:
        shutil.rmtree(tree / DATA)
    put(tree, "src/lamp.ts", "src/deep/other.ts")
    assert LAMP in used(Hooks(tree), "src/lamp.ts")
    assert used(Hooks(tree), "src/lamp.ts") == ""
    assert LAMP in used(Hooks(tree / "src/deep"), tree / "src/lamp.ts", session_id="below")
    assert not (tree / DATA / "sessions").exists()


def test_a_repository_that_only_says_it_is_a_worktree_of_another_is_told_nothing(
    own: Hooks, tmp_path: Path
) -> None:
    stranger = tmp_path / "stranger"
    put(stranger, "src/lamp.ts")
    (stranger / ".git").write_text(f"gitdir: {own.root}/.git/worktrees/branch\n", "utf-8")
    assert used(Hooks(stranger), "src/lamp.ts") == ""


def test_a_session_that_changes_into_a_worktree_is_told_nothing_twice(own: Hooks, tmp_path: Path) -> None:
    Repository(own.root).commit()
    tree = tmp_path / "branch"
    Repository(own.root).git("worktree", "add", "-q", str(tree))
    put(tree, "src/lamp.ts", "src/bell.ts")
    (tree / DATA).mkdir(parents=True, exist_ok=True)
    (tree / DATA / "config.toml").write_text("max_learnings = 0\n", "utf-8")
    assert LAMP in used(own, "src/lamp.ts")
    Hooks(tree).start(session_id="another")
    assert used(Hooks(tree), "src/lamp.ts") == ""
    assert "clapper" in used(Hooks(tree), "src/bell.ts")


def test_a_command_that_reads_several_files_is_told_which_it_is_about(own: Hooks) -> None:
    line = "cat src/lamp.ts src/bell.ts src/fog.ts"
    told = as_client(own, "PLUGIN_ROOT", tool_name="Bash", tool_input={"command": line}).context
    [heading] = [text for text in told.split("\n") if "recorded in this project" in text]
    assert heading.endswith("about src/lamp.ts, src/bell.ts:")  # of the fog the start has told


def test_a_text_that_is_called_like_a_member_is_none(own: Hooks) -> None:
    for number, name in enumerate(("file_path", "session_id", "cwd")):
        change = {"old_string": name, "new_string": name, "file_path": str(own.root / "src/lamp.ts")}
        told = own.event(
            "PostToolUse", tool_name="Edit", tool_input=change, session_id=f"{number}", cwd=str(own.root)
        )
        assert LAMP in told.context


UNUSUAL = (
    "Dockerfile",
    "Makefile",
    ".env.example",
    ".github/workflows/tide.yml",
    "ops/Dockerfile",
    "bin/begin",
)


def test_files_without_an_ending_or_with_a_leading_dot_are_told_of(
    repository: Repository, hooks: Hooks
) -> None:
    log(repository, *(f"`{path}` needs the {ward}" for path, ward in zip(UNUSUAL, WARDS, strict=False)))
    put(repository.root, *UNUSUAL)
    hooks.start()
    for path, ward in zip(UNUSUAL, WARDS, strict=False):
        assert ward in used(hooks, path), path
        assert ward in used(hooks, path, session_id=f"edit-{UNUSUAL.index(path)}", tool="Edit"), path


def test_a_client_that_reads_by_a_shell_is_told_of_them_as_well(repository: Repository, hooks: Hooks) -> None:
    log(repository, *(f"`{path}` needs the {ward}" for path, ward in zip(UNUSUAL, WARDS, strict=False)))
    put(repository.root, *UNUSUAL)
    hooks.start()
    for path, ward in zip(UNUSUAL, WARDS, strict=False):
        read = {"tool_name": "Bash", "tool_input": {"command": f"cat {path} | head"}}
        assert ward in as_client(hooks, "PLUGIN_ROOT", **read).context, path


@pytest.mark.parametrize("source", LOGS)
def test_where_a_statement_of_a_usual_log_stands_is_harmless_as_it_is(source: str) -> None:
    assert one_line(f"{source}:1234567", 80) == f"{source}:1234567"
