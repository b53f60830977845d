"""`install` and `uninstall` without real clients: steps, failures, the copy of the plugin, leftovers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from progress_plugin.usecases.install import register
from tests.cli.conftest import Run
from tests.conftest import REPOSITORY
from tests.install.conftest import AddProgram


def test_a_link_is_made_once_and_removed(cursor: Path) -> None:
    (first,) = register((), wanted=True, dry_run=False)
    assert (first["verdict"], os.path.realpath(cursor)) == ("registered", str(REPOSITORY))
    (second,) = register((), wanted=True, dry_run=False)
    assert (second["verdict"], second["did"]) == ("registered already", [])
    (removed,) = register((), wanted=False, dry_run=False)
    assert removed["verdict"] == "taken out"
    assert not os.path.lexists(cursor)
    (nothing,) = register((), wanted=False, dry_run=False)
    assert nothing["verdict"] == "not registered"


def test_opencode_gets_a_link_to_one_file(add_program: AddProgram, home: Path) -> None:
    add_program("opencode", "exit 1")
    link = home / ".config/opencode/plugins/progress.js"
    for _ in range(2):
        register((), wanted=True, dry_run=False)
        assert os.path.realpath(link) == str(REPOSITORY / "opencode/plugin.js")
    (removed,) = register((), wanted=False, dry_run=False)
    assert (removed["verdict"], os.path.lexists(link)) == ("taken out", False)


def test_a_dry_run_changes_nothing(cursor: Path, home: Path) -> None:
    (would,) = register((), wanted=True, dry_run=True)
    assert (would["verdict"], would["did"]) == ("dry run: would run", [f"link {cursor} to {REPOSITORY}"])
    assert list(home.rglob("*")) == [home / ".cursor"]
    register((), wanted=True, dry_run=False)
    assert register((), wanted=True, dry_run=True)[0]["verdict"] == "registered already"
    (would,) = register((), wanted=False, dry_run=True)
    assert (would["verdict"], cursor.is_symlink()) == ("dry run: would run", True)


@pytest.mark.parametrize("name", ["claude", "codex", "copilot", "gemini", "opencode"])
def test_a_dry_run_starts_no_client(add_program: AddProgram, tmp_path: Path, name: str) -> None:
    add_program(name, f'echo "$@" >> {tmp_path}/started; echo "[]"')
    (would,) = register((), wanted=True, dry_run=True)
    assert would["did"][-1].endswith(("progress@agent-progress", "--consent", "/opencode/plugin.js"))
    assert all(
        line.endswith(" (if it is there)") == (" uninstall " in line or " remove " in line)
        for line in would["did"]
    )
    assert would["verdict"].removesuffix(", if not registered already") == "dry run: would run"
    (would,) = register((), wanted=False, dry_run=True)
    assert would["client"] == name
    assert not (tmp_path / "started").exists()


def test_the_failure_of_a_client_is_one_line_and_does_not_stop_the_others(
    add_program: AddProgram, cursor: Path
) -> None:
    add_program("codex", 'echo "warming up"; echo "Error: no disk"; echo; echo "  0: <unknown>"; exit 1')
    codex, other = register((), wanted=True, dry_run=False)
    assert codex["verdict"] == "failed"
    assert codex["problem"] == f"codex plugin marketplace add {REPOSITORY}: Error: no disk"
    assert other["verdict"] == "registered"


def test_the_copy_that_a_client_runs_can_remove_itself(cursor: Path, home: Path) -> None:
    place = home / ".local" / "share" / "agent-progress" / "plugin"
    for name in ("progress_plugin", "bin", "templates"):
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


def test_the_command_prints_its_steps_and_leftovers(run: Run, cursor: Path, home: Path) -> None:
    code, out, _ = run("install", "cursor")
    assert code == 0
    assert f"Cursor: registered\n  link {cursor} to {REPOSITORY}\n" in out
    assert f"call `sh {REPOSITORY}/bin/agent-progress`" in out
    log = Path.cwd() / ".agent-os" / "progress"
    log.mkdir(parents=True)
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    (home / ".config/agent-progress").mkdir(parents=True)
    settings.write_text(run("init", "--statusline")[1])
    code, out, _ = run("-C", str(Path.cwd()), "uninstall", "--all")
    assert code == 0
    for line in (
        f"Left: {log}: the log of this project",
        f"→ rm -r {log}\n",
        f'Left: {settings}: "command": "sh {REPOSITORY}/bin/agent-progress statusline"',
        f"Left: {home}/.config/agent-progress: your settings for all projects",
    ):
        assert line in out


def test_a_client_that_is_not_found_or_not_named_is_exit_2(run: Run) -> None:
    code, _, err = run("install", "codex", "gemini")
    assert (code, "Codex CLI, Gemini CLI: not found here; " in err) == (2, True)
    for words in (("install",), ("uninstall", "codex", "--all")):
        code, _, err = run(*words)
        assert (code, "Name clients, or say --all. Found here: none.\n" in err) == (2, True)
