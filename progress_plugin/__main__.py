"""The entry point for people and servers: has its packages installed where they are missing.

`bin/agent-progress` starts this file with `-I -S`: neither the plugin nor its packages are on the path yet.
"""

import os
import sys
import time

_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if _ROOT not in sys.path:
    sys.path.insert(0, _ROOT)


def run_internal(arguments: list[str]) -> None:
    """Run a hook, the status line or a background process to its end; return for any other command."""
    if arguments[:1] == ["hook"]:
        from progress_plugin.hooks.entry import run_event  # noqa: PLC0415 - hooks must not wait for other modules

        run_event(arguments[1:])
    elif arguments == ["statusline"]:
        from progress_plugin.hooks import statusline  # noqa: PLC0415 - as above

        statusline.main()
    elif arguments[:1] == ["background"]:
        from progress_plugin.hooks import background  # noqa: PLC0415 - as above

        background.main(arguments[1:])


if __name__ == "__main__":
    run_internal(sys.argv[1:])

from progress_plugin.core.errors import AgentProgressError  # noqa: E402
from progress_plugin.core.packages import environment  # noqa: E402
from progress_plugin.core.standard_streams import complain, stand_in  # noqa: E402

_INTERNAL = AgentProgressError.exit_code
_SERVER_WAITS = 25.0  # seconds; clients give a server about 30 to answer


def main(arguments: list[str]) -> int:
    """Run one command and return its exit code; where packages are missing, get them first."""
    stand_in()
    try:
        packages = _packages(arguments)
    except AgentProgressError as error:
        if arguments == ["mcp"]:
            return _serve_without_tools(str(error))
        _tell(str(error))
        return 0 if _command(arguments) == "hook" else error.exit_code
    if packages and packages not in sys.path:
        import site  # noqa: PLC0415

        site.addsitedir(packages)  # not only appended: pywin32 comes with a .pth file
    try:
        if arguments == ["mcp"]:
            from progress_plugin.mcp.tools import main as serve_tools  # noqa: PLC0415 - needs the packages

            return serve_tools()
        from progress_plugin.cli.main import main as command_line  # noqa: PLC0415 - needs the packages
    except Exception as error:
        from progress_plugin.core.packages.damaged_packages import given_up  # noqa: PLC0415 - after a failure

        damage = given_up(error)
        if damage is None:
            raise
        if arguments == ["mcp"]:
            return _serve_without_tools(damage)
        _tell(damage)
        return 3
    code = command_line(arguments)
    # A hook says nothing by its exit code: a client would take another one for a refusal.
    return 0 if _command(arguments) == "hook" and code == _INTERNAL else code


def _serve_without_tools(reason: str) -> int:
    """Serve a client that the tools cannot be offered to, and tell it why."""
    from progress_plugin.mcp import protocol  # noqa: PLC0415

    return protocol.serve(f"The tools are missing: {reason}")


def _packages(arguments: list[str]) -> str | None:
    """Return the site-packages to add; None where this Python has the packages already, as in development."""
    command = _command(arguments)
    found = _found()
    builds = command == "setup" and not {"-h", "--help"}.intersection(arguments)
    if not builds and (found or _has_packages()):
        return found
    if environment.installed_in() and not found and not sys.flags.no_site:
        raise AgentProgressError(f"a package it was installed with is missing; {environment.REINSTALL}")
    from progress_plugin.usecases import setup  # noqa: PLC0415 - once in the life of an environment

    if builds:
        return setup.build(
            _tell,
            now=time.time(),
            timeout=5.0 if "--unattended" in arguments else 600.0,
            wheelhouse=_value_of("--wheelhouse", arguments),
        )
    if command == "hook" or not environment.may_install():
        from progress_plugin.core.fast.own_command import command as own  # noqa: PLC0415 - where they are missing

        raise AgentProgressError(f"its Python packages are not installed; run: {own()} setup")
    if command == "mcp":
        return _await_packages()
    if failing := _is_failing():
        raise AgentProgressError(failing)
    return setup.build(_tell, now=time.time(), timeout=600.0)


def _found() -> str | None:
    return os.environ.get(environment.SITE_VARIABLE) or environment.installed_site()


def _has_packages() -> bool:
    from importlib.util import find_spec  # noqa: PLC0415 - 1.7 ms, where no environment is built

    return find_spec("click") is not None


def _await_packages() -> str:
    """Start the build, or join the one a session start began: a client gives a server only so long."""
    from progress_plugin.usecases import setup  # noqa: PLC0415
    from progress_plugin.usecases.missing_packages import missing_packages_reason  # noqa: PLC0415

    setup.start_in_background(time.time())
    packages = None if _is_failing() else setup.wait_for_environment(_SERVER_WAITS)
    if packages is None:
        raise AgentProgressError(missing_packages_reason(time.time()))
    return packages


def _is_failing() -> str | None:
    """Return why the packages cannot be had, as long as a failed build is left alone."""
    from progress_plugin.usecases.missing_packages import failing  # noqa: PLC0415

    return failing(time.time())


def _command(arguments: list[str]) -> str | None:
    """Return the first word that is neither an option nor the value of `-C`."""
    words = iter(arguments)
    for word in words:
        if word in ("-C", "--project-dir"):
            next(words, None)
        elif not word.startswith("-"):
            return word
    return None


def _value_of(option: str, arguments: list[str]) -> str | None:
    """Return what is given with an option, in either way to write it; None where it is not there."""
    for word, after in zip(arguments, [*arguments[1:], None], strict=True):
        if word == option:
            return after
        if word.startswith(f"{option}="):
            return word.partition("=")[2]
    return None


def _tell(line: str) -> None:
    complain(line)


def console() -> None:
    """Run as the script `agent-progress` of an installed package."""
    run_internal(sys.argv[1:])
    _leave(main(sys.argv[1:]))


def _leave(code: int) -> None:
    """End the process: what is printed is out, and taking the interpreter apart would cost 7 ms of 60."""
    for stream in (sys.stdout, sys.stderr):
        try:  # noqa: SIM105 - `contextlib` takes as long as ten modules of ours
            stream.flush()
        except (OSError, AttributeError):  # nobody listens, or there is no such stream
            pass
    os._exit(code)


if __name__ == "__main__":
    _leave(main(sys.argv[1:]))
