"""A commit is told of the session that made it, or whose files are in it, and of no other one."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.journeys.project_life import Life, section
from tests.journeys.worked_sessions import LAST, ends, transcript


class Harbour:
    """A project in which two sessions work on the same day, and a user commits by hand."""

    def __init__(self, root: Path, patch: pytest.MonkeyPatch) -> None:
        self.life = Life(root)
        self.life.write("a.py", "a = 1\n")
        self.life.commit("init")
        self._patch = patch
        self.first, self.second = self.life.starts(), self.life.starts()
        self.told, self.beside = transcript(self.life, self.first), transcript(self.life, self.second)
        self.beside.now = self.told.now

    def commits(self, message: str, *words: str, when: datetime) -> str:
        """Commit what there is, and return the commit's id."""
        self._patch.setenv("GIT_COMMITTER_DATE", f"{when:%Y-%m-%dT%H:%M:%SZ}")
        self.life.git("add", "-A")
        self.life.git("commit", "-q", "--allow-empty", "-m", message, *words)
        return self.life.git("rev-parse", "HEAD")

    def of(self, number: str) -> list[str]:
        """Return the subjects of the commits of a session."""
        return [subject for _, subject in self.life.told_as_json("sessions", number)["commits"]]


@pytest.fixture
def harbour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Harbour:
    return Harbour(tmp_path / "harbour", monkeypatch)


def test_a_commit_of_another_session_or_by_hand_is_not_that_of_one_that_only_looks(harbour: Harbour) -> None:
    """All commits were told of every session that ran while they were made."""
    harbour.beside.asks("Explain the code")
    harbour.told.asks("Build the pier")
    harbour.beside.runs("cat a.py", 0, "a = 1")
    harbour.life.write("pier.py", "pier = 1\n")
    harbour.told.writes("pier.py", new=True)
    made = harbour.commits("feat: pier", when=harbour.told.now + timedelta(seconds=2))
    harbour.told.runs("git commit -m 'feat: pier'", 0, f"[main {made[:7]}] feat: pier\n 1 file changed")
    harbour.commits("By hand", when=harbour.told.now)
    harbour.beside.now = harbour.told.now + timedelta(seconds=30)
    harbour.beside.runs("git log --oneline -2", 0, f"0000000 By hand\n{made[:7]} feat: pier")
    harbour.beside.says("It sets a.")
    harbour.told.says("The pier is there.")
    ends(harbour.life, harbour.first, harbour.told)
    ends(harbour.life, harbour.second, harbour.beside)
    assert harbour.of("session-1") == ["feat: pier"]
    assert harbour.of("session-2") == []
    told = section(harbour.life.starts().context, LAST)
    assert "Build the pier" in told
    assert "Beside it" not in told


@pytest.mark.parametrize(
    ("line", "output", "code"),
    [
        ("git commit -qam 'feat: pier'", "", 0),
        ('git add -A && git commit -q -m "feat: pier" && pytest', "1 failed", 1),
        ("git -C . commit -q -F message.txt", "", 0),
        ("make release", "[main {id}] feat: pier\n 1 file changed", 0),
    ],
)
def test_what_a_command_of_the_session_has_committed_is_its_own(
    harbour: Harbour, line: str, output: str, code: int
) -> None:
    harbour.told.asks("Commit what is there")
    harbour.commits("By hand, before", when=harbour.told.now - timedelta(seconds=2))
    made = harbour.commits("feat: pier", when=harbour.told.now + timedelta(seconds=1))
    harbour.told.runs(line, code, output.replace("{id}", made[:9]))
    harbour.commits("By hand, behind", when=harbour.told.now)
    harbour.told.now += timedelta(seconds=30)
    harbour.told.says("Done.")
    ends(harbour.life, harbour.first, harbour.told)
    assert harbour.of("session-1") == ["feat: pier"]
