"""`install` and `uninstall` without real clients: steps, failures, the copy of the plugin, leftovers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from progress_plugin.cli.admin import status_line_entry
from progress_plugin.usecases.install import plugin_copy
from progress_plugin.usecases.install.install import Verdict, install, uninstall
from tests.conftest import REPOSITORY
from tests.install.conftest import AddProgram, Cli


def test_a_link_is_made_once_and_removed(cursor: Path) -> None:
    (first,) = install((), dry_run=False).outcomes
    assert (first.verdict, os.path.realpath(cursor)) == (Verdict.REGISTERED, str(REPOSITORY))
    (second,) = install((), dry_run=False).outcomes
    assert (second.verdict, second.did) == (Verdict.ALREADY, ())
    (removed,) = uninstall((), dry_run=False).outcomes
    assert removed.verdict is Verdict.REMOVED
    assert not os.path.lexists(cursor)
    (nothing,) = uninstall((), dry_run=False).outcomes
    assert nothing.verdict is Verdict.NOTHING


def test_a_dry_run_changes_nothing(cursor: Path, home: Path) -> None:
    (would,) = install((), dry_run=True).outcomes
    assert (would.verdict, would.did) == (Verdict.WOULD, (f"link {cursor} to {REPOSITORY}",))
    assert list(home.rglob("*")) == [home / ".cursor"]
    install((), dry_run=False)
    (would,) = uninstall((), dry_run=True).outcomes
    assert (would.verdict, cursor.is_symlink()) == (Verdict.WOULD, True)


@pytest.mark.parametrize("name", ["claude", "codex", "copilot", "gemini", "opencode"])
def test_a_dry_run_starts_no_client(add_program: AddProgram, tmp_path: Path, name: str) -> None:
    add_program(name, f'echo "$@" >> {tmp_path}/started; echo "[]"')
    (would,) = install((), dry_run=True).outcomes
    assert would.did[-1].endswith(("progress@agent-progress", "--consent", "--global"))
    (would,) = uninstall((), dry_run=True).outcomes
    assert would.client == name
    assert not (tmp_path / "started").exists()


def test_the_failure_of_a_client_is_one_line_and_does_not_stop_the_others(
    add_program: AddProgram, cursor: Path
) -> None:
    add_program("codex", 'echo "warming up"; echo "Error: no disk"; echo; echo "  0: <unknown>"; exit 1')
    codex, other = install((), dry_run=False).outcomes
    assert codex.verdict is Verdict.FAILED
    assert codex.problem == f"codex plugin marketplace add {REPOSITORY}: Error: no disk"
    assert other.verdict is Verdict.REGISTERED


def test_a_client_that_reports_success_and_does_nothing_is_noticed(add_program: AddProgram) -> None:
    add_program("copilot", "exit 0")
    (failed,) = install(("copilot",), dry_run=False).outcomes
    assert failed.problem.startswith("Copilot CLI does not list the plugin after: copilot plugin uninstall ")


def test_an_unexpected_answer_is_a_failure_of_that_client(add_program: AddProgram) -> None:
    add_program("claude", """echo '[{"id": "progress@agent-progress", "scope": "user", "installPath": 5}]'""")
    (failed,) = install((), dry_run=False).outcomes
    assert failed.problem.startswith("Claude Code does not list the plugin after: ")


def test_the_copy_that_a_client_runs_can_remove_itself(cursor: Path, home: Path) -> None:
    place = home / ".local" / "share" / "agent-progress" / "plugin"
    for name in ("progress_plugin", "bin"):
        shutil.copytree(REPOSITORY / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("plugin.json", "requirements.lock"):
        shutil.copy(REPOSITORY / name, place)
    main = [sys.executable, "-B", str(place / "progress_plugin" / "__main__.py")]
    variables = {"HOME": str(home), "PATH": os.environ["PATH"]}
    for words in (["install", "--all"], ["uninstall", "--all"]):
        done = subprocess.run([*main, *words], env=variables, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
    assert f"Removed: {place}\n" in done.stdout
    assert not place.exists()
    assert not os.path.lexists(cursor)


@pytest.mark.parametrize("is_link", [True, False])
def test_a_directory_of_the_user_in_place_of_the_copy_stays(
    home: Path, tmp_path: Path, is_link: bool
) -> None:
    place = home / ".local" / "share" / "agent-progress" / "plugin"
    place.parent.mkdir(parents=True)
    if is_link:
        place.symlink_to(REPOSITORY)
    else:
        shutil.copytree(REPOSITORY / "bin", place / "bin")
    assert plugin_copy.remove_copy() is None
    assert (place / "bin" / "agent-progress").exists()


def test_the_command_prints_what_it_did_and_what_is_left(cli: Cli, cursor: Path, home: Path) -> None:
    done = cli("install", "cursor")
    launcher = f"sh {REPOSITORY}/bin/agent-progress"
    assert (done.code, done.out.splitlines()) == (
        0,
        [
            "Cursor: registered",
            f"  link {cursor} to {REPOSITORY}",
            "  → restart Cursor; this follows its documentation and was never tried",
            f"The plugin's directory: {REPOSITORY}",
            f"In your shell agent-progress is not on the PATH: call `{launcher}`. Agents are told so, too.",
        ],
    )
    log = Path.cwd() / ".agent-os" / "progress"
    (log / "shared" / "vm-1").mkdir(parents=True)
    (home / ".config" / "agent-progress").mkdir(parents=True)
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps(status_line_entry()))
    Path("AGENTS.md").write_text("<!-- agent-progress: patterns -->\n- x\n<!-- /agent-progress -->\n")
    done = cli("-C", str(Path.cwd()), "uninstall", "--all")
    assert done.code == 0
    assert f"Left: {log}: the log of this project; shared/ is in git" in done.out
    assert f"\n  → rm -r {log}\n" in done.out
    assert "AGENTS.md: a block made by `promote`\n  → remove it with both comment lines" in done.out
    assert f"Left: {settings}: it names agent-progress\n  → remove those lines" in done.out
    assert f"  → rm -r {home / '.config' / 'agent-progress'}\n" in done.out


def test_a_client_that_is_not_found_or_not_named_is_exit_2(cli: Cli) -> None:
    done = cli("install", "codex", "gemini")
    assert (done.code, done.err) == (
        2,
        "agent-progress: Codex CLI, Gemini CLI: not found here; put the program on PATH, then try again\n",
    )
    for words in (("install",), ("uninstall", "codex", "--all")):
        done = cli(*words)
        assert (done.code, done.err) == (
            2,
            "agent-progress: Name clients, or say --all. Found here: none.\n",
        )


def test_json_has_the_outcomes(cli: Cli, cursor: Path) -> None:
    done = json.loads(cli("install", "--all", "--json", "--dry-run").out)
    assert [(each["client"], each["verdict"]) for each in done["outcomes"]] == [
        ("cursor", "dry run: would run")
    ]
    done = json.loads(cli("uninstall", "--all", "--json").out)
    assert done["outcomes"][0]["verdict"] == "not registered"
