"""The files of the plugin, the command that starts it, and the virtual environment that its packages are in.

The environment is `env/<hash>` in `user_code`, with the hash from `requirements.lock`: always below the home
directory, not where an XDG variable says, since a project could set that, and we run code from here.
`bin/agent-progress` computes the same path; `bootstrap` makes the environment.

Claude Code puts a plugin's `bin` on the PATH of its shell. In other clients `agent-progress` is often not
found, so the start context says how to call the launcher.
"""

import gc
import os
import sys

from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.paths import user_code

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_SOURCE = os.path.dirname(PACKAGE)
IS_INSTALLED = os.path.isdir(os.path.join(PACKAGE, "plugin"))
"""Whether pip or the like installed this: a wheel has the other files of the plugin inside the package."""
MAIN = os.path.join(PACKAGE, "__main__.py")
PLUGIN_ROOT = os.path.join(PACKAGE, "plugin") if IS_INSTALLED else _SOURCE
LOCK_FILE = os.path.join(PLUGIN_ROOT, "requirements.lock")
TEAM_LOCK_FILE = os.path.join(PLUGIN_ROOT, "requirements-team.lock")
GC_THRESHOLD = 50_000  # new objects; reading a log makes many, and hardly any garbage in cycles
NAME = "agent-progress"
MAX_LINE_CHARS = 300


def environments_directory() -> str:
    return os.path.join(user_code(), "env")


def directory() -> str:
    """Return the directory of the environment, whether it exists or not. Raises AgentProgressError.

    Its name is the hash in the first line of `requirements.lock`.
    """
    try:
        with open(LOCK_FILE, encoding="utf-8") as file:
            first = file.readline()
    except OSError as error:
        raise AgentProgressError(f"{LOCK_FILE}: {error.strerror}; install the plugin again") from error
    return os.path.join(environments_directory(), first.removeprefix("# environment: ").split()[0])


def python_of(environment: str) -> str:
    """Return the path of the Python of a virtual environment."""
    parts = ("Scripts", "python.exe") if sys.platform == "win32" else ("bin", "python")
    return os.path.join(environment, *parts)


def python() -> str | None:
    """Return the Python of our environment; None if it does not exist."""
    try:
        path = python_of(directory())
    except AgentProgressError:
        return None
    return path if os.access(path, os.X_OK) else None


def is_running() -> bool:
    """Return whether this process runs in our environment, not in that of a package or of a developer."""
    return os.path.realpath(os.path.dirname(os.path.dirname(sys.executable))) == os.path.realpath(directory())


def base_python() -> str:
    """Return the Python that runs this, or the one that its virtual environment links to."""
    return os.path.realpath(sys.executable)


def site_packages(environment: str) -> str:
    """Return the directory of the packages in a virtual environment of the running Python version."""
    if sys.platform == "win32":
        return os.path.join(environment, "Lib", "site-packages")
    version = f"python{sys.version_info.major}.{sys.version_info.minor}{getattr(sys, 'abiflags', '')}"
    return os.path.join(environment, "lib", version, "site-packages")


def enter() -> None:
    """Make the packages importable in a Python that was started with `-S`, and record that they are used.

    They come last on `sys.path`, so that no package can replace a module of Python or of ours.
    """
    gc.set_threshold(GC_THRESHOLD)
    if not sys.flags.no_site:
        return
    environment = os.path.dirname(os.path.dirname(sys.executable))
    place = _SOURCE if IS_INSTALLED else site_packages(environment)
    if place not in sys.path:
        sys.path.append(place)
        try:
            os.utime(environment)
        except OSError:  # a file system that is mounted for reading only
            return


def python_flags() -> list[str]:
    """Return the options with which our own processes run Python, the same as in `bin/agent-progress`."""
    prefix = ["-X", f"pycache_prefix={sys.pycache_prefix}"] if sys.pycache_prefix else []
    return ["-I", "-S", "-X", "utf8", *prefix]


def is_on_path() -> bool:
    """Return whether `agent-progress` is found on the PATH of this process."""
    names = (NAME,) if sys.platform != "win32" else (f"{NAME}.exe", f"{NAME}.cmd")
    folders = filter(os.path.isabs, os.environ.get("PATH", "").split(os.pathsep))
    return any(os.path.exists(os.path.join(folder, name)) for folder in folders for name in names)


def launcher(root: str = _SOURCE) -> str:
    """Return the shell words that run the launcher of the plugin directory `root`, from any directory."""
    if sys.platform == "win32":
        return f'"{root}\\bin\\{NAME}.cmd"'
    is_installed = os.path.exists(f"{root}/progress_plugin/plugin")  # by pip: the script is next to Python
    path = f"{os.path.dirname(sys.executable)}/{NAME}" if is_installed else f"{root}/bin/{NAME}"
    if not path.replace("/", "").replace(".", "").replace("-", "").replace("_", "").isalnum():
        path = "'" + path.replace("'", "'\\''") + "'"
    return path if is_installed else f"sh {path}"


def command_line() -> str:
    """Return the line that says how `agent-progress` is called; empty if not needed or not printable."""
    line = f"`{NAME}` is not on the PATH here; call it as `{launcher()}`."
    is_needed = not is_on_path() and len(line) <= MAX_LINE_CHARS and line.isprintable()
    return f"{line}\n" if is_needed else ""
