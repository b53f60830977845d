"""Find a repository and ask git about it: the only module that starts git.

A repository's settings can name programs for hooks, pagers, diffs, filters, signatures and transport. Filters
cannot be switched off, so no command is used that compares the contents of files, such as `git diff`. All
others are switched off on the command line, and variables that steer git are not passed on. The files of a
repository are documented in gitrepository-layout(5).
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

from progress_plugin.core.data_directory import DATA_DIRECTORY
from progress_plugin.core.files import leads_outside, read_beginning
from progress_plugin.core.paths import nearest_with
from progress_plugin.core.processes import child_variables, find_program

TIMEOUT_S = 5.0
MAX_OUTPUT = 4 << 20  # bytes
MAX_REFLOG = 5_000  # entries
MAX_FILES = 50  # files of one commit
MAX_UNMERGED = 50  # branches that are compared with HEAD
ALREADY_MERGED = sys.maxsize
MAX_LINE_BYTES = 4096

_SETTINGS = (
    "core.fsmonitor=false", f"core.hooksPath={os.devnull}", f"core.attributesFile={os.devnull}",
    "core.pager=cat", "core.sshCommand=false", "core.alternateRefsCommand=false", "credential.helper=",
    "diff.external=", "log.showSignature=false", "protocol.allow=never", "gc.auto=0",
    "maintenance.auto=false", "submodule.recurse=false", "safe.bareRepository=explicit",
)  # fmt: skip
_OPTIONS = ("--no-pager", "--no-optional-locks", "--no-replace-objects", "--literal-pathspecs")
_DIFF_OPTIONS = {"log": ("--no-textconv", "--no-ext-diff")}
_STEERING_PREFIXES = ("GIT_", "SSH_", "LD_", "DYLD_")
_STEERING = ("PAGER", "LESS", "EDITOR", "VISUAL", "BROWSER", "PREFIX")
_VARIABLES = {
    "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none", "GIT_OPTIONAL_LOCKS": "0", "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "SSH_ASKPASS": "", "LC_ALL": "C", "GIT_TRACE": "0",
    "GIT_TRACE2": "0", "GIT_TRACE2_EVENT": "0", "GIT_TRACE2_PERF": "0",
}  # fmt: skip
_REFLOG_FIELDS = 3  # commit, selector such as `HEAD@{1700000000}`, action


class RefMove(NamedTuple):
    """One move of HEAD in the reflog, e.g. by a commit that was made here, a checkout or a pull."""

    id: str  # of the commit that HEAD then pointed to
    previous: str | None  # of the commit that HEAD pointed to before; None if no earlier move was read
    time: int  # seconds since 1970
    action: str  # such as `commit: Fix the lamp`

    @property
    def is_commit(self) -> bool:
        return self.action.startswith("commit")

    @property
    def subject(self) -> str:
        """First line of the commit message, if `is_commit`."""
        return self.action.partition(": ")[2]


class Repository:
    """The repository of a worktree; `git_dir` belongs to this worktree, `common_dir` to all worktrees."""

    def __init__(self, top: str, git_dir: str, common_dir: str) -> None:
        self.top = top
        self.git_dir = git_dir
        self.common_dir = common_dir
        self._has_timed_out = False

    @property
    def worktree(self) -> str | None:
        """Name of a linked worktree; None in the main worktree."""
        return None if self.git_dir == self.common_dir else os.path.basename(self.git_dir)

    @property
    def main_top(self) -> str | None:
        """Top of the main worktree; None if the repository is bare or its directory is not called `.git`."""
        if self.worktree is None:
            return self.top
        parent, name = os.path.split(self.common_dir)
        is_bare = name != ".git" or not os.path.exists(os.path.join(self.common_dir, "index"))
        return None if is_bare else parent

    def state_files(self) -> list[str]:
        """Return the files to watch for a move of HEAD: one of them changes, unless git keeps no reflog."""
        reftable = os.path.join(self.git_dir, "reftable", "tables.list")
        moves = reftable if os.path.exists(reftable) else os.path.join(self.git_dir, "logs", "HEAD")
        return [os.path.join(self.git_dir, "HEAD"), moves]

    def head(self) -> tuple[str | None, str | None]:
        """Return branch and commit id: no branch if HEAD is detached, no commit before the first one."""
        found = _decode(self.run(["rev-parse", "HEAD", "--symbolic-full-name", "HEAD"])).split()
        if len(found) < 2:  # noqa: PLR2004 - git prints commit and ref, but not before the first commit
            found = ["", _decode(self.run(["symbolic-ref", "--quiet", "HEAD"])).strip()]
        commit, ref = found
        return ref.removeprefix("refs/heads/") if ref and ref != "HEAD" else None, commit or None

    def worktrees(self) -> dict[str, str]:
        return {name: top for top, name in self._listed_worktrees().items() if name}

    def missing_worktrees(self) -> list[str]:
        """Return the paths of linked worktrees that were moved or removed without git."""
        return sorted(top for top, name in self._listed_worktrees().items() if not name)

    def _listed_worktrees(self) -> dict[str, str | None]:
        lines = _decode(self.run(["worktree", "list", "--porcelain"])).splitlines()
        tops = [line.removeprefix("worktree ") for line in lines if line.startswith("worktree ")][1:]
        found = {os.path.abspath(top): repository_at(top) for top in tops}
        return {
            top: each.worktree if each and _is_same(each.common_dir, self.common_dir) else None
            for top, each in found.items()
        }

    def reflog(self) -> list[RefMove]:
        """Return the newest moves of HEAD, the newest first."""
        words = ["log", "-g", f"--max-count={MAX_REFLOG}", "--date=unix", "--format=%H%x00%gd%x00%gs"]
        rows = [line.split("\0") for line in _decode(self.run([*words, "HEAD", "--"])).splitlines()]
        moves: list[RefMove] = []
        for commit, selector, action in reversed([row for row in rows if len(row) == _REFLOG_FIELDS]):
            time = int(selector.rpartition("{")[2].rstrip("}"))
            moves.append(RefMove(commit, moves[-1].id if moves else None, time, action))
        return moves[::-1]

    def earlier_heads(self) -> set[str | None]:
        """Return the HEAD before each commit made here since HEAD last moved in another way, e.g. by a pull.

        For the repository's first commit that is None.
        """
        return {move.previous for move in takewhile(lambda move: move.is_commit, self.reflog())}

    def last_local_commit(self) -> RefMove | None:
        """Return the commit at HEAD if it was made here."""
        return next((move for move in self.reflog()[:1] if move.is_commit), None)

    def local_commits(self, since: float, until: float) -> list[RefMove]:
        """Return the commits made here between two Unix times, oldest first, each as last amended."""
        found: list[RefMove] = []
        for move in reversed(self.reflog()):
            if move.is_commit and int(since) <= move.time <= until:
                if move.action.startswith("commit (amend)") and found and found[-1].id == move.previous:
                    found.pop()
                found.append(move)
        return found

    def merge_times(self, branches: Iterable[str]) -> dict[str, int]:
        """Map each existing branch to the time of its merge base with HEAD; ALREADY_MERGED if it is merged.

        Branches are local or remote, at most 50 of them unmerged. Without a merge base the Unix time is 0.
        """
        places = ("refs/heads/", "refs/remotes/*/")
        patterns = [place + name for name in branches for place in places]
        if not patterns:
            return {}
        listed = _decode(self.run(["for-each-ref", "--format=%(refname)", "--no-merged=HEAD", *patterns]))
        merged = _decode(self.run(["for-each-ref", "--format=%(refname)", "--merged=HEAD", *patterns]))
        times = {_branch_of(ref): ALREADY_MERGED for ref in merged.split()}
        for ref in listed.split()[:MAX_UNMERGED]:
            base = _decode(self.run(["merge-base", "HEAD", ref])).strip()
            words = ["show", "-s", "--format=%ct", base, "--"]
            times.setdefault(_branch_of(ref), int(_decode(self.run(words)) or 0) if base else 0)
        return times

    def files_of(self, commit: str) -> list[str]:
        """Return the paths a commit changed, at most 50, without our own files and compiled ones."""
        words = ["log", "--no-walk", "--format=", "--name-only", "--no-renames", "-z", commit, "--"]
        names = sorted(filter(None, _decode(self.run(words)).split("\0")))
        kept = [name for name in names if not name.startswith(f"{DATA_DIRECTORY}/")]
        return [name for name in kept if not name.endswith((".pyc", ".pyo"))][:MAX_FILES]

    def run(
        self,
        words: Sequence[str],
        directory: str | None = None,
        *,
        timeout: float = TIMEOUT_S,
        max_bytes: int = MAX_OUTPUT,
    ) -> bytes | None:
        """Return the output of a git command; None if git is missing, fails, is too slow or prints too much.

        `words` begin with the command. Pass words from a repository only as commit ids, behind `refs/` or
        after `--`: git may take others for options. Once a command was too slow or printed too much, this
        object does not start git again.
        """
        program, variables = self._git
        if program is None or self._has_timed_out:
            return None
        settings = [word for setting in _SETTINGS for word in ("-c", setting)]
        place = ["-C", directory or self.top, f"--work-tree={self.top}"]  # the settings may name another one
        command = [program, *place, *_OPTIONS, *settings, words[0]]
        command += [*_DIFF_OPTIONS.get(words[0], ()), *words[1:]]
        try:
            return _run(command, variables, timeout, max_bytes)
        except TimeoutError:
            self._has_timed_out = True
            return None

    @cached_property
    def _git(self) -> tuple[str | None, dict[str, str]]:
        """The path of git and its variables; cached, because the search tries every folder of `PATH`."""
        places = [self.top, *([self.main_top] if self.main_top else [])]
        return find_program("git", *places), git_variables(*places)


def find_repository(directory: str) -> Repository | None:
    """Return the repository whose worktree contains a directory, without starting git."""
    top = nearest_with(os.path.abspath(directory), ".git")
    return repository_at(top) if top else None


def repository_at(top: str) -> Repository | None:
    """Return the repository whose worktree has its top at exactly this directory.

    Anybody can write a `.git` file that names another repository. So the git directory of a submodule has to
    lie in `modules` of the repository around it. That of a linked worktree has to lie in `worktrees` of its
    repository, and its file `gitdir` has to name this worktree. A git directory inside the worktree needs no
    proof.
    """
    dot_git = os.path.join(top, ".git")
    if os.path.isdir(dot_git) and not os.path.islink(dot_git):
        return Repository(top, dot_git, dot_git)
    line = _first_line(top, ".git")
    if line is None or not line.startswith("gitdir:"):
        return None
    git_dir = os.path.normpath(os.path.join(top, line.removeprefix("gitdir:").strip()))
    common = _first_line(git_dir, "commondir")
    if common is None:
        outer = find_repository(os.path.dirname(top))
        places = [top, *([os.path.join(outer.git_dir, "modules")] if outer else [])]
        is_inside = any(not leads_outside(place, git_dir) for place in places)
        return Repository(top, git_dir, git_dir) if is_inside else None
    common_dir = os.path.normpath(os.path.join(git_dir, common))
    back = _first_line(git_dir, "gitdir")
    is_listed = _is_same(os.path.dirname(git_dir), os.path.join(common_dir, "worktrees"))
    is_acknowledged = back is not None and _is_same(os.path.join(git_dir, back), dot_git)
    return Repository(top, git_dir, common_dir) if is_listed and is_acknowledged else None


def git_variables(*places: str) -> dict[str, str]:
    """Return our environment without variables that steer git; its PATH has no folders inside `places`."""
    kept = {
        name: value
        for name, value in child_variables(*places).items()
        if not name.upper().startswith(_STEERING_PREFIXES) and name.upper() not in _STEERING
    }
    return {**kept, **_VARIABLES}


def _first_line(directory: str, name: str) -> str | None:
    beginning = os.fsdecode(read_beginning(directory, name, MAX_LINE_BYTES))
    return beginning.partition("\n")[0].strip() or None


def _is_same(path: str, other: str) -> bool:
    return os.path.realpath(path) == os.path.realpath(other)


def _run(command: list[str], variables: dict[str, str], timeout: float, max_bytes: int) -> bytes | None:
    """Return the output of a command; None if it fails.

    Raises TimeoutError if it is too slow, prints too much or is killed.
    """
    try:
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=os.sep,
            env=variables, start_new_session=True,
        )  # fmt: skip
    except (OSError, ValueError):  # the latter for a null character, e.g. in a branch that an entry names
        return None
    timer = threading.Timer(timeout, _kill, [child])
    timer.start()
    try:
        with child:
            output = child.stdout.read(max_bytes + 1) if child.stdout else b""
            if len(output) > max_bytes:
                _kill(child)
    finally:
        timer.cancel()
    if child.returncode < 0 or len(output) > max_bytes:
        raise TimeoutError
    return output if child.returncode == 0 else None


def _kill(child: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that it started: any of them may keep the pipe open, and we would wait."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL) if sys.platform != "win32" else child.kill()


def _branch_of(ref: str) -> str:
    """Return the name of a branch: `fix/tide` of `refs/heads/fix/tide` and `refs/remotes/origin/fix/tide`."""
    _, kind, *names = ref.split("/")
    return "/".join(names if kind == "heads" else names[1:])


def _decode(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "surrogateescape")
