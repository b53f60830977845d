"""Run a real coding agent once against a scripted model, in a home of its own, and collect what it sent."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.clients.harness.clients import CLIENTS, Job, Json, Plan
from tests.clients.harness.request_text import find_text, request_text
from tests.clients.harness.stub_server import StubServer


@dataclass
class ClientRun:
    """Everything one run produced; requests carry their full JSON bodies."""

    exit_code: int
    first_request_s: float | None
    session_id: str | None
    requests: list[Json]
    setup: list[Json]
    stderr: str

    @property
    def main_requests(self) -> list[Json]:
        """The bodies of the requests that offered tools, in order."""
        return [request["body"] for request in self.requests if request["kind"] == "main"]

    @property
    def outside_addresses(self) -> list[str]:
        """Addresses outside this machine that the client tried to reach and could not."""
        return [request["path"] for request in self.requests if request["kind"] == "outside"]

    def places(self, text: str, request: int = 0) -> list[str]:
        """Return where a request holds a text, such as `messages[1](system).content`."""
        return find_text(self.main_requests[request], text)

    def text(self, request: int = 0) -> str:
        """Return every string of a request."""
        return request_text(self.main_requests[request])


def base_env(home: Path, binary: str, url: str) -> dict[str, str]:
    """Return a small environment in which a proxy setting sends every connection to the stub."""
    path = os.pathsep.join([str(Path(binary).parent), os.environ.get("PATH", os.defpath)])
    proxy = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), url)
    local = dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost")
    return {"HOME": str(home), "PATH": path, "TERM": "dumb", "LANG": "C.UTF-8", **proxy, **local}


def run_process(
    command: Sequence[str], cwd: Path, env: dict[str, str], scratch: Path, timeout: float
) -> tuple[int, str, str]:
    """Run a command in its own process group; return its exit code, output and errors.

    Output goes through files, so that a child that outlives the client cannot hold the test up. Children that
    are left are killed, unless they have detached themselves with `setsid`.
    """
    paths = [scratch / "stdout", scratch / "stderr"]
    with paths[0].open("wb") as out, paths[1].open("wb") as err:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env={**env, "PWD": str(cwd)},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        try:
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout)
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    out_text, err_text = (path.read_text("utf-8", "replace") for path in paths)
    return process.returncode, out_text, err_text


def run_client(
    client: str,
    *,
    prompt: str,
    client_bin: str,
    home: Path,
    project_dir: Path,
    plugin_dir: Path | None = None,
    script: Json | list[Json] | None = None,
    args: Sequence[str] = (),
    env: dict[str, str] | None = None,
    before: Sequence[list[str]] = (),
    timeout: float = 120.0,
) -> ClientRun:
    """Run `client` once; the commands in `before` run after its own setup commands."""
    scratch = Path(tempfile.mkdtemp(prefix="client-run-"))
    try:
        with StubServer(script) as server:
            job = Job(client_bin, home, project_dir, scratch, server.url, prompt, plugin_dir, list(args))
            return _run_job(client, job, server, env or {}, timeout, before)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _run_job(
    client: str,
    job: Job,
    server: StubServer,
    extra_env: dict[str, str],
    timeout: float,
    before: Sequence[list[str]],
) -> ClientRun:
    for folder in (job.home, job.project):
        folder.mkdir(parents=True, exist_ok=True)
    plan = CLIENTS[client](job)
    env = {**base_env(job.home, job.binary, job.url), **plan.env, **extra_env}
    setup = _prepare(plan, [*plan.setup, *before], job, env, timeout)
    started = time.time()
    code, out, err = run_process(plan.command, job.project, env, job.scratch, timeout)
    requests = list(server.requests)
    times = [request["time"] - started for request in requests if request["kind"] == "main"]
    session_ids = [message["session_id"] for message in _read_jsonl(out) if "session_id" in message]
    return ClientRun(
        code, min(times, default=None), next(iter(session_ids), None), requests, setup, err or out[-1000:]
    )


def _prepare(
    plan: Plan, commands: list[list[str]], job: Job, env: dict[str, str], timeout: float
) -> list[Json]:
    """Write the plan's files and run the setup commands; return the results of the latter."""
    for name, text in plan.files.items():
        path = job.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    results = []
    for command in commands:
        code, out, err = run_process(command, job.project, env, job.scratch, timeout)
        results.append({"command": command, "exit_code": code, "output": (out + err).strip()})
    return results


def _read_jsonl(text: str) -> list[Json]:
    """Return the JSON objects among the lines of `text`."""
    rows = []
    for line in text.splitlines():
        with suppress(ValueError):
            rows.append(json.loads(line))
    return [row for row in rows if isinstance(row, dict)]
