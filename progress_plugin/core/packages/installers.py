"""How packages get into a directory: with uv, with pip, or with a borrowed pip."""

import os
import subprocess
from collections.abc import Iterator
from typing import NamedTuple

from progress_plugin.core import untrusted_paths

_PINNED = ("--require-hashes", "--no-deps", "--only-binary", ":all:")
"""Exactly what the lock file lists, and wheels only: nothing is run while it is installed."""

_SOURCES = (
    *("INDEX", "FIND_LINKS", "OFFLINE", "CACHE_DIR", "PROXY", "CERT", "TLS", "HOST", "KEYRING"),
    *("USERNAME", "PASSWORD", "TIMEOUT", "RETRIES"),
)
"""Words in variables that only say where packages come from; the hashes say what they must be."""

_OVERRULED = {"PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0", "UV_PYTHON_DOWNLOADS": "never"}
"""Sensible in a user's configuration, at odds with a directory of our own."""


class Installer(NamedTuple):
    """One way to install: its name, and the commands to run one after the other."""

    name: str
    commands: tuple[tuple[str, ...], ...]


def installers(
    python: str, lock_file: str, target: str, scratch: str, wheelhouse: str | None = None
) -> Iterator[Installer]:
    """Yield the ways to install `lock_file` into `target` for `python`, the best first.

    `scratch` is a path that may be made: the last way puts a virtual environment there. A `wheelhouse` is a
    directory of wheels that takes the place of every index. All of them are to be run with
    `NEUTRAL_DIRECTORY` and `installer_environment()`.
    """
    wanted = (*_into(target, lock_file), *_from(wheelhouse))
    if uv := untrusted_paths.program("uv"):
        offline = ("--offline",) if wheelhouse else ()
        yield Installer("uv", ((uv, "pip", "install", "--python", python, *wanted, *offline),))
    if _has(python, "pip"):
        yield Installer("pip", (_pip(python, *wanted),))
    elif _has(python, "ensurepip"):
        own = os.path.join(scratch, "Scripts" if os.name == "nt" else "bin", "python")
        make = (python, "-I", "-m", "venv", scratch)
        yield Installer("pip of a virtual environment", (make, _pip(own, *wanted)))


NEUTRAL_DIRECTORY = os.path.abspath(os.sep)
"""Where installers run: uv and pip look for a project's settings from the working directory upward."""


def installer_environment() -> dict[str, str]:
    """Return the variables for an installer: this process's, without those that could steer it.

    A project can set variables through its client's settings, and `PIP_REQUIREMENT` or a configuration file
    named by `PIP_CONFIG_FILE` or found in `XDG_CONFIG_HOME` adds packages. The user's own configuration files
    are read as ever.
    """
    given = untrusted_paths.variables()
    kept = {name: value for name, value in given.items() if not _steers(name)}
    return {**kept, **_OVERRULED}


def _steers(name: str) -> bool:
    if name.startswith(("PIP_", "UV_")):
        return not any(word in name for word in _SOURCES)
    return name.startswith("PYTHON") or name in ("VIRTUAL_ENV", "CONDA_PREFIX")


def _has(python: str, module: str) -> bool:
    """Ask a process of its own: we may run without site-packages, where pip lives."""
    return not subprocess.run(
        [python, "-I", "-c", f"import {module}"], capture_output=True, check=False
    ).returncode


def _into(target: str, lock_file: str) -> tuple[str, ...]:
    return ("--target", target, *_PINNED, "--requirement", lock_file)


def _from(wheelhouse: str | None) -> tuple[str, ...]:
    return ("--no-index", "--find-links", wheelhouse) if wheelhouse else ()


def _pip(python: str, *wanted: str) -> tuple[str, ...]:
    quiet = ("--no-compile", "--disable-pip-version-check", "--no-input", "--progress-bar", "off")
    return (python, "-I", "-m", "pip", "install", *quiet, *wanted)
