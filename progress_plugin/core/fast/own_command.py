"""How this program is called in the shell of whoever reads our words.

Claude Code puts a plugin's `bin` on the PATH of its shell, and an installer of packages its own folder, if
shells look there. Elsewhere `agent-progress` is not found, and what we write names it all the same.
So one line says how to call it, and messages that must stand alone name the launcher itself.
"""

import sys

from progress_plugin.core.fast.minimal_os import exists, is_absolute, value_of

NAME = "agent-progress"
_LONGEST = 300
"""Characters of the line: a start has no room for more beside the summary."""
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@%:,")
_ROOT = __file__.replace("\\", "/").rpartition("/progress_plugin/")[0]


def command() -> str:
    """Return the words that start this program in a shell with this process's PATH."""
    return NAME if is_on_path() else launcher()


def is_on_path() -> bool:
    """Return whether the PATH of this process leads to a program of this name."""
    names = (NAME,) if sys.platform != "win32" else (f"{NAME}.exe", f"{NAME}.cmd")
    folders = value_of("PATH").split(":" if sys.platform != "win32" else ";")
    return any(exists(f"{folder}/{name}") for folder in folders if is_absolute(folder) for name in names)


def launcher(root: str = _ROOT) -> str:
    """Return the words that start the launcher of a plugin directory, wherever they are typed."""
    if sys.platform == "win32":
        return f'"{root}/bin/{NAME}.cmd"'.replace("/", "\\")
    is_installed = exists(f"{root}/progress_plugin/plugin")  # by pip: its script is beside the Python
    path = f"{sys.executable.rpartition('/')[0]}/{NAME}" if is_installed else f"{root}/bin/{NAME}"
    if not _PLAIN.issuperset(path):
        path = "'" + path.replace("'", "'\\''") + "'"
    return path if is_installed else f"sh {path}"


def command_line() -> str:
    """Return the line that says how `agent-progress` is called, empty if it is found by its name."""
    if is_on_path():
        return ""
    line = f"`{NAME}` is not on the PATH here; call it as `{launcher()}`."
    if len(line) > _LONGEST or not line.isprintable():
        return ""
    return f"{line}\n"
