"""What `install` and `uninstall` must not touch, follow or trip over: what others wrote."""

from __future__ import annotations

import codecs
import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from progress_plugin.cli.init import status_line_entry
from progress_plugin.usecases.registration import plugin_directory
from progress_plugin.usecases.registration.register import Outcome, Verdict, install, uninstall
from tests.conftest import REPOSITORY
from tests.registration.test_register import NOON, Cli, cli, cursor, no_client, program

__all__ = ["cli", "cursor", "no_client"]


OURS = '"id": "progress@agent-progress", "scope": "user", "name": "agent-progress"'


def like_ours(place: Path) -> Path:
    """Make a directory that says it is this plugin; return it."""
    (place / "bin").mkdir(parents=True)
    (place / "bin" / "agent-progress").touch()
    (place / "plugin.json").write_text('{"name": "progress"}')
    return place


@pytest.fixture
def opencode(no_client: Path, home: Path) -> Path:
    """Have an OpenCode that does nothing; return where its settings of the user are."""
    program(no_client, "opencode", "exit 0")
    settings = home / ".config" / "opencode" / "opencode.json"
    settings.parent.mkdir(parents=True)
    return settings


@pytest.fixture
def claude(no_client: Path, home: Path) -> Path:
    """Have a Claude Code without plugins; return where its settings of the user are."""
    program(no_client, "claude", "echo '[]'")
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    return settings


def by_name(outcomes: tuple[Outcome, ...]) -> dict[str, Outcome]:
    return {outcome.client: outcome for outcome in outcomes}


def test_a_package_of_the_users_is_not_looked_up_in_the_working_directory(opencode: Path) -> None:
    like_ours(Path.cwd() / "opencode-gemini-auth")
    text = '{"plugin": ["opencode-gemini-auth", "other-plugin@1.2.3"]}'
    opencode.write_text(text)
    (would,) = install((), now=NOON, dry_run=True).outcomes
    assert would.did == (f"opencode plugin {REPOSITORY} --global",)
    (done,) = uninstall((), dry_run=False).outcomes
    assert (done.verdict, opencode.read_text()) == (Verdict.NOTHING, text)


def test_a_plugin_named_below_the_home_is_found(opencode: Path, home: Path) -> None:
    like_ours(home / "old-checkout")
    opencode.write_text('{"plugin": ["~/old-checkout", "mine"]}')
    uninstall((), dry_run=False)
    assert json.loads(opencode.read_text()) == {"plugin": ["mine"]}


@pytest.mark.parametrize("value", ["{cwd}/.cc", ".cc", "~/.cc"])
def test_a_client_and_we_pass_over_a_variable_that_leads_into_the_project(
    claude: Path, no_client: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    named = value.format(cwd=Path.cwd())
    program(no_client, "claude", f'echo "${{CLAUDE_CONFIG_DIR-unset}}" >>{tmp_path}/told; echo "[]"')
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", named)
    claude.write_text(json.dumps(status_line_entry()))
    (done,) = uninstall((), dry_run=False).outcomes
    assert set((tmp_path / "told").read_text().split()) == {"unset"}
    assert json.loads(claude.read_text()) == {}
    (line,) = done.todo
    assert line.startswith(f"CLAUDE_CONFIG_DIR={named} is not used: it is no full path outside the project; ")


def test_a_client_and_we_follow_a_variable_that_leads_elsewhere(
    claude: Path, no_client: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "cc"
    other.mkdir()
    program(no_client, "claude", f'echo "$CLAUDE_CONFIG_DIR" >>{tmp_path}/told; echo "[]"')
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(other))
    for settings in (claude, other / "settings.json"):
        settings.write_text(json.dumps(status_line_entry()))
    (done,) = uninstall((), dry_run=False).outcomes
    assert set((tmp_path / "told").read_text().split()) == {str(other)}
    assert json.loads((other / "settings.json").read_text()) == {}
    assert json.loads(claude.read_text()) == status_line_entry()
    assert done.todo == ()


def test_nothing_that_loads_code_or_names_the_project_reaches_a_client(
    no_client: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, home: Path
) -> None:
    written = "import json, os; print(json.dumps(dict(os.environ)))"
    program(no_client, "codex", f"{sys.executable} -c '{written}' >{tmp_path}/told")
    inside = f"{Path.cwd()}/x"
    (tmp_path / "link").symlink_to(Path.cwd())
    dropped = {
        **dict.fromkeys(("CODEX_HOME", "COPILOT_HOME", "GEMINI_CLI_HOME", "OPENCODE_CONFIG"), inside),
        **dict.fromkeys(("PWD", "TMPDIR", "BASH_ENV", "NODE_EXTRA_CA_CERTS"), inside),
        "BY_LINK": f"{tmp_path}/link/x",
        "IN_A_LIST": f"/usr/share{os.pathsep}{inside}",
        "IN_WORDS": f'{{"plugin": ["file://{inside}"]}}',
        "NODE_OPTIONS": f"--require {tmp_path}/outside.js",
        "NODE_PATH": "modules",
        "BUN_OPTIONS": "--preload=x.js",
        "LD_AUDIT": "/no/such.so",
        "DYLD_INSERT_LIBRARIES": "x.dylib",
        "GIT_SSH_COMMAND": "sh x",
    }
    kept = {"HTTPS_PROXY": "http://127.0.0.1:8080", "MINE": f"{tmp_path}/outside", "LANG": "C.UTF-8"}
    for name, value in {**dropped, **kept}.items():
        monkeypatch.setenv(name, value)
    uninstall(("codex",), dry_run=False)
    given = json.loads((tmp_path / "told").read_text())
    assert [name for name, value in dropped.items() if given.get(name) == value] == []
    assert {name: given.get(name) for name in kept} == kept
    assert given["HOME"] == str(home)


@pytest.mark.parametrize("value", [5, "mine", {"a": 1}, True])
def test_settings_of_an_odd_shape_are_one_line_and_no_obstacle_to_the_others(
    opencode: Path, cursor: Path, value: object
) -> None:
    text = json.dumps({"plugin": value})
    opencode.write_text(text)
    for done in (install((), now=NOON, dry_run=False).outcomes, uninstall((), dry_run=False).outcomes):
        outcomes = by_name(done)
        assert outcomes["opencode"].problem == (
            f'{opencode}: "plugin" is no list, which the client expects; mend it, then try again'
        )
        assert outcomes["cursor"].verdict in {Verdict.REGISTERED, Verdict.REMOVED}
    assert opencode.read_text() == text
    assert not os.path.lexists(cursor)


def test_items_of_an_odd_shape_are_left(opencode: Path) -> None:
    odd = [5, None, [], {"a": 1}, ["mine", {}], "\0"]
    opencode.write_text(json.dumps({"plugin": [*odd, str(REPOSITORY)]}))
    (done,) = uninstall((), dry_run=False).outcomes
    assert done.verdict is Verdict.REMOVED
    assert json.loads(opencode.read_text()) == {"plugin": odd}


@pytest.mark.parametrize(
    "told",
    [
        f'[{{{OURS}, "installPath": 5, "path": "{REPOSITORY}"}}]',
        f'[{{{OURS}, "installPath": "/x", "path": "/x\\u0000"}}]',
        f"{'[' * 100_000} []",
    ],
)
def test_an_answer_of_an_odd_shape_is_that_clients_line(
    claude: Path, cursor: Path, no_client: Path, tmp_path: Path, told: str
) -> None:
    (tmp_path / "told").write_text(told)
    program(no_client, "claude", f"cat {tmp_path}/told")
    outcomes = by_name(install((), now=NOON, dry_run=False).outcomes)
    assert outcomes["claude"].problem.startswith("Claude Code does not list the plugin afterwards; run: ")
    assert outcomes["cursor"].verdict is Verdict.REGISTERED


def test_a_folder_that_is_a_link_stays_when_ours_is_taken_out_of_it(cursor: Path, tmp_path: Path) -> None:
    theirs = tmp_path / "my-plugins"
    theirs.mkdir()
    cursor.parent.parent.mkdir()
    cursor.parent.symlink_to(theirs)
    install((), now=NOON, dry_run=False)
    assert (theirs / "progress").is_symlink()
    (done,) = uninstall((), dry_run=False).outcomes
    assert done.verdict is Verdict.REMOVED
    assert cursor.parent.readlink() == theirs
    assert list(theirs.iterdir()) == []


def test_folders_that_were_there_stay_though_they_are_empty(cursor: Path) -> None:
    cursor.parent.mkdir(parents=True)
    install((), now=NOON, dry_run=False)
    uninstall((), dry_run=False)
    assert cursor.parent.is_dir()


@pytest.mark.parametrize("work", ["install", "uninstall"])
@pytest.mark.parametrize("dry_run", [True, False])
def test_a_link_to_something_else_is_left_and_named(
    cursor: Path, tmp_path: Path, work: str, dry_run: bool
) -> None:
    theirs = tmp_path / "their-progress"
    theirs.mkdir()
    cursor.parent.mkdir(parents=True)
    cursor.symlink_to(theirs)
    done = install((), now=NOON, dry_run=dry_run) if work == "install" else uninstall((), dry_run=dry_run)
    (failed,) = done.outcomes
    assert failed.problem == (f"{cursor} is a link to {theirs}, which is not this plugin; remove it by hand")
    assert cursor.readlink() == theirs


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is refused to root")
def test_what_the_system_refuses_is_that_clients_line(cursor: Path) -> None:
    install((), now=NOON, dry_run=False)
    cursor.parent.chmod(0o555)
    (failed,) = uninstall((), dry_run=False).outcomes
    cursor.parent.chmod(0o755)
    assert (failed.verdict, failed.problem) == (
        Verdict.FAILED,
        f"[Errno 13] Permission denied: '{cursor}'",
    )


def test_a_copy_of_the_plugin_that_is_a_link_of_the_users_stays(home: Path, tmp_path: Path) -> None:
    theirs = like_ours(tmp_path / "checkout")
    place = home / ".local" / "share" / "agent-progress" / "plugin"
    place.parent.mkdir(parents=True)
    place.symlink_to(theirs)
    assert plugin_directory.remove_copy() is None
    assert place.readlink() == theirs


@pytest.mark.parametrize(
    "command",
    [
        "cat > /tmp/in; ~/bin/my-line < /tmp/in; sh {ours} statusline",
        "~/src/agent-progress-bar/mine.sh statusline",
        "sh {ours} statusline ",
        "sh {ours} statusline; my-line",
        "sh /gone/$(my-line)/bin/agent-progress statusline",
        "sh {other}/bin/agent-progress statusline",
        "bash {ours} statusline",
        "MINE=1 sh {ours} statusline",
        "echo 'agent-progress statusline",
    ],
)
def test_a_status_line_that_is_only_partly_ours_is_left_and_named(
    claude: Path, tmp_path: Path, command: str
) -> None:
    other = like_ours(tmp_path / "other")
    (other / "plugin.json").write_text('{"name": "another"}')
    command = command.format(ours=REPOSITORY / "bin" / "agent-progress", other=other)
    text = json.dumps({"statusLine": {"type": "command", "command": command}})
    claude.write_text(text)
    for dry_run in (True, False):
        (done,) = uninstall((), dry_run=dry_run).outcomes
        verdict = Verdict.UNASKED if dry_run else Verdict.NOTHING
        assert (done.verdict, claude.read_text()) == (verdict, text)
        assert done.todo == (
            f"the status line in {claude} stays, since `init --statusline` did not print it: {command}",
        )


@pytest.mark.parametrize("command", ["agent-progress statusline", "{program} statusline", "sh '{spaced}' statusline",
                                     "sh /gone/bin/agent-progress statusline"])  # fmt: skip
def test_a_status_line_of_ours_goes(claude: Path, no_client: Path, tmp_path: Path, command: str) -> None:
    program(no_client, "agent-progress", "exit 0")
    spaced = like_ours(tmp_path / "a b") / "bin" / "agent-progress"
    command = command.format(program=no_client / "agent-progress", spaced=spaced)
    claude.write_text(json.dumps({"statusLine": {"type": "command", "command": command}, "model": "x"}))
    (done,) = uninstall((), dry_run=False).outcomes
    assert (done.todo, json.loads(claude.read_text())) == ((), {"model": "x"})


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [(codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF32_BE, "utf-32-be"), (b"", "utf-16-le")],
)  # fmt: skip
def test_settings_keep_their_encoding_and_byte_order_mark(claude: Path, mark: bytes, encoding: str) -> None:
    entry = json.dumps(status_line_entry())[1:-1]
    claude.write_bytes(mark + f'{{"model": "ü",\r\n{entry}}}\r\n'.encode(encoding))
    (done,) = uninstall((), dry_run=False).outcomes
    assert done.verdict is Verdict.REMOVED
    assert claude.read_bytes() == mark + '{"model": "ü"\r\n}\r\n'.encode(encoding)


def test_what_is_left_is_named_only_where_it_is_there(cli: Cli, home: Path) -> None:
    data = home / ".local" / "share" / "agent-progress"
    lent = data / "env" / "some"
    lent.mkdir(parents=True)
    (lent / "site-packages").symlink_to(home)
    shutil.copytree(REPOSITORY / "bin", data / "plugin" / "bin")
    shutil.copy(REPOSITORY / "plugin.json", data / "plugin")
    done = cli("uninstall", "--all")
    assert f"Removed: {lent}\n" in done.out
    assert f"Left: {data}: empty folders\n" in done.out
    (data / "memory.db").touch()
    (data / "memory.db-wal").touch()
    assert f"Left: {data}: the memory database of all projects\n" in cli("uninstall", "--all").out
    (data / "env" / "built").mkdir()
    (data / "logs" / "x").mkdir(parents=True)
    assert (
        f"Left: {data}: environments, the memory database of all projects, copies of the logs of all projects\n"
    ) in cli("uninstall", "--all").out
