"""What `install` and `uninstall` leave alone: the user's own settings, links and folders."""

from __future__ import annotations

import codecs
import json
import sys
from pathlib import Path

import pytest

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
def test_settings_that_a_variable_names_are_edited(
    opencode: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    folder = tmp_path / "config" / "opencode"
    folder.mkdir(parents=True)
    settings = folder / "opencode.json"
    settings.write_text(json.dumps({"plugin": [str(REPOSITORY)]}))
    places = {"OPENCODE_CONFIG": settings, "OPENCODE_CONFIG_DIR": folder, "XDG_CONFIG_HOME": folder.parent}
    monkeypatch.setenv(variable, str(places[variable]))
    (done,) = uninstall((), dry_run=False).outcomes
    assert (done.verdict, json.loads(settings.read_text())) == (Verdict.REMOVED, {"plugin": []})


def test_a_package_is_not_looked_up_in_the_working_directory(opencode: Path) -> None:
    (Path.cwd() / "some-plugin").symlink_to(REPOSITORY)
    text = '{"plugin": ["some-plugin", "other-plugin@1.2.3"]}'
    opencode.write_text(text)
    (done,) = uninstall((), dry_run=False).outcomes
    assert (done.verdict, opencode.read_text()) == (Verdict.NOTHING, text)


def test_damaged_settings_are_a_failure_of_that_client_and_stay(opencode: Path, cursor: Path) -> None:
    opencode.write_text('{"plugin": [')
    outcomes = {each.client: each for each in install((), dry_run=False).outcomes}
    assert outcomes["opencode"].problem.startswith(f"{opencode} cannot be read: ")
    assert outcomes["cursor"].verdict is Verdict.REGISTERED
    assert opencode.read_text() == '{"plugin": ['


def test_items_of_an_unexpected_type_stay(opencode: Path) -> None:
    items = [5, None, [], {"a": 1}, ["mine", {}], "\0"]
    opencode.write_text(json.dumps({"plugin": [*items, str(REPOSITORY)]}))
    (done,) = uninstall((), dry_run=False).outcomes
    assert done.verdict is Verdict.REMOVED
    assert json.loads(opencode.read_text()) == {"plugin": items}


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


def test_anything_of_the_user_in_place_of_the_link_stays(cursor: Path, tmp_path: Path) -> None:
    (tmp_path / "their-progress").mkdir()
    cursor.parent.mkdir(parents=True)
    cursor.symlink_to(tmp_path / "their-progress")
    for done in (install((), dry_run=False), uninstall((), dry_run=False)):
        assert done.outcomes[0].verdict is Verdict.FAILED
    assert cursor.readlink() == tmp_path / "their-progress"


def test_settings_keep_their_encoding_and_line_ends(opencode: Path) -> None:
    text = '{{"model": "ü",\r\n"plugin": [{}]}}\r\n'
    opencode.write_bytes(codecs.BOM_UTF16_LE + text.format(f'"{REPOSITORY}"').encode("utf-16-le"))
    uninstall((), dry_run=False)
    assert opencode.read_bytes() == codecs.BOM_UTF16_LE + text.format("").encode("utf-16-le")
