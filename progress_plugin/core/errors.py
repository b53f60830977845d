"""The exceptions that reach a person, each with its exit code (S13)."""


class AgentProgressError(Exception):
    """Base of all our own errors: one line that says what happened and what to do."""

    exit_code = 3


class BadInput(AgentProgressError):
    """What the user, a client or a file gave cannot be used: exit code 2."""

    exit_code = 2


class ReadOnly(BadInput):
    """The log may not be written as it is: git conflict markers, or a newer version's (S1.7, S1.8)."""


class NoProject(BadInput):
    """The working directory is a home, a temporary root or `/`, which is a project only when named (S5.1)."""


class Refused(AgentProgressError):
    """The answer is no, and nothing was changed: exit code 1."""

    exit_code = 1


class Busy(AgentProgressError):
    """Another process holds the lock and did not let go in time: exit code 3."""
