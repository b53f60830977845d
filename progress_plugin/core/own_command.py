"""The command that calls this program in the agent's shell.

Claude Code puts a plugin's `bin` on the PATH of its shell. In other clients `agent-progress` is often not
found, so messages name the launcher, and the start context says how to call it.
"""

import os
import sys

NAME = "agent-progress"
MAX_LINE_CHARS = 300
UNQUOTED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@%:,")
PLUGIN_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def command() -> str:
    """Return the words that start this program in a shell with the PATH of this process."""
    return NAME if is_on_path() else launcher()


def is_on_path() -> bool:
    """Return whether the PATH of this process leads to a program of this name."""
    names = (NAME,) if sys.platform != "win32" else (f"{NAME}.exe", f"{NAME}.cmd")
    folders = os.environ.get("PATH", "").split(os.pathsep)
    return any(
        os.path.exists(os.path.join(folder, name))
        for folder in folders
        if os.path.isabs(folder)
        for name in names
    )


def launcher(root: str = PLUGIN_ROOT) -> str:
    """Return the words that start the launcher of a plugin directory, wherever they are typed."""
    if sys.platform == "win32":
        return f'"{root}\\bin\\{NAME}.cmd"'
    is_installed = os.path.exists(f"{root}/progress_plugin/plugin")  # by pip: its script is beside the Python
    path = f"{os.path.dirname(sys.executable)}/{NAME}" if is_installed else f"{root}/bin/{NAME}"
    if not UNQUOTED.issuperset(path):
        path = "'" + path.replace("'", "'\\''") + "'"
    return path if is_installed else f"sh {path}"


def command_line() -> str:
    """Return the line that says how `agent-progress` is called; empty if it is found by its name."""
    if is_on_path():
        return ""
    line = f"`{NAME}` is not on the PATH here; call it as `{launcher()}`."
    return f"{line}\n" if len(line) <= MAX_LINE_CHARS and line.isprintable() else ""
