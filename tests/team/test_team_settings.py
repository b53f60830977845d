"""Who may name a team's server, what a project is called there, and what a team costs projects without one."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from progress_plugin.core.errors import BadInput
from progress_plugin.team.connection import connected
from progress_plugin.usecases.team.setup import key_of_remote
from tests.conftest import REPOSITORY
from tests.team.clones import OURS, Clone, begun
from tests.team.members import member

URL = "postgresql://db.example.org/team"


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    """Return a repository without a team."""
    made = begun(tmp_path, "ours")
    (made.root / OURS / "config.toml").write_text("", "utf-8")
    return made


def test_a_repository_cannot_name_the_teams_server(clone: Clone) -> None:
    (clone.root / OURS / "config.toml").write_text(
        f'[team]\nurl = "{URL}"\nproject_key = "theirs"\n', "utf-8"
    )
    assert "no team is configured" in clone.run("sync", status=2, err=True)
    told = clone.run("config", "list", err=True)
    assert "team.url is ignored; it counts only in your own configuration" in told
    assert "team.project_key is ignored; it counts only in your own configuration" in told
    assert "with --user" in clone.run("config", "set", "team.url", URL, status=1, err=True)


REMOTES = json.loads(Path(__file__).with_name("remotes.json").read_text("utf-8"))


def test_a_project_has_one_name_in_any_spelling_of_its_remote_and_none_that_may_hold_a_secret() -> None:
    names = {url: key for key, urls in REMOTES["remotes"].items() for url in urls}
    names |= dict.fromkeys([*REMOTES["no_remotes"], "x" * 400])
    assert {url: key_of_remote(url) for url in names} == names


def test_where_psycopg_is_missing_one_line_says_how_to_get_it(tmp_path: Path) -> None:
    clone = member(tmp_path, "ours", "postgresql:///team?host=/nonexistent")
    (tmp_path / "without").mkdir()
    (tmp_path / "without/psycopg.py").write_text("raise ImportError('not here')\n", "utf-8")
    variables = {**clone.environment, "PYTHONPATH": f"{tmp_path}/without:{REPOSITORY}"}
    del variables["AGENT_PROGRESS_NO_INSTALL"]

    def call(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "progress_plugin", *words]
        return subprocess.run(
            command, cwd=clone.root, env=variables, capture_output=True, text=True, check=False
        )

    fault = "a team's server needs psycopg 3, which is not installed or does not load (not here)"
    remedy = "run: pipx inject agent-progress 'psycopg[binary]' (without pipx: install 'DIR[team]', not DIR)"
    done = call("config", "set", "--user", "team.url", URL)
    assert (done.returncode, done.stderr) == (0, f"the setting is made, but {fault}; {remedy}\n")
    done = call("sync")
    assert (done.returncode, done.stderr) == (2, f"agent-progress: {fault}; {remedy}\n")
    done = call("doctor")
    assert (done.returncode, f"wrong  packages: {fault}\n       → {remedy}\n" in done.stdout) == (1, True)
    assert not (clone.home / ".local/share/agent-progress/env").exists()


def test_a_part_of_a_password_that_libpq_would_take_for_the_host_is_not_shown() -> None:
    for secret in ("S3cret@pw-hush", "S3/pw-hush", "12/pw@hush", "S3@hush/x"):
        with (
            pytest.raises(BadInput, match="%40") as refused,
            connected(f"postgresql://u:{secret}@127.0.0.1:1/db"),
        ):
            pass
        assert not re.search("hush|S3", str(refused.value))


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://anna:hX7-q9Zt_hush@127.0.0.1:1/team",
        "postgresql://127.0.0.1:1/team?user=anna&password=hX7-q9Zt_hush",
    ],
)
def test_a_password_in_the_url_closes_the_file_and_is_said(clone: Clone, url: str) -> None:
    clone.log("Berths are listed")
    clone.run("config", "set", "--user", "max_learnings", "7")
    path = clone.home / ".config/agent-progress/config.toml"
    path.chmod(0o644)
    told = clone.run("config", "set", "--user", "team.url", url, err=True)
    assert "team.url holds a password" in told
    assert "~/.pgpass" in told
    assert "PGPASSFILE" in told
    assert "hush" not in told
    assert path.stat().st_mode & 0o777 == 0o600
    assert "hush" not in clone.run("config", "list", err=True)
    said = clone.run("doctor", "--json", status=None)
    assert "127.0.0.1:1/team" in said
    assert "hush" not in said
    told = clone.run("config", "set", "--user", "team.url", "postgresql://anna@127.0.0.1:1/team")
    assert "password" not in told
