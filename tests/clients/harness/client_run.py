"""Run a real coding agent once, in a home of its own, and collect everything that can be observed."""

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
from tests.clients.harness.request_text import find_text
from tests.clients.harness.stub_server import StubServer


@dataclass
class ClientRun:
    """Everything one run produced; requests carry their full JSON bodies."""

    client: str
    exit_code: int
    timed_out: bool
    wall_s: float
    first_request_s: float | None
    result: str | None
    session_id: str | None
    requests: list[Json]
    hook_events: list[Json] | None
    hook_inputs: list[Json]
    messages: list[Json]
    setup: list[Json]
    stdout: str
    stderr: str
    home: str
    command: list[str]

    @property
    def main_requests(self) -> list[Json]:
        """The bodies of the agent turns (requests that offered tools), in order."""
        return [r["body"] for r in self.requests if r["kind"] == "main"]

    @property
    def strays(self) -> list[str]:
        """Hosts and addresses which the client tried to reach and could not."""
        return [r["path"] for r in self.requests if r["kind"] == "stray"]

    def where(self, needle: str) -> list[str]:
        """Places where `needle` reached the model: `request 0: messages[1](system).content`."""
        return [
            f"request {number}: {place}"
            for number, body in enumerate(self.main_requests)
            for place in find_text(body, needle)
        ]

    def events(self) -> list[str]:
        """Names of the recorded hook events, in order of arrival (`record_hooks`)."""
        return [h["input"].get("hook_event_name", "?") for h in self.hook_inputs]


def base_env(home: Path, binary: str, url: str) -> dict[str, str]:
    """A minimal environment; a proxy setting makes every way out end at the stub."""
    path = os.pathsep.join([str(Path(binary).parent), os.environ.get("PATH", os.defpath)])
    trap = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), url)
    local = dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost")
    return {"HOME": str(home), "PATH": path, "TERM": "dumb", "LANG": "C.UTF-8", **trap, **local}


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End what is left of the process group which `run_process` created."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def run_process(
    command: Sequence[str], cwd: Path, env: dict[str, str], scratch: Path, timeout: float
) -> tuple[int, str, str, bool]:
    """Run a command in its own process group: `(exit code, stdout, stderr, timed out)`.

    Output goes through files, so a child that outlives the client cannot hold us up.
    Such children are ended, unless they have detached themselves with `setsid`.
    """
    out_path, err_path = scratch / "stdout", scratch / "stderr"
    timed_out = False
    with out_path.open("wb") as out, err_path.open("wb") as err:
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
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            timed_out = True
        finally:
            _end_group(process)
            process.wait()
    texts = [path.read_text("utf-8", "replace") for path in (out_path, err_path)]
    return process.returncode, texts[0], texts[1], timed_out


def _prepare(plan: Plan, job: Job, env: dict[str, str], timeout: float) -> list[Json]:
    """Write the plan's files and run its setup commands; the results of the latter."""
    for name, text in plan.files.items():
        path = job.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    results = []
    for command in plan.setup:
        code, out, err, _ = run_process(command, job.project, env, job.scratch, timeout)
        results.append({"command": command, "exit_code": code, "output": (out + err).strip()})
    return results


def _read_jsonl(text: str) -> list[Json]:
    """The JSON objects among the lines of `text`; other lines are skipped."""
    rows = []
    for line in text.splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            rows.append(row)
    return rows


def _hook_events(client: str, messages: list[Json], stderr: str) -> list[Json] | None:
    """What the client itself says about hooks; `None` where it says nothing."""
    if client == "claude":
        return [m for m in messages if str(m.get("subtype", "")).startswith("hook_")]
    if client == "codex":
        return [{"line": line.strip()} for line in stderr.splitlines() if line.startswith("hook: ")]
    return None


def _result(client: str, messages: list[Json], stdout: str) -> str | None:
    """The client's final answer."""
    if client != "claude":
        return stdout.strip()
    return next((m.get("result") for m in reversed(messages) if m.get("type") == "result"), None)


def find_client(client: str, binary: str | None = None) -> str:
    """Absolute path of the client: argument, `$CLAUDE_BIN` and the like, or `PATH`."""
    wanted = binary or os.environ.get(f"{client.upper()}_BIN") or client
    found = shutil.which(wanted)
    if not found:
        raise SystemExit(f"{wanted}: not found (use --client-bin, or see README.md)")
    return os.path.abspath(found)


def run_client(
    client: str,
    *,
    prompt: str,
    plugin_dir: str | Path | None = None,
    project_dir: str | Path | None = None,
    script: Json | list[Json] | None = None,
    client_bin: str | None = None,
    install: bool = False,
    record_hooks: bool = False,
    home: str | Path | None = None,
    args: Sequence[str] = (),
    env: dict[str, str] | None = None,
    timeout: float = 120.0,
    log: str | Path | None = None,
    before: Sequence[list[str]] = (),
) -> ClientRun:
    """Run `client` once and collect everything observable.

    `home` and `project_dir` default to temporary directories which are removed
    afterwards; pass the same `home` and `project_dir` twice (with, for example,
    `args=["--resume", session_id]`) to continue a session. The commands in `before` are
    run when the client is configured, as its own setup commands are.
    """
    scratch = Path(tempfile.mkdtemp(prefix="drive-"))
    try:
        with StubServer(script, log_path=log) as server:
            job = Job(
                find_client(client, client_bin),
                Path(home or scratch / "home").resolve(),
                Path(project_dir or scratch / "project").resolve(),
                scratch,
                server.url,
                prompt,
                Path(plugin_dir).resolve() if plugin_dir else None,
                install,
                record_hooks,
                list(args),
            )
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
    """Set up and run one job against a running stub."""
    for folder in (job.home, job.project):
        folder.mkdir(parents=True, exist_ok=True)
    plan = CLIENTS[client](job)
    plan.setup.extend(before)
    env = {**base_env(job.home, job.binary, job.url), **plan.env, **extra_env}
    setup = _prepare(plan, job, env, timeout)
    started = time.time()
    code, out, err, timed_out = run_process(plan.command, job.project, env, job.scratch, timeout)
    wall = time.time() - started
    requests = [{**r, "time": round(r["time"] - started, 3)} for r in list(server.requests)]
    messages = _read_jsonl(out) if client == "claude" else []
    recorded = job.scratch / "hooks.jsonl"
    return ClientRun(
        client=client,
        exit_code=code,
        timed_out=timed_out,
        wall_s=round(wall, 3),
        first_request_s=next((r["time"] for r in requests if r["kind"] == "main"), None),
        result=_result(client, messages, out),
        session_id=next((m["session_id"] for m in messages if "session_id" in m), None),
        requests=requests,
        hook_events=_hook_events(client, messages, err),
        hook_inputs=[
            {**h, "time": round(h["time"] - started, 3)}
            for h in (_read_jsonl(recorded.read_text("utf-8")) if recorded.exists() else [])
        ],
        messages=messages,
        setup=setup,
        stdout="" if messages else out,
        stderr=err,
        home=str(job.home),
        command=plan.command,
    )
