"""Run agent-progress in forks of one process that has already imported it.

A long scenario starts about ten processes, and importing takes most of the time of each. A fork is a process like any other:
its own working directory, environment, locks and exit code; it can be killed. What depends on how Python starts (the
launcher, isolation, a closed standard stream) is tested with real starts in `tests/hooks` and `tests/packaging`.

    python tests/warm_process.py FD    serves requests on a socket until its other end is closed
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import inspect
import json
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[1]
IS_POSSIBLE = hasattr(os, "fork") and hasattr(socket, "send_fds")
MAX_REQUEST_BYTES = 1 << 20
MAX_START_S = 600  # until the process that is forked has imported everything, on a busy machine
FLAGS = ("-X", "utf8")


def run(
    arguments: Sequence[str], *, cwd: Path, env: Mapping[str, str], stdin: bytes = b"", timeout: float = 120
) -> subprocess.CompletedProcess[bytes]:
    """Run `agent-progress ARGUMENTS`. Raises TimeoutError if it does not end in time (seconds)."""
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as errors,
    ):
        given.write(stdin)
        given.seek(0)
        if IS_POSSIBLE:
            code = _forked(arguments, cwd, env, (given.fileno(), out.fileno(), errors.fileno()), timeout)
        else:
            command = [sys.executable, *FLAGS, str(REPOSITORY / "progress_plugin/__main__.py"), *arguments]
            code = subprocess.call(
                command, cwd=cwd, env=env, stdin=given, stdout=out, stderr=errors, timeout=timeout
            )
        out.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess(arguments, code, out.read(), errors.read())


def _forked(
    arguments: Sequence[str], cwd: Path, env: Mapping[str, str], streams: Sequence[int], timeout: float
) -> int:
    request = json.dumps([list(arguments), str(cwd), dict(env)]).encode("utf-8", "surrogatepass")
    assert len(request) < MAX_REQUEST_BYTES
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours:
        with theirs:
            socket.send_fds(_server(), [b"x"], [*streams, theirs.fileno()])
        ours.sendall(request)
        ours.settimeout(MAX_START_S)
        worker = int(ours.recv(32))
        ours.settimeout(timeout)
        try:
            return int(ours.recv(32))
        except TimeoutError:
            os.kill(worker, signal.SIGKILL)
            raise


@cache
def _server() -> socket.socket:
    """Start the process that is forked, once; it ends with this one."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        server = subprocess.Popen(
            [sys.executable, *FLAGS, __file__, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            cwd=REPOSITORY,
            stdin=subprocess.DEVNULL,
        )
    atexit.register(server.kill)
    return ours


def serve(requests: socket.socket) -> None:
    """Fork once for each request, until the other end is closed."""
    import_everything()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the forks are reaped by the kernel
    while True:
        message, descriptors, *_ = socket.recv_fds(requests, 1, 4)
        if not message:
            return
        if os.fork() == 0:
            requests.close()
            _answer(socket.socket(fileno=descriptors.pop()), descriptors)
        for descriptor in descriptors:
            os.close(descriptor)


def import_everything() -> None:
    """Import every module, compile its patterns and fill its caches of tables: so forks need not."""
    import progress_plugin

    for library in ("jinja2.sandbox", "pydantic", "rich.console", "rich.table", "difflib"):
        importlib.import_module(library)
    for module in pkgutil.walk_packages(progress_plugin.__path__, "progress_plugin."):
        if not module.name.endswith("__main__"):
            with contextlib.suppress(ImportError):  # psycopg may not be installed
                _warm(importlib.import_module(module.name))


def _warm(module: ModuleType) -> None:
    from progress_plugin.text.patterns import LazyPattern

    for value in vars(module).values():
        if isinstance(value, LazyPattern):
            value.fullmatch("")
        elif hasattr(value, "cache_info") and not inspect.signature(value).parameters:
            value()


def _answer(asking: socket.socket, streams: Sequence[int]) -> None:
    """Run one request in a fork of this fork, and send its process id and its exit code; does not return."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    try:
        request = json.loads(asking.recv(MAX_REQUEST_BYTES).decode("utf-8", "surrogatepass"))
        worker = os.fork()
        if worker == 0:
            asking.close()
            _work(streams, *request)
        for stream in streams:
            os.close(stream)
        asking.sendall(str(worker).encode())
        asking.sendall(str(os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])).encode())
    finally:
        os._exit(0)


def _work(streams: Sequence[int], arguments: list[str], cwd: str, env: dict[str, str]) -> None:
    """Be the process that was asked for; does not return."""
    code = 1
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        os.chdir(cwd)
        os.environ.clear()
        os.environ.update(env)
        main: Any = importlib.import_module("progress_plugin.__main__")
        sys.argv = [main.__file__, *arguments]
        code = main.main()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except Exception:  # noqa: BLE001 - as the interpreter does with any
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            atexit._run_exitfuncs()
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    sys.path[0] = str(REPOSITORY)
    serve(socket.socket(fileno=int(sys.argv[1])))
