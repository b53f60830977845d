"""How each coding agent is configured, given the plugin, and started without a person or a network."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Json = dict[str, Any]

# Hook events of Claude Code 2.1.197 that can be recorded without side effects
# (a hook on WorktreeCreate or WorktreeRemove would replace the client's own work).
CLAUDE_EVENTS = (
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "Notification",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "SessionStart",
    "SessionEnd",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "PermissionRequest",
    "PermissionDenied",
    "Setup",
    "TeammateIdle",
    "TaskCreated",
    "TaskCompleted",
    "Elicitation",
    "ElicitationResult",
    "ConfigChange",
    "InstructionsLoaded",
    "CwdChanged",
    "FileChanged",
    "MessageDisplay",
)

_RECORDER = """
import json, os, sys, time
raw = sys.stdin.read()
try:
    data = json.loads(raw)
except ValueError:
    data = {"unparsed": raw}
env = {k: v for k, v in os.environ.items() if k.startswith("CLAUDE")}
line = json.dumps({"time": time.time(), "input": data, "env": env, "cwd": os.getcwd()}) + "\\n"
fd = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
os.write(fd, line.encode())
os.close(fd)
"""


@dataclass
class Job:
    """One run, as the `plan_*` functions see it."""

    binary: str
    home: Path
    project: Path
    scratch: Path
    url: str
    prompt: str
    plugin: Path | None = None
    install: bool = False
    record_hooks: bool = False
    args: list[str] = field(default_factory=list)

    def names(self) -> tuple[str, str]:
        """`(plugin, marketplace)` as written in the plugin's marketplace file."""
        for place in (".claude-plugin", ".agents/plugins"):
            path = (self.plugin or Path()) / place / "marketplace.json"
            if path.exists():
                market = json.loads(path.read_text("utf-8"))
                return market["plugins"][0]["name"], market["name"]
        raise SystemExit(f"{self.plugin}: no marketplace.json, cannot be installed")


@dataclass
class Plan:
    """How to run one client: files are written, setup commands run, then the command."""

    command: list[str]
    env: dict[str, str] = field(default_factory=dict)
    setup: list[list[str]] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)


def _recording_settings(job: Job) -> Json:
    """Claude settings with a hook on every event that stores its stdin."""
    recorder = job.scratch / "recorder.py"
    recorder.write_text(_RECORDER, "utf-8")
    command = shlex.join([sys.executable, str(recorder), str(job.scratch / "hooks.jsonl")])
    hook = [{"hooks": [{"type": "command", "command": command, "timeout": 20}]}]
    return {"hooks": dict.fromkeys(CLAUDE_EVENTS, hook)}


def plan_claude(job: Job) -> Plan:
    """Claude Code: `--plugin-dir`, or marketplace add + install with `install`.

    An API key in the environment needs no approval in print mode.  As root the client
    refuses to skip permission prompts unless `IS_SANDBOX=1`.
    """
    command = [
        job.binary,
        "-p",
        "--output-format",
        "stream-json",
        "--verbose",
        "--include-hook-events",
        "--permission-mode",
        "bypassPermissions",
    ]
    setup = []
    if job.plugin and job.install:
        setup = [
            [job.binary, "plugin", "marketplace", "add", str(job.plugin)],
            [job.binary, "plugin", "install", "@".join(job.names())],
        ]
    elif job.plugin:
        command += ["--plugin-dir", str(job.plugin)]
    if job.record_hooks:
        command += ["--settings", json.dumps(_recording_settings(job))]
    env = {
        "ANTHROPIC_BASE_URL": job.url,
        "ANTHROPIC_API_KEY": "sk-ant-stub",
        "IS_SANDBOX": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    }
    return Plan([*command, *job.args, "--", job.prompt], env, setup)


def plan_codex(job: Job) -> Plan:
    """Codex CLI: marketplace add + install, then `exec` with hook trust bypassed."""
    config = f"""\
model = "stub"
model_provider = "stub"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.stub]
name = "stub"
base_url = "{job.url}/v1"
wire_api = "responses"
[projects.{json.dumps(str(job.project))}]
trust_level = "trusted"
"""
    setup = []
    if job.plugin and any(job.home.glob(".codex/plugins/cache/*/*")):
        # In a home that is used again it is there already; a second copy would have to be compiled again.
        name, market = job.names()
        config += f"""
[marketplaces.{market}]
source_type = "local"
source = {json.dumps(str(job.plugin))}
[plugins."{name}@{market}"]
enabled = true
"""
    elif job.plugin:
        setup = [
            [job.binary, "plugin", "marketplace", "add", str(job.plugin)],
            [job.binary, "plugin", "add", "@".join(job.names())],
        ]
    command = [
        job.binary,
        "exec",
        "--dangerously-bypass-hook-trust",
        "--skip-git-repo-check",
        *job.args,
        job.prompt,
    ]
    return Plan(command, {}, setup, {".codex/config.toml": config})


def plan_copilot(job: Job) -> Plan:
    """Copilot CLI: `--plugin-dir`, or marketplace add + install with `install`."""
    command = [job.binary, "--allow-all-tools", "--log-dir", str(job.scratch / "copilot-logs")]
    setup = []
    if job.plugin and job.install:
        setup = [
            [job.binary, "plugin", "marketplace", "add", str(job.plugin)],
            [job.binary, "plugin", "install", "@".join(job.names())],
        ]
    elif job.plugin:
        command += ["--plugin-dir", str(job.plugin)]
    env = {
        "COPILOT_PROVIDER_BASE_URL": f"{job.url}/v1",
        "COPILOT_PROVIDER_TYPE": "openai",
        "COPILOT_PROVIDER_API_KEY": "stub",
        "COPILOT_MODEL": "gpt-4.1",
        "COPILOT_OFFLINE": "true",
        "COPILOT_AUTO_UPDATE": "false",
    }
    return Plan([*command, *job.args, "-p", job.prompt], env, setup)


def plan_gemini(job: Job) -> Plan:
    """Gemini CLI: `extensions install` (a copy), then a run with `-y`."""
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
        "general": {"disableAutoUpdate": True, "enableAutoUpdate": False},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
        "model": {"name": "gemini-2.5-flash"},
    }
    # In a home that is used again it is there already, and a second install fails.
    installed = any(job.home.glob(".gemini/extensions/*/gemini-extension.json"))
    install = [job.binary, "extensions", "install", str(job.plugin), "--consent"]
    setup = [install] if job.plugin and not installed else []
    env = {"GEMINI_API_KEY": "stub", "GOOGLE_GEMINI_BASE_URL": job.url, "GEMINI_CLI_TRUST_WORKSPACE": "true"}
    return Plan(
        [job.binary, "-y", *job.args, "-p", job.prompt],
        env,
        setup,
        {".gemini/settings.json": json.dumps(settings)},
    )


def plan_opencode(job: Job) -> Plan:
    """OpenCode: the plugin directory is named in `opencode.json`."""
    config = {
        "$schema": "https://opencode.ai/config.json",
        "model": "stub/stub",
        "small_model": "stub/stub",
        "autoupdate": False,
        "share": "disabled",
        "permission": {"bash": "allow", "edit": "allow"},
        "provider": {
            "stub": {
                "npm": "@ai-sdk/openai-compatible",
                "name": "stub",
                "options": {"baseURL": f"{job.url}/v1", "apiKey": "stub"},
                "models": {"stub": {"name": "stub"}},
            }
        },
        "plugin": [str(job.plugin)] if job.plugin else [],
    }
    env = {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"}
    return Plan(
        [job.binary, "run", *job.args, job.prompt],
        env,
        [],
        {".config/opencode/opencode.json": json.dumps(config), **_opencode_types(job.binary)},
    )


def _opencode_types(binary: str) -> dict[str, str]:
    """The types for plugins, as if installed: OpenCode would fetch them, fail, and leave a lock behind.

    The next run in that home would wait a minute for it.
    """
    package = Path(binary).parents[1] / "opencode-ai" / "package.json"
    wanted = {"@opencode-ai/plugin": json.loads(package.read_text("utf-8"))["version"]}
    installed = {"name": "@opencode-ai/plugin", "version": wanted["@opencode-ai/plugin"]}
    locked = {"": {"dependencies": wanted}, "node_modules/@opencode-ai/plugin": installed}
    folder = ".config/opencode"
    return {
        f"{folder}/package.json": json.dumps({"dependencies": wanted}),
        f"{folder}/package-lock.json": json.dumps({"lockfileVersion": 3, "packages": locked}),
        f"{folder}/node_modules/@opencode-ai/plugin/package.json": json.dumps(installed),
    }


CLIENTS: dict[str, Callable[[Job], Plan]] = {
    "claude": plan_claude,
    "codex": plan_codex,
    "copilot": plan_copilot,
    "gemini": plan_gemini,
    "opencode": plan_opencode,
}
