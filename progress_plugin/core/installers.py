"""How packages get into a directory: uv, pip, or the pip of a virtual environment made for it (S16.5)."""

import importlib.util
import os
import shutil
from collections.abc import Iterator
from typing import NamedTuple

_PINNED = ("--require-hashes", "--no-deps", "--only-binary", ":all:")
"""Exactly what the lock file lists, and wheels only: nothing is run while it is installed."""

_SOURCES = frozenset(
    (
        *("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX", "PIP_TRUSTED_HOST"),
        *("PIP_CERT", "PIP_CLIENT_CERT", "PIP_PROXY", "PIP_DEFAULT_TIMEOUT", "PIP_RETRIES", "PIP_CACHE_DIR"),
        *(
            "UV_INDEX",
            "UV_DEFAULT_INDEX",
            "UV_INDEX_URL",
            "UV_EXTRA_INDEX_URL",
            "UV_FIND_LINKS",
            "UV_OFFLINE",
        ),
        *("UV_INDEX_STRATEGY", "UV_INSECURE_HOST", "UV_NATIVE_TLS", "UV_SYSTEM_CERTS", "UV_KEYRING_PROVIDER"),
        *("UV_HTTP_TIMEOUT", "UV_CACHE_DIR"),
    )
)
"""Variables that only say where packages come from; the hashes say what they must be."""

_OVERRULED = {"PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0", "UV_PYTHON_DOWNLOADS": "never"}
"""Sensible in a user's configuration, at odds with a directory of our own."""


class Installer(NamedTuple):
    """One way to install: its name, and the commands to run one after the other."""

    name: str
    commands: tuple[tuple[str, ...], ...]


def installers(python: str, lock_file: str, target: str, scratch: str) -> Iterator[Installer]:
    """Yield the ways to install `lock_file` into `target` for `python`, the best first.

    `scratch` is a path that may be made: the last way puts a virtual environment there. All of them are to be
    run with `NEUTRAL_DIRECTORY` and `installer_environment()`.
    """
    if uv := shutil.which("uv"):
        yield Installer("uv", ((uv, "pip", "install", "--python", python, *_into(target, lock_file)),))
    if importlib.util.find_spec("pip"):
        yield Installer("pip", (_pip(python, target, lock_file),))
    if importlib.util.find_spec("ensurepip"):
        own = os.path.join(scratch, "Scripts" if os.name == "nt" else "bin", "python")
        make = (python, "-I", "-m", "venv", scratch)
        yield Installer("pip of a virtual environment", (make, _pip(own, target, lock_file)))


NEUTRAL_DIRECTORY = os.path.abspath(os.sep)
"""Where installers run: uv and pip look for a project's settings from the working directory upward."""


def installer_environment() -> dict[str, str]:
    """Return the variables for an installer: this process's, without those that could steer it.

    A project can set variables through its client's settings, and `PIP_REQUIREMENT` or a configuration file
    named by `PIP_CONFIG_FILE` adds packages. The user's own configuration files are read as ever.
    """
    kept = {name: value for name, value in os.environ.items() if not _steers(name)}
    return {**kept, **_OVERRULED}


def _steers(name: str) -> bool:
    if name in _SOURCES or name.endswith(("_USERNAME", "_PASSWORD")):
        return False
    return name.startswith(("PIP_", "UV_", "PYTHON")) or name in ("VIRTUAL_ENV", "CONDA_PREFIX")


def _into(target: str, lock_file: str) -> tuple[str, ...]:
    return ("--target", target, *_PINNED, "--requirement", lock_file)


def _pip(python: str, target: str, lock_file: str) -> tuple[str, ...]:
    quiet = ("--no-compile", "--disable-pip-version-check", "--no-input", "--progress-bar", "off")
    return (python, "-I", "-m", "pip", "install", *quiet, *_into(target, lock_file))
