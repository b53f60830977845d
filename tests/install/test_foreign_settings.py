"""What `install` and `uninstall` leave alone: the user's own settings, links and folders, and the project's."""

from __future__ import annotations

import codecs
import json
import os
import sys
from pathlib import Path

import pytest

from progress_plugin.cli.admin import status_line_entry
from progress_plugin.usecases.install.install import Verdict, install, uninstall
from tests.conftest import REPOSITORY
from tests.install.conftest import AddProgram


@pytest.mark.parametrize("name", ["opencode.json", "opencode.jsonc", "config.json"])
def test_only_our_directory_is_removed_from_the_settings_of_opencode(opencode: Path, name: str) -> None:
    settings = opencode.with_name(name)
    before = '// mine\n{\n  "theme": "x", // nice\n  "plugin": [\n    "some-package@1", // keep\n'
    settings.write_text(f'{before}    "{REPOSITORY}"\n  ]\n}}\n')
    (done,) = uninstall((), dry_run=False).outcomes
    assert done.verdict is Verdict.REMOVED
    assert settings.read_text() == before.replace('@1",', '@1"') + "  ]\n}\n"


@pytest.mark.parametrize("variable", ["OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR", "XDG_CONFIG_HOME"])
@pytest.mark.parametrize("is_inside", [True, False])
def test_settings_that_a_variable_names_are_edited_unless_they_lie_in_the_project(
    opencode: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, is_inside: bool
) -> None:
    folder = (Path.cwd() if is_inside else tmp_path) / "config" / "opencode"
    folder.mkdir(parents=True)
    settings = folder / "opencode.json"
    settings.write_text(json.dumps({"plugin": [str(REPOSITORY)]}))
    places = {"OPENCODE_CONFIG": settings, "OPENCODE_CONFIG_DIR": folder, "XDG_CONFIG_HOME": folder.parent}
    monkeypatch.setenv(variable, str(places[variable]))
    (done,) = uninstall((), dry_run=False).outcomes
    assert done.verdict is (Verdict.NOTHING if is_inside else Verdict.REMOVED)
    assert json.loads(settings.read_text()) == ({"plugin": [str(REPOSITORY)]} if is_inside else {})
    assert bool(done.todo) is is_inside


def test_a_package_is_not_looked_up_in_the_working_directory(opencode: Path) -> None:
    (Path.cwd() / "some-plugin").symlink_to(REPOSITORY)
    text = '{"plugin": ["some-plugin", "other-plugin@1.2.3"]}'
    opencode.write_text(text)
    (done,) = uninstall((), dry_run=False).outcomes
    assert (done.verdict, opencode.read_text()) == (Verdict.NOTHING, text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"plugin": [', "{} cannot be read: "),
        ('{"plugin": 5}', '{}: "plugin" is not a list; correct it, then try again'),
    ],
)
def test_damaged_settings_are_a_failure_of_that_client_and_stay(
    opencode: Path, cursor: Path, text: str, problem: str
) -> None:
    opencode.write_text(text)
    outcomes = {each.client: each for each in install((), dry_run=False).outcomes}
    assert outcomes["opencode"].problem.startswith(problem.format(opencode))
    assert outcomes["cursor"].verdict is Verdict.REGISTERED
    assert opencode.read_text() == text


def test_items_of_an_unexpected_type_stay(opencode: Path) -> None:
    items = [5, None, [], {"a": 1}, ["mine", {}], "\0"]
    opencode.write_text(json.dumps({"plugin": [*items, str(REPOSITORY)]}))
    (done,) = uninstall((), dry_run=False).outcomes
    assert done.verdict is Verdict.REMOVED
    assert json.loads(opencode.read_text()) == {"plugin": items}


@pytest.mark.parametrize("value", ["{cwd}/.cc", ".cc"])
def test_a_variable_that_leads_into_the_project_is_ignored_and_named(
    claude: Path, add_program: AddProgram, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    value = value.format(cwd=Path.cwd())
    add_program("claude", f'echo "${{CLAUDE_CONFIG_DIR-unset}}" >>{tmp_path}/seen; echo "[]"')
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", value)
    claude.write_text(json.dumps(status_line_entry()))
    (done,) = uninstall((), dry_run=False).outcomes
    assert set((tmp_path / "seen").read_text().split()) == {"unset"}
    assert json.loads(claude.read_text()) == {}
    (line,) = done.todo
    assert line.startswith(
        f"CLAUDE_CONFIG_DIR={value} is ignored: it is not a full path outside the project; "
    )


def test_no_client_is_taken_from_the_project_or_started_in_it(
    add_program: AddProgram, programs: Path, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = Path.cwd() / "node_modules" / ".bin"
    inside.mkdir(parents=True)
    (inside / "codex").write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n")
    (inside / "codex").chmod(0o755)
    monkeypatch.setenv("PATH", f"{inside}:{programs}:/usr/bin:/bin")
    assert install((), dry_run=False).outcomes == ()
    add_program("codex", f"{sys.executable} -c 'import os; print(os.getcwd())' >{tmp_path}/cwd")
    install((), dry_run=False)
    assert (tmp_path / "cwd").read_text() == f"{home}\n"
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize("dry_run", [True, False])
def test_a_link_to_something_else_stays_and_is_named(cursor: Path, tmp_path: Path, dry_run: bool) -> None:
    target = tmp_path / "their-progress"
    target.mkdir()
    cursor.parent.mkdir(parents=True)
    cursor.symlink_to(target)
    for done in (install((), dry_run=dry_run), uninstall((), dry_run=dry_run)):
        assert done.outcomes[0].problem == (
            f"{cursor} is a link to {target}, which is not this plugin; remove it by hand"
        )
    assert cursor.readlink() == target


def test_a_copy_made_by_hand_stays(cursor: Path) -> None:
    cursor.mkdir(parents=True)
    (failed,) = uninstall(("cursor",), dry_run=False).outcomes
    assert failed.problem == f"{cursor} is a copy that was made by hand; remove it by hand"
    assert cursor.is_dir()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_missing_permission_is_a_failure_of_that_client(cursor: Path) -> None:
    install((), dry_run=False)
    cursor.parent.chmod(0o555)
    (failed,) = uninstall((), dry_run=False).outcomes
    cursor.parent.chmod(0o755)
    assert (failed.verdict, failed.problem) == (
        Verdict.FAILED,
        f"[Errno 13] Permission denied: '{cursor}'",
    )


@pytest.mark.parametrize(
    "command",
    [
        "cat > /tmp/in; ~/bin/my-line < /tmp/in; sh {ours} statusline",
        "~/src/agent-progress-bar/mine.sh statusline",
        "sh {ours} statusline; my-line",
        "sh /gone/$(my-line)/bin/agent-progress statusline",
        "MINE=1 sh {ours} statusline",
    ],
)
def test_a_status_line_that_the_user_wrote_stays_and_is_named(claude: Path, command: str) -> None:
    command = command.format(ours=REPOSITORY / "bin" / "agent-progress")
    text = json.dumps({"statusLine": {"type": "command", "command": command}})
    claude.write_text(text)
    (done,) = uninstall((), dry_run=False).outcomes
    assert (done.verdict, claude.read_text()) == (Verdict.NOTHING, text)
    assert done.todo == (f"the status line in {claude} stays, because `init` did not print it: {command}",)


@pytest.mark.parametrize(
    "command",
    [
        "agent-progress statusline",
        "/opt/bin/agent-progress statusline",
        "sh '/a b/bin/agent-progress' statusline",
        "sh /gone/bin/agent-progress statusline",
    ],
)
def test_a_status_line_of_ours_is_removed(claude: Path, command: str) -> None:
    claude.write_text(json.dumps({"statusLine": {"type": "command", "command": command}, "model": "x"}))
    (done,) = uninstall((), dry_run=False).outcomes
    assert (done.verdict, json.loads(claude.read_text())) == (Verdict.REMOVED, {"model": "x"})


@pytest.mark.parametrize(
    ("mark", "encoding"), [(codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le")]
)
def test_settings_keep_their_encoding_and_byte_order_mark(claude: Path, mark: bytes, encoding: str) -> None:
    entry = json.dumps(status_line_entry())[1:-1]
    claude.write_bytes(mark + f'{{"model": "ü",\r\n{entry}}}\r\n'.encode(encoding))
    uninstall((), dry_run=False)
    assert claude.read_bytes() == mark + '{"model": "ü"\r\n}\r\n'.encode(encoding)
