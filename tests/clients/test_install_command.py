"""`agent-progress install` and `uninstall` with the real clients, from a package that pip installed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.clients.harness.client_run import ClientRun, base_env, run_client
from tests.clients.harness.request_text import strings
from tests.clients.test_session import NEWEST_STORY
from tests.packaging.conftest import build_wheel

pytestmark = [pytest.mark.client, pytest.mark.environment, pytest.mark.slow]

SETTINGS = {
    "claude": (".claude/settings.json", ".claude/plugins/installed_plugins.json", ".claude.json"),
    "codex": (".codex/config.toml",),
    "copilot": (".copilot/settings.json", ".copilot/config.json"),
    "gemini": (".gemini/settings.json", ".gemini/extensions/extension-enablement.json"),
    "opencode": (".config/opencode/opencode.json", ".config/opencode/opencode.jsonc"),
}
"""Where a client says which plugins it has."""
KEPT = {
    "claude": ".claude/plugins/known_marketplaces.json",
    "codex": ".codex/plugins/cache/agent-progress/progress",
    "copilot": ".copilot/installed-plugins/agent-progress",
    "gemini": ".gemini/extensions/progress",
    "opencode": ".cache/opencode/packages/progress",
}
"""A further place that must not name or be the plugin."""


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the command of a package, installed by pip into an environment of its own."""
    place = tmp_path_factory.mktemp("package")
    wheel = build_wheel(place / "built")
    subprocess.run([sys.executable, "-m", "venv", place / "venv"], check=True)
    pip = [place / "venv" / "bin" / "pip", "install", "--quiet", wheel]
    subprocess.run(pip, check=True, timeout=600, env={**os.environ, "PIP_NO_COMPILE": "1"})
    return str(place / "venv" / "bin" / "agent-progress")


@pytest.mark.parametrize("fixture", ["claude", "claude_old", "codex", "copilot", "gemini", "opencode"])
def test_an_installed_package_registers_itself_and_takes_itself_back(
    fixture: str, command: str, project: Path, home: Path, request: pytest.FixtureRequest
) -> None:
    client, binary = fixture.partition("_")[0], request.getfixturevalue(fixture)
    place = {"project_dir": project, "client_bin": binary, "home": home}
    install = [command, "install", client]
    run = run_client(
        client, prompt="hello", before=[[command, "setup"], install, [command, "install", "--all"]], **place
    )
    first, again = (step["output"] for step in run.setup[-2:])
    assert [step["exit_code"] for step in run.setup[-2:]] == [0, 0], first + again
    assert ": registered\n" in first
    assert ": registered already\n" in again
    assert run.exit_code == 0, run.stderr
    assert len([place for place in run.where(NEWEST_STORY) if place.startswith("request 0: ")]) == 1
    if client != "claude":  # its agents find the command by its name
        ours = f"{home}/.local/share/agent-progress/plugin/bin/agent-progress"
        assert f"call `sh {ours}`" in run.setup[-2]["output"]
        asks = [{"shell": f"{shell_command(run)} status"}, {"text": "done"}]
        # Installed again: two of them have had their settings written anew.
        second = run_client(client, prompt="hello", script=asks, before=[install], **place)
        assert "1/2 complete (50%)" in "\n".join(text for _, text in strings(second.main_requests[-1]))

    variables = base_env(home, binary, "http://127.0.0.1:9")
    done = subprocess.run(
        [command, "uninstall", "--all"],
        env=variables,
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert ": taken out\n" in done.stdout
    assert named_in(home, SETTINGS[client]) == []
    kept = home / KEPT[client]
    assert not kept.exists() or (kept.is_file() and named_in(home, (KEPT[client],)) == [])
    left = sorted(path.name for path in (home / ".local/share/agent-progress").iterdir())
    assert set(left) <= {"env", "sessions"}
    assert list(home.glob(".local/share/agent-progress/env/*/")) == []


def shell_command(run: ClientRun) -> str:
    """Return what a start says that stands for `agent-progress` in the shell of the agent."""
    texts = [text for body in run.main_requests for _, text in strings(body)]
    named = re.search(r"call it as `(sh [^`]+/bin/agent-progress)`", "\n".join(texts))
    assert named is not None
    return named[1]


def named_in(home: Path, names: tuple[str, ...]) -> list[str]:
    """Return the files that name the plugin or its directory."""
    texts = {name: (home / name).read_text("utf-8") for name in names if (home / name).exists()}
    return [name for name, text in texts.items() if "agent-progress" in text or "progress@" in text]
