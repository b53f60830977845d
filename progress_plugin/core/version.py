"""The version of this plugin, and the name of the environment that its packages stand in (S16.5)."""

import sys

VERSION = "0.1.0"

_LOCK_FILE = f"{__file__.replace(chr(92), '/').rsplit('/', 3)[0]}/requirements.lock"
_HEAD = "# environment: "


def environment_name() -> str:
    """Return the name of the environment for these packages and this Python, such as `0123456789abcdef-3.12`.

    Raises AgentProgressError where the plugin's own lock file is missing or damaged.
    """
    return f"{locked_hash()}-{python_name()}"


def python_name() -> str:
    """Return version and build of this Python as far as compiled packages depend on them, such as `3.13t`."""
    return f"{sys.version_info.major}.{sys.version_info.minor}{getattr(sys, 'abiflags', '')}"


def locked_hash() -> str:
    """Return the hash that the first line of the lock file states of the lines below it."""
    from progress_plugin.core.errors import AgentProgressError  # noqa: PLC0415 - the version alone needs nothing

    try:
        with open(_LOCK_FILE, encoding="utf-8") as file:
            first = file.readline()
    except OSError as error:
        raise AgentProgressError(f"{_LOCK_FILE}: {error.strerror}; install the plugin again") from error
    if not first.startswith(_HEAD):
        raise AgentProgressError(f"{_LOCK_FILE}: its first line names no hash; install the plugin again")
    return first[len(_HEAD) :].split()[0]
