"""`install` and `uninstall` without a real client: files, failures, what is said and what stays."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from progress_plugin.cli.main import main
from progress_plugin.core import version
from progress_plugin.core.packages import environment
from progress_plugin.usecases.registration import plugin_directory
from progress_plugin.usecases.registration.register import Verdict, install, uninstall
from tests.conftest import REPOSITORY

NOON = 1_800_000_000.0


class Ran(NamedTuple):
    code: int
    out: str
    err: str


Cli = Callable[..., Ran]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Return a function that runs a command as `main` runs it."""

    def run(*words: str) -> Ran:
        code = main(list(words))
        return Ran(code, *capsys.readouterr())

    return run


@pytest.fixture(autouse=True)
def no_client(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Have no client of this machine found; return the folder on PATH that one can be put into."""
    programs = tmp_path / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    return programs


@pytest.fixture
def cursor(home: Path) -> Path:
    """Return where Cursor, which is here, has its plugins."""
    (home / ".cursor").mkdir()
    return home / ".cursor" / "plugins" / "local" / "progress"


def program(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


def test_a_link_is_made_once_and_taken_back(cursor: Path) -> None:
    (first,) = install((), now=NOON, dry_run=False).outcomes
    assert (first.verdict, os.path.realpath(cursor)) == (Verdict.REGISTERED, str(REPOSITORY))
    (second,) = install((), now=NOON, dry_run=False).outcomes
    assert (second.verdict, second.did) == (Verdict.ALREADY, ())
    (gone,) = uninstall((), dry_run=False).outcomes
    assert gone.verdict is Verdict.REMOVED
    assert not os.path.lexists(cursor)
    (nothing,) = uninstall((), dry_run=False).outcomes
    assert nothing.verdict is Verdict.NOTHING


def test_a_dry_run_changes_nothing(cursor: Path, home: Path) -> None:
    (would,) = install((), now=NOON, dry_run=True).outcomes
    assert would.verdict is Verdict.WOULD
    assert would.did == (f"link {cursor} to {REPOSITORY}",)
    assert list(home.rglob("*")) == [home / ".cursor"]
    install((), now=NOON, dry_run=False)
    (would,) = uninstall((), dry_run=True).outcomes
    assert (would.verdict, cursor.is_symlink()) == (Verdict.WOULD, True)


def test_a_copy_that_somebody_made_is_theirs(cursor: Path) -> None:
    cursor.mkdir(parents=True)
    (cursor / "mine").touch()
    (failed,) = uninstall(("cursor",), dry_run=False).outcomes
    assert failed.verdict is Verdict.FAILED
    assert failed.problem == f"{cursor} is a copy that somebody made; remove it by hand"
    assert (cursor / "mine").exists()


def test_what_a_client_complains_of_is_one_line_and_no_obstacle_to_the_others(
    no_client: Path, cursor: Path
) -> None:
    program(
        no_client, "codex", 'echo "warming up"; echo "Error: no disk"; echo; echo "  0: <unknown>"; exit 1'
    )
    codex, other = install((), now=NOON, dry_run=False).outcomes
    assert codex.verdict is Verdict.FAILED
    assert codex.problem == f"codex plugin marketplace add {REPOSITORY}: Error: no disk"
    assert other.verdict is Verdict.REGISTERED


@pytest.mark.parametrize("name", ["claude", "codex", "copilot", "gemini", "opencode"])
def test_a_dry_run_starts_no_client(no_client: Path, tmp_path: Path, name: str) -> None:
    program(no_client, name, f'echo "$@" >> {tmp_path}/started; echo "[]"')
    (would,) = install((), now=NOON, dry_run=True).outcomes
    assert would.did[-1].endswith(("progress@agent-progress", "--consent", "--global"))
    (back,) = uninstall((), dry_run=True).outcomes
    assert back.client == name
    assert not (tmp_path / "started").exists()


def test_a_client_that_says_yes_and_does_nothing_is_noticed(no_client: Path) -> None:
    program(no_client, "copilot", "exit 0")
    (failed,) = install(("copilot",), now=NOON, dry_run=False).outcomes
    assert failed.problem == (
        "Copilot CLI does not list the plugin afterwards; run: copilot plugin install progress@agent-progress"
    )


def test_no_client_is_started_in_the_project_or_taken_from_it(
    no_client: Path, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "project"
    (project / "node_modules" / ".bin").mkdir(parents=True)
    program(project / "node_modules" / ".bin", "codex", f"touch {tmp_path}/started")
    monkeypatch.chdir(project)
    monkeypatch.setenv("PATH", f"{project}/node_modules/.bin:{no_client}:/usr/bin:/bin")
    assert install((), now=NOON, dry_run=False).outcomes == ()
    program(no_client, "codex", f"pwd >{tmp_path}/where")
    install((), now=NOON, dry_run=False)
    assert (tmp_path / "where").read_text() == f"{home}\n"
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize("name", ["opencode.json", "opencode.jsonc", "config.json"])
def test_opencodes_settings_lose_our_directory_and_nothing_else(
    no_client: Path, home: Path, name: str
) -> None:
    program(no_client, "opencode", "exit 0")
    settings = home / ".config" / "opencode" / name
    settings.parent.mkdir(parents=True)
    theirs = '// mine\n{\n  "theme": "x", // nice\n  "plugin": [\n    "some-package@1", // keep\n'
    settings.write_text(f'{theirs}    "{REPOSITORY}"\n  ]\n}}\n')
    (done,) = uninstall((), dry_run=False).outcomes
    assert done.verdict is Verdict.REMOVED
    assert settings.read_text() == theirs.replace('@1",', '@1"') + "  ]\n}\n"


def test_settings_that_cannot_be_read_are_left_as_they_are(no_client: Path, home: Path) -> None:
    program(no_client, "opencode", "exit 0")
    settings = home / ".config" / "opencode" / "opencode.json"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"plugin": [')
    (failed,) = uninstall((), dry_run=False).outcomes
    assert failed.problem.startswith(f"{settings} cannot be read: ")
    assert settings.read_text() == '{"plugin": ['


def test_the_status_line_is_taken_out_where_it_is_ours(no_client: Path, home: Path) -> None:
    program(no_client, "claude", "echo '[]'")
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    other = {"model": "opus", "statusLine": {"type": "command", "command": "my-line"}}
    settings.write_text(json.dumps(other, indent=2))
    assert uninstall((), dry_run=False).outcomes[0].verdict is Verdict.NOTHING
    assert json.loads(settings.read_text()) == other
    ours = {"type": "command", "command": f"sh {REPOSITORY}/bin/agent-progress statusline"}
    settings.write_text(json.dumps({**other, "statusLine": ours}, indent=2))
    assert uninstall((), dry_run=False).outcomes[0].verdict is Verdict.REMOVED
    assert json.loads(settings.read_text()) == {"model": "opus"}


@pytest.mark.parametrize("inside", [True, False])
def test_settings_that_a_variable_names_in_the_project_are_not_those_of_the_user(
    no_client: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inside: bool
) -> None:
    program(no_client, "opencode", "exit 0")
    base = (Path.cwd() if inside else tmp_path) / "settings"
    settings = base / "opencode" / "opencode.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"plugin": [str(REPOSITORY)]}))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(base))
    (done,) = uninstall((), dry_run=False).outcomes
    assert done.verdict is (Verdict.NOTHING if inside else Verdict.REMOVED)
    assert json.loads(settings.read_text()) == ({"plugin": [str(REPOSITORY)]} if inside else {})


def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have the plugin stand in a `site-packages` with its packages, as pip leaves it; return that."""
    site = tmp_path / "venv" / "lib" / f"python{version.python_name()}" / "site-packages"
    plugin = site / "progress_plugin" / "plugin"
    plugin.mkdir(parents=True)
    for name in ("progress_plugin", "hooks", "bin", "skills", "commands", "templates", "opencode"):
        shutil.copytree(REPOSITORY / name, plugin / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("plugin.json", "requirements.lock", ".mcp.json", "gemini-extension.json"):
        shutil.copy(REPOSITORY / name, plugin)
    for place in Path(str(click.__file__)).parents[1].iterdir():
        (site / place.name).symlink_to(place)
    monkeypatch.setattr(environment, "PLUGIN_ROOT", str(plugin))
    return site


def test_clients_of_an_installed_package_get_a_copy_that_uses_its_packages(
    cursor: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = installed(tmp_path, monkeypatch)
    data = home / ".local" / "share" / "agent-progress"
    done = install((), now=NOON, dry_run=False)
    assert (done.directory, done.packages) == (str(data / "plugin"), str(site))
    lent = data / "env" / environment.identity()
    assert (lent / "site-packages").readlink() == site
    assert (lent / "python").read_text() == f"{environment.interpreter()}\n"
    assert os.path.realpath(cursor) == str(data / "plugin")

    (Path(environment.PLUGIN_ROOT) / "hooks" / "start.py").write_text("# a newer version\n")
    assert install((), now=NOON, dry_run=False).outcomes[0].verdict is Verdict.ALREADY
    assert (data / "plugin" / "hooks" / "start.py").read_text() == "# a newer version\n"

    gone = uninstall((), dry_run=False)
    assert set(gone.removed) == {str(lent), str(data / "plugin")}
    assert (site / "click").exists(), "what was lent is not ours to remove"
    assert sorted(path.name for path in data.iterdir()) == ["env"]


def test_the_copy_that_a_client_runs_can_take_itself_away(cursor: Path, home: Path) -> None:
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


def test_packages_in_a_project_are_not_lent_to_every_session(
    cursor: Path, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(tmp_path, monkeypatch)
    monkeypatch.chdir(tmp_path)
    assert install((), now=NOON, dry_run=False).packages is None
    assert not list(home.glob(".local/share/agent-progress/env/*/python"))


def test_a_directory_that_is_not_ours_is_not_taken_away(home: Path) -> None:
    place = home / ".local" / "share" / "agent-progress" / "plugin"
    place.mkdir(parents=True)
    (place / "mine").touch()
    assert plugin_directory.remove_copy() is None
    assert (place / "mine").exists()


LAUNCHER = f"sh {REPOSITORY}/bin/agent-progress"


def test_a_command_says_what_it_did_and_what_is_left(cli: Cli, cursor: Path, home: Path) -> None:
    done = cli("install", "cursor")
    assert (done.code, done.out.splitlines()) == (
        0,
        [
            "Cursor: registered",
            f"  link {cursor} to {REPOSITORY}",
            "  → restart Cursor; this follows its documentation and was never tried",
            f"The plugin's directory: {REPOSITORY}",
            f"In your shell agent-progress is not on the PATH: call `{LAUNCHER}`. Agents are told so, too.",
        ],
    )
    log = Path.cwd() / ".agent-os" / "progress"
    log.mkdir(parents=True)
    (home / ".config" / "agent-progress").mkdir(parents=True)
    (Path.cwd() / "AGENTS.md").write_text(
        "<!-- agent-progress: patterns -->\n- x\n<!-- /agent-progress -->\n"
    )
    done = cli("-C", str(Path.cwd()), "uninstall", "--all")
    assert done.code == 0
    assert f"Left: {log}: the log of this project\n  → rm -r {log.parent}\n" in done.out
    (log / "shared" / "vm-1").mkdir(parents=True)
    told = cli("-C", str(Path.cwd()), "uninstall", "--all").out
    assert f"{log}: the log of this project, and in shared/ the team's history, which git carries: " in told
    assert (
        "AGENTS.md: a block made by `promote`\n  → remove it with both comment lines around it\n" in done.out
    )
    assert f"  → rm -r {home / '.config' / 'agent-progress'}\n" in done.out


def test_a_client_that_is_not_here_or_not_named_is_exit_2(cli: Cli) -> None:
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


def test_json_tells_the_same(cli: Cli, cursor: Path) -> None:
    told = json.loads(cli("install", "--all", "--json", "--dry-run").out)
    assert [(each["client"], each["verdict"]) for each in told["outcomes"]] == [("cursor", "would run")]
    told = json.loads(cli("uninstall", "--all", "--json").out)
    assert told["outcomes"][0]["verdict"] == "not registered"
