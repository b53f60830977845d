"""Drive one client by hand: `python -m tests.clients.harness.drive claude --prompt hello --find TEXT --brief`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from tests.clients.harness.client_run import ClientRun, run_client
from tests.clients.harness.clients import CLIENTS, Json


def report(run: ClientRun, needles: Sequence[str], brief: bool) -> Json:
    """The JSON object printed by `main`."""
    data = asdict(run)
    data["strays"] = run.strays
    data["events"] = run.events()
    data["found"] = {needle: run.where(needle) for needle in needles}
    if brief:
        for name in ("messages", "hook_inputs", "command"):
            data.pop(name)
        data["hook_events"] = _brief_hooks(run.hook_events)
        data["requests"] = [f"{r['time']:.2f} s {r['kind']} {r['method']} {r['path']}" for r in run.requests]
        data["setup"] = [f"{step['exit_code']}: {step['output'][-200:]}" for step in run.setup]
        data["stdout"], data["stderr"] = run.stdout[-500:], run.stderr[-1500:]
    return data


def _brief_hooks(events: list[Json] | None) -> list[str] | None:
    """One line per finished hook."""
    if events is None:
        return None
    return [
        e["line"] if "line" in e else f"{e.get('hook_event')}: {e.get('outcome')} (exit {e.get('exit_code')})"
        for e in events
        if "line" in e or e.get("subtype") == "hook_response"
    ]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description="Run a real coding agent once against a scripted local model."
    )
    parser.add_argument("client", choices=sorted(CLIENTS))
    parser.add_argument("--prompt", required=True)
    parser.add_argument("--plugin-dir", help="root of the plugin under test (default: run without a plugin)")
    parser.add_argument("--project-dir", help="working directory of the client (default: a new, empty one)")
    parser.add_argument("--script", help="reply script: a JSON file, or the JSON itself")
    parser.add_argument(
        "--client-bin", help="the client's executable (default: $CLIENT_BIN as in $CODEX_BIN, or PATH)"
    )
    parser.add_argument(
        "--find",
        nargs="+",
        action="extend",
        default=[],
        metavar="TEXT",
        help="report where TEXT reached the model; exit 1 if one did not",
    )
    parser.add_argument(
        "--install",
        action="store_true",
        help="claude, copilot: install through the marketplace file instead of --plugin-dir",
    )
    parser.add_argument(
        "--record-hooks", action="store_true", help="claude: also record the stdin of every hook event"
    )
    parser.add_argument("--home", help="HOME to use and keep (default: a new one, removed afterwards)")
    parser.add_argument("--env", nargs="+", action="extend", default=[], metavar="NAME=VALUE")
    parser.add_argument(
        "--client-arg", action="append", default=[], metavar="ARG", help="one more client argument"
    )
    parser.add_argument("--timeout", type=float, default=120, help="seconds for each command (default 120)")
    parser.add_argument("--log", help="append every API request to this file of JSON lines")
    parser.add_argument("--brief", action="store_true", help="leave out request bodies and raw messages")
    return parser


def main(argv: list[str] | None = None) -> int:
    """Print the report; exit 0 if the client did and every `--find` text was found."""
    ns = _parser().parse_args(argv)
    script = None
    if ns.script:
        script = json.loads(
            ns.script if ns.script.lstrip()[:1] in "[{" else Path(ns.script).read_text("utf-8")
        )
    run = run_client(
        ns.client,
        prompt=ns.prompt,
        plugin_dir=ns.plugin_dir,
        project_dir=ns.project_dir,
        script=script,
        client_bin=ns.client_bin,
        install=ns.install,
        record_hooks=ns.record_hooks,
        home=ns.home,
        args=ns.client_arg,
        env=dict(item.split("=", 1) for item in ns.env),
        timeout=ns.timeout,
        log=ns.log,
    )
    data = report(run, ns.find, ns.brief)
    sys.stdout.write(json.dumps(data, indent=2, ensure_ascii=False) + "\n")
    return 0 if run.exit_code == 0 and not run.timed_out and all(data["found"].values()) else 1


if __name__ == "__main__":
    raise SystemExit(main())
