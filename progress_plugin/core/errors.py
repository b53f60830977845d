"""The exceptions that reach a person, each with its exit code.

Where they become a line and an exit code: `cli.error_exit` (`bounded`); in hooks they are noted
in `core.error_log`.
"""


class AgentProgressError(Exception):
    """Base of all our own errors: one line that says what happened and what to do."""

    exit_code = 3


class BadInput(AgentProgressError):
    """What the user, a client or a file gave cannot be used: exit code 2."""

    exit_code = 2


class ReadOnly(BadInput):
    """The log may not be written as it is: git conflict markers, or a newer version's."""


class NoProject(BadInput):
    """The working directory is a home, a temporary root or `/`, which is a project only when named."""


class Refused(AgentProgressError):
    """The answer is no, and nothing was changed: exit code 1."""

    exit_code = 1


class Busy(AgentProgressError):
    """Another process holds the lock and did not let go in time: exit code 3."""


class HookTimeout(BaseException):
    """The time of a hook is used up. Not an `Exception`: handlers of errors on the way must let it pass."""


class DiskRefused(AgentProgressError):
    """The disk, its permissions or a limit of the system do not allow something: exit code 3.

    `what` says what was to be done, as `cannot write PATH`, and `kept` what is as it was.
    """

    def __init__(self, what: str, error: OSError, kept: str = "") -> None:
        remedy = _REMEDIES.get(_name_of(error), "")
        super().__init__("; ".join(part for part in (f"{what}: {reason_of(error)}", kept, remedy) if part))


_REMEDIES = {
    "ENOSPC": "free some space on that disk",
    "EDQUOT": "your quota is used up: remove files there, or have it raised",
    "EROFS": "that file system is mounted for reading only: mount it for writing",
    "EACCES": "check its owner and permissions, and those of its folders",
    "EPERM": "check its owner, permissions and attributes",
    "EFBIG": "files may not get that large there: see `ulimit -f`",
    "EIO": "the disk reports a fault: look at it before anything else",
    "EMFILE": "too many files are open: see `ulimit -n`",
    "ENFILE": "too many files are open on this machine",
    "ENAMETOOLONG": "that name is too long for its file system",
    "ENOTDIR": "something else stands in the place of a folder on the way: move it",
    "ELOOP": "links on the way lead in a circle, or may not be followed: remove them",
    "ENOLCK": "that file system has no locks: keep the project on another one",
    "ENOTSUP": "that file system has no locks: keep the project on another one",
    "ENOENT": "a folder on the way is not there: make it first",
}
_ALWAYS = {"ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM", "EFBIG", "EIO"}
"""What no program is at fault for, wherever it comes up."""


def reason_of(error: OSError) -> str:
    """Return what the system says about an error, without number and path."""
    return error.strerror or str(error)


def as_refusal(error: Exception) -> DiskRefused | None:
    """Return an error that nobody expected as what the disk refused; None where it may be our own fault."""
    if not isinstance(error, OSError) or _name_of(error) not in _ALWAYS:
        return None
    place = error.filename2 or error.filename
    named = place if isinstance(place, str) else "a file"
    return DiskRefused(f"cannot read or write {named}", error)


def _name_of(error: OSError) -> str:
    from errno import errorcode  # noqa: PLC0415 - only where something failed

    return errorcode.get(error.errno or 0, "")
