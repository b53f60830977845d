"""The environment variables `AGENT_PROGRESS_…` by which a user changes one call."""

import os

PREFIX = "AGENT_PROGRESS_"
_NOT_SHOWN = (
    "SITE", "DISABLED", "NO_INSTALL", "DB", "CORPUS", "PROJECT_DIR", "TEAM_URL", "TEAM_PROJECT_KEY",
    "READ_ONLY", "WEIGHTS",
)  # fmt: skip


def is_set(name: str) -> bool:
    """Return whether a variable such as `DISABLED` is set, and not to 0."""
    return os.environ.get(PREFIX + name, "") not in ("", "0")


def looks_only() -> bool:
    """Return whether this call may write nothing down."""
    return is_set("READ_ONLY")


def asked_otherwise() -> list[str]:
    """Return the variables by which this call asks for another output than the stored one."""
    return [
        name for name in os.environ if name.startswith(PREFIX) and name.removeprefix(PREFIX) not in _NOT_SHOWN
    ]
