"""The exceptions that reach a person, each with its exit code and one line: what happened and what to do."""

import os
import sys


class AgentProgressError(Exception):
    """Base of our own errors: exit code 3."""

    exit_code = 3


class BadInput(AgentProgressError):
    """The input of the user, a client or a file cannot be used: exit code 2."""

    exit_code = 2


class ReadOnly(BadInput):
    """The log may not be written: a newer version wrote it."""


class NoProject(BadInput):
    """There is no project: the directory to begin at is gone, or is a home or temporary directory or `/`."""


class Refused(AgentProgressError):
    """The request was refused and nothing was changed: exit code 1."""

    exit_code = 1


class Busy(AgentProgressError):
    """Another process held the lock for too long: exit code 3."""


class ToolError(Exception):
    """A call of an MCP tool failed; the client shows the message to the agent."""


class DiskRefused(AgentProgressError):
    """The disk, its permissions or a limit of the system refused something: exit code 3.

    `failure` is e.g. `cannot write PATH`, `unchanged` e.g. `the log is as it was`.
    """

    def __init__(self, failure: str, error: OSError, unchanged: str = "") -> None:
        is_homeless = f" {os.devnull}{os.sep}" in failure
        remedy = "there is no home directory: set HOME" if is_homeless else _REMEDIES.get(_name_of(error), "")
        parts = (f"{failure}: {reason_of(error)}", unchanged, remedy)
        super().__init__("; ".join(part for part in parts if part))


_REMEDIES = {
    "ENOSPC": "free some space on that disk",
    "EDQUOT": "your quota is used up: remove files there, or have it raised",
    "EROFS": "that file system is mounted for reading only: mount it for writing",
    "EACCES": "check its owner and permissions, and those of its folders",
    "EPERM": "check its owner, permissions and attributes",
    "EFBIG": "files may not get that large there: see `ulimit -f`",
    "ENOTDIR": "a part of its path is not a folder: move it out of the way",
    "ENOLCK": "that file system has no locks: keep the project on another one",
    "ENOTSUP": "that file system has no locks: keep the project on another one",
}
_NEVER_OUR_FAULT = {"ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM", "EFBIG", "EIO"}


def reason_of(error: OSError) -> str:
    """Return the system's description of an error, without its number and path."""
    return error.strerror or str(error)


def as_refusal(error: Exception) -> DiskRefused | None:
    """Return an unexpected error as DiskRefused; None if it may be our own fault."""
    if not isinstance(error, OSError) or _name_of(error) not in _NEVER_OUR_FAULT:
        return None
    place = error.filename2 or error.filename
    named = place if isinstance(place, str) else "a file"
    return DiskRefused(f"cannot read or write {named}", error)


def _name_of(error: OSError) -> str:
    from errno import errorcode  # noqa: PLC0415 - only if something failed

    return errorcode.get(error.errno or 0, "")


def notify(message: str) -> None:
    """Print one line to the user on standard error, unless that is closed."""
    try:
        sys.stderr.write(f"agent-progress: {message}\n")
        sys.stderr.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # Python would fail once more when it shuts down
    except AttributeError:
        return
