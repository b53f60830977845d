"""What Claude Code itself says about our manifests, strictly."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = [pytest.mark.client, pytest.mark.slow]


@pytest.mark.parametrize("name", [".claude-plugin/plugin.json", ".claude-plugin/marketplace.json"])
def test_each_manifest_is_valid_without_a_warning(any_claude: str, name: str) -> None:
    done = subprocess.run(
        [any_claude, "plugin", "validate", "--strict", str(ROOT / name)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Validation passed" in done.stdout
    assert "unknown" not in done.stdout.lower()


def test_the_directory_with_its_top_level_manifest_is_valid(any_claude: str) -> None:
    done = subprocess.run(
        [any_claude, "plugin", "validate", str(ROOT)], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_newest_client_finds_every_part_of_the_plugin(claude: str) -> None:
    manifest = str(ROOT / ".claude-plugin" / "plugin.json")
    done = subprocess.run(
        [claude, "plugin", "validate", manifest], capture_output=True, text=True, check=True, timeout=60
    )
    provided = [line.strip(" ❯") for line in done.stdout.splitlines() if line.startswith("  ❯ ")]
    for part in (
        "hooks: SessionStart",
        "hooks: TaskCompleted",
        "mcpServers: progress",
        "bin: agent-progress",
    ):
        assert any(line.startswith(part) for line in provided), part
