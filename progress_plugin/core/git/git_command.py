"""The one way to start git: for reading, within bounds, and so that nothing else is started.

What git's own files tell without a process is in `core.git.git_files`.

A repository's own settings can name programs: for looking at the index, for hooks, pagers, diffs, filters,
signatures, passwords, transport. They are all switched off on the command line, which goes before them. What
a project can set through its client's settings are variables, so none that steers git is handed on, and git
is found, and finds its settings, outside the project alone.
"""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import threading
import time
from collections.abc import Sequence

from progress_plugin.core.git.git_files import Checkout, checkout_around
from progress_plugin.core.programs import child_variables, find_program

GIT_TIMEOUT = 5.0
"""Seconds for one command."""
_PAUSE = 60.0
"""Seconds in which git is not started again about a checkout where it took too long: several that wait in
turn, as for a named pipe that the settings include, would use up the time of whoever asks."""
MOST = 4 * 1024 * 1024
"""Bytes of its output that are taken; of more, nothing is."""

_OFF = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    f"core.attributesFile={os.devnull}",
    "core.pager=cat",
    "core.editor=false",
    "core.sshCommand=false",
    "core.gitProxy=",
    "core.askPass=",
    "core.alternateRefsCommand=false",
    "credential.helper=",
    "diff.external=",
    "log.showSignature=false",
    *(f"gpg.{kind}program=false" for kind in ("", "openpgp.", "x509.", "ssh.")),
    "gpg.ssh.defaultKeyCommand=",
    "protocol.allow=never",
    "uploadpack.packObjectsHook=",
    "gc.auto=0",
    "maintenance.auto=false",
    "submodule.recurse=false",
    "safe.bareRepository=explicit",
)
_COMPARING = ("log", "diff-tree")
"""Commands that look into files, by programs of an attribute's driver unless they are told not to."""
_PLAIN = ("--no-textconv", "--no-ext-diff")
_OPTIONS = ("--no-pager", "--no-optional-locks", "--no-replace-objects", "--literal-pathspecs")
_QUIET = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    "GIT_ASKPASS": "",
    "GIT_TRACE": "0",
    "GIT_TRACE2": "0",
    "GIT_TRACE2_EVENT": "0",
    "GIT_TRACE2_PERF": "0",
    "SSH_ASKPASS": "",
    "LC_ALL": "C",
}
"""A repository that says it is partial has git fetch what is missing, through a program of its choice.
Settings can have git write a trace into any file; the variables go before them."""
_FILES = (
    *("config", "config.worktree", "HEAD", "commondir", "gitdir", "index", "packed-refs", "shallow"),
    *("info/exclude", "info/attributes", "info/grafts", "info/sparse-checkout", "objects/info/alternates"),
)
"""What git opens before it answers, whatever it is asked."""
_STEERING = ("GIT_", "SSH_", "LD_", "DYLD_")
_too_slow: dict[str, float] = {}
"""The git directories where it took too long, and until when each is left alone, by the monotonic clock."""
_NAMES = ("PAGER", "LESS", "EDITOR", "VISUAL", "BROWSER", "PREFIX")


def output_of(
    directory: str, words: Sequence[str], *, timeout: float = GIT_TIMEOUT, most: int = MOST
) -> bytes | None:
    """Return what a command of git's prints about the checkout that `directory` is in.

    `words` begin with the command; what may come from a repository follows ``--`` or is a commit's id.
    None where it is in none, and where git is not there, fails, takes longer than `timeout` seconds, has done
    so within the last minute, or prints more than `most` bytes.
    """
    checkout = checkout_around(os.path.realpath(directory))
    if checkout is None:
        return None  # git itself would follow a `.git` file into a repository that does not know it
    places = [directory, *([checkout.main_top] if checkout.main_top else [])]
    git = find_program("git", *places)
    if git is None or _waits(checkout) or time.monotonic() < _too_slow.get(checkout.git_dir, 0.0):
        return None
    settings = [word for setting in _OFF for word in ("-c", setting)]
    plain = _PLAIN if words[0] in _COMPARING else ()
    command = [git, "-C", directory, *_OPTIONS, *settings, words[0], *plain, *words[1:]]
    try:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=os.path.abspath(os.sep),
            env=environment(*places),
            start_new_session=True,
        )
    except OSError:
        return None
    with child:
        data, in_time = _read(child, timeout, most)
    if not in_time:
        _too_slow[checkout.git_dir] = time.monotonic() + _PAUSE
    return data if in_time and len(data) <= most and child.returncode == 0 else None


def environment(*places: str) -> dict[str, str]:
    """Return the variables for git: this process's, without those that steer it or what it starts.

    `places` are further directories of the project, from which nothing is used.
    """
    kept = {
        name: value
        for name, value in child_variables(*places).items()
        if not name.upper().startswith(_STEERING) and name.upper() not in _NAMES
    }
    return {**kept, **_QUIET}


def _waits(checkout: Checkout) -> bool:
    """Return whether git would wait for one of its own files, because it is a named pipe or a device."""
    folders = {checkout.git_dir, checkout.common_dir}
    return any(_is_no_file(os.path.join(folder, name)) for folder in folders for name in _FILES)


def _is_no_file(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _read(child: subprocess.Popen[bytes], timeout: float, most: int) -> tuple[bytes, bool]:
    """Return what a process prints and whether it came in time; it is ended when either bound is reached."""
    late = threading.Event()

    def end() -> None:
        late.set()
        _end(child)

    clock = threading.Timer(timeout, end)
    clock.start()
    try:
        data = child.stdout.read(most + 1) if child.stdout else b""
        if len(data) > most:
            _end(child)
        child.wait()
    finally:
        clock.cancel()
    return data, not late.is_set()


def _end(child: subprocess.Popen[bytes]) -> None:
    """End a process with all that it has started: one of those could hold our end of the pipe open."""
    try:
        if hasattr(os, "killpg"):
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.kill()
    except OSError:
        return  # it has just ended by itself
