"""The launcher's twin for Windows, by its text: nothing here can run it (it is said to be untested there)."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from progress_plugin.core import paths
from progress_plugin.core.packages.environment import interpreter
from tests.launcher.tiny_plugin import Plugin, path_of

ROOT = Path(__file__).resolve().parents[2]
TWIN = (ROOT / "bin" / "agent-progress.cmd").read_bytes()
TEXT = TWIN.decode("ascii")
LINES = [line for line in TEXT.split("\r\n") if not line.startswith("rem ")]


def test_every_line_ends_as_labels_need_it_and_git_leaves_it_so() -> None:
    assert TWIN.count(b"\n") == TWIN.count(b"\r\n") > 50
    assert "*.cmd -text\n" in (ROOT / ".gitattributes").read_text("ascii")


def test_every_label_is_gone_to_and_every_jump_has_a_label() -> None:
    labels = {line[1:] for line in LINES if line.startswith(":")}
    jumps = {jump for line in LINES for jump in re.findall(r"(?:goto |call :)(\w+)", line)}
    assert jumps == labels


def test_every_variable_that_is_read_was_set_or_belongs_to_windows() -> None:
    read = {name for line in LINES for name in re.findall(r"%(\w+)%", line)}
    given = set(re.findall(r'set (?:/p )?"?(\w+)=', TEXT))
    system = {"LOCALAPPDATA", "USERPROFILE", "CD", "errorlevel"}
    assert read - given == {*system, "AGENT_PROGRESS_DISABLED", "CLAUDE_PROJECT_DIR"}


def test_it_looks_where_the_package_and_the_other_launcher_look(
    monkeypatch: pytest.MonkeyPatch, plugin: Plugin, pythons: Path, tmp_path: Path
) -> None:
    stated = dict(re.findall(r'set "(data|cache)=(.*)"\r', TEXT))
    data = stated["data"].replace("%LOCALAPPDATA%", str(tmp_path)).replace("\\", "/")
    cache = stated["cache"].replace("%data%", data).replace("\\", "/")
    seen = plugin.door(OS="Windows_NT", LOCALAPPDATA=str(tmp_path), PATH=path_of(pythons / "good"))
    assert seen["pycache_prefix"] == f"{cache}/pycache"
    assert (Path(data) / "python").read_text().strip() == interpreter()
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert (paths.user_data(), paths.user_cache()) == (data, cache)


def test_it_enters_through_the_same_doors_with_the_same_options() -> None:
    doors = set(re.findall(r'set "door=(\w+)"', TEXT))
    assert doors == {"main", "mcp", "record", "start", "statusline"}
    assert all((ROOT / "hooks" / f"{door}.py").is_file() for door in doors - {"main"})
    other = (ROOT / "bin" / "agent-progress").read_text("utf-8")
    assert 'exec "$python" -I -S -X utf8 "$@"' in other
    assert 'set options=-I -S -X utf8 -X "pycache_prefix=' in TEXT


def test_what_it_tells_the_user_is_the_json_that_hooks_print() -> None:
    (told,) = re.findall(r"echo (\{.*\})\r", TEXT)
    assert json.loads(told)["systemMessage"].startswith("progress: Python 3.11 or newer was not found")


def test_the_stores_aliases_are_tried_last_and_not_again_after_a_search_in_vain() -> None:
    searches = [line for line in LINES if ":try_python" in line and "where" in line]
    assert [line.rsplit(None, 1)[-1] for line in searches] == ["installed", "alias"]
    assert 'if not exist "%data%\\no-python"' in searches[1]


@pytest.mark.parametrize(("version", "printed"), [((3, 10), ""), ((3, 11), os.path.realpath(sys.executable))])
def test_a_python_tells_its_real_path_only_where_it_is_new_enough(
    version: tuple[int, int], printed: str
) -> None:
    code = (ROOT / "bin" / "python_path.py").read_text("ascii")
    asked = f"import sys; sys.version_info = {version}; sys._base_executable = sys.executable\n{code}"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == printed
