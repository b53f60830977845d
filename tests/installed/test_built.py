"""What the wheel and the sdist hold: all that an installed plugin needs, nothing else, the same every time."""

from __future__ import annotations

import email
import os
import shutil
import stat
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from progress_plugin.core.version import VERSION
from tests.conftest import REPOSITORY
from tests.installed.built import Built, build

PLUGIN = "progress_plugin/plugin/"
FOLDERS = {
    *(
        ".claude-plugin",
        ".codex-plugin",
        ".cursor-plugin",
        "bin",
        "commands",
        "examples",
        "hooks",
        "opencode",
    ),
    *("progress_plugin", "skills", "templates"),
}
FILES = {
    *(".mcp.json", "LICENSE", "gemini-extension.json", "package.json", "plugin.json", "requirements.lock"),
    "requirements-team.lock",
}
RECORDS = {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE"}
SCRIPTS = Path(sys.executable).parent


def test_the_wheel_holds_the_whole_plugin_directory_and_nothing_else(
    built: Built, tracked: frozenset[str]
) -> None:
    plugin = {name for name in tracked if name.partition("/")[0] in FOLDERS or name in FILES}
    records = {f"agent_progress-{VERSION}.dist-info/{name}" for name in RECORDS}
    wanted = {PLUGIN + name for name in plugin} | {"progress_plugin/__init__.py"} | records
    assert built.in_wheel() == wanted


def test_what_a_client_or_a_hook_needs_is_in_the_wheel(built: Built) -> None:
    needed = {
        *(
            "hooks/hooks.json",
            "hooks/cursor.json",
            "bin/agent-progress",
            "requirements.lock",
            "requirements-team.lock",
        ),
        *("templates/progress-summary.md.j2", "templates/report.html.j2", "examples/harbour/prd.json"),
        *("skills/recording-progress/SKILL.md", "commands/status.md", "opencode/plugin.js", "plugin.json"),
        *(
            ".claude-plugin/marketplace.json",
            ".codex-plugin/plugin.json",
            ".mcp.json",
            "gemini-extension.json",
        ),
    }
    assert {PLUGIN + name for name in needed} <= built.in_wheel()


def test_the_sdist_holds_every_tracked_file(built: Built, tracked: frozenset[str]) -> None:
    assert built.in_sdist() == (tracked - {".gitattributes"}) | {"PKG-INFO"}


def test_the_launcher_can_be_executed_from_the_wheel(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as archive:
        mode = archive.getinfo(PLUGIN + "bin/agent-progress").external_attr >> 16
    assert mode & stat.S_IXUSR


def test_the_metadata_name_version_script_and_extra(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as archive:
        told = email.message_from_bytes(archive.read(f"agent_progress-{VERSION}.dist-info/METADATA"))
        scripts = archive.read(f"agent_progress-{VERSION}.dist-info/entry_points.txt").decode()
    assert (told["Name"], told["Version"], told["Requires-Python"]) == ("agent-progress", VERSION, ">=3.11")
    assert "agent-progress = progress_plugin.__main__:console" in scripts
    assert told.get_all("Provides-Extra") == ["team"]
    needs = told.get_all("Requires-Dist") or []
    assert [need for need in needs if "extra ==" in need] == ["psycopg[binary]>=3.2; extra == 'team'"]


def test_the_package_needs_what_its_own_environment_is_built_of() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    lines = (REPOSITORY / "requirements.in").read_text("utf-8").splitlines()
    assert project["dependencies"] == [line for line in lines if line and not line.startswith("#")]


def test_the_version_is_told_by_one_file() -> None:
    settings = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))
    assert "version" not in settings["project"]
    assert settings["tool"]["hatch"]["version"] == {"path": "progress_plugin/core/version.py"}


def test_the_index_would_accept_both(built: Built) -> None:
    done = subprocess.run(
        [SCRIPTS / "twine", "check", "--strict", built.wheel, built.sdist],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_wheel_is_laid_out_as_wheels_are(built: Built) -> None:
    done = subprocess.run(
        [SCRIPTS / "check-wheel-contents", built.wheel],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_another_checkout_at_another_time_gives_the_same_bytes(
    built: Built, tracked: frozenset[str], tmp_path: Path
) -> None:
    source = tmp_path / "another place"
    for name in sorted(tracked, reverse=True):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(REPOSITORY / name, source / name)
        # As another umask leaves it, and as if it were of another day.
        (source / name).chmod(0o770 if os.access(REPOSITORY / name, os.X_OK) else 0o660)
        os.utime(source / name, (1_000_000_000, 1_000_000_000))
    again = build(source, tmp_path / "built", sys.executable)
    assert again.wheel.read_bytes() == built.wheel.read_bytes()
    assert again.sdist.read_bytes() == built.sdist.read_bytes()
