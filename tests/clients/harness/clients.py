"""How each coding agent is configured, given the plugin, and started without a person or a network."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Json = dict[str, Any]


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
    args: list[str] = field(default_factory=list)


@dataclass
class Plan:
    """How to run one client: files are written, setup commands run, then the command."""

    command: list[str]
    env: dict[str, str] = field(default_factory=dict)
    setup: list[list[str]] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)


def plan_claude(job: Job) -> Plan:
    """Claude Code with `--plugin-dir`.

    An API key in the environment needs no approval in print mode.  As root the client
    refuses to skip permission prompts unless `IS_SANDBOX=1`.
    """
    command = [job.binary, "-p", "--output-format", "stream-json", "--verbose"]
    command += ["--permission-mode", "bypassPermissions"]
    if job.plugin:
        command += ["--plugin-dir", str(job.plugin)]
    env = {
        "ANTHROPIC_BASE_URL": job.url,
        "ANTHROPIC_API_KEY": "sk-ant-stub",
        "IS_SANDBOX": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    }
    return Plan([*command, *job.args, "--", job.prompt], env)


def plan_codex(job: Job) -> Plan:
    """Codex CLI: marketplace add + install, then `exec` with hook trust bypassed."""
    config = Path(__file__).with_name("codex.toml").read_text("utf-8")
    config = config.replace("URL", job.url).replace("PROJECT", str(job.project))
    setup = []
    if job.plugin and any(job.home.glob(".codex/plugins/cache/*/*")):
        # The home of an earlier run has the plugin already; a second copy would be compiled again.
        config += f"""
[marketplaces.agent-progress]
source_type = "local"
source = {json.dumps(str(job.plugin))}
[plugins."progress@agent-progress"]
enabled = true
"""
    elif job.plugin:
        setup = [
            [job.binary, "plugin", "marketplace", "add", str(job.plugin)],
            [job.binary, "plugin", "add", "progress@agent-progress"],
        ]
    command = [job.binary, "exec", "--dangerously-bypass-hook-trust", "--skip-git-repo-check"]
    return Plan([*command, *job.args, job.prompt], {}, setup, {".codex/config.toml": config})


def plan_copilot(job: Job) -> Plan:
    """Copilot CLI with `--plugin-dir`."""
    command = [job.binary, "--allow-all-tools", "--log-dir", str(job.scratch / "copilot-logs")]
    if job.plugin:
        command += ["--plugin-dir", str(job.plugin)]
    env = {
        "COPILOT_PROVIDER_BASE_URL": f"{job.url}/v1",
        "COPILOT_PROVIDER_TYPE": "openai",
        "COPILOT_PROVIDER_API_KEY": "stub",
        "COPILOT_MODEL": "gpt-4.1",
        "COPILOT_OFFLINE": "true",
        "COPILOT_AUTO_UPDATE": "false",
    }
    return Plan([*command, *job.args, "-p", job.prompt], env)


def plan_gemini(job: Job) -> Plan:
    """Gemini CLI: `extensions install` (a copy), then a run with `-y`."""
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
        "general": {"disableAutoUpdate": True, "enableAutoUpdate": False},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
        "model": {"name": "gemini-2.5-flash"},
    }
    # The home of an earlier run has the extension already, and a second install fails.
    is_installed = any(job.home.glob(".gemini/extensions/*/gemini-extension.json"))
    install = [job.binary, "extensions", "install", str(job.plugin), "--consent"]
    setup = [install] if job.plugin and not is_installed else []
    env = {"GEMINI_API_KEY": "stub", "GOOGLE_GEMINI_BASE_URL": job.url, "GEMINI_CLI_TRUST_WORKSPACE": "true"}
    files = {".gemini/settings.json": json.dumps(settings)}
    return Plan([job.binary, "-y", *job.args, "-p", job.prompt], env, setup, files)


def plan_opencode(job: Job) -> Plan:
    """OpenCode: the plugin directory is named in `opencode.json`."""
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "stub",
        "options": {"baseURL": f"{job.url}/v1", "apiKey": "stub"},
        "models": {"stub": {"name": "stub"}},
    }
    config = {
        "$schema": "https://opencode.ai/config.json",
        "model": "stub/stub",
        "small_model": "stub/stub",
        "autoupdate": False,
        "share": "disabled",
        "permission": {"bash": "allow", "edit": "allow"},
        "provider": {"stub": provider},
        "plugin": [str(job.plugin)] if job.plugin else [],
    }
    env = {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"}
    files = {".config/opencode/opencode.json": json.dumps(config), **_opencode_types(job.binary)}
    return Plan([job.binary, "run", *job.args, job.prompt], env, [], files)


def _opencode_types(binary: str) -> dict[str, str]:
    """Return the files of an installed package of plugin types.

    OpenCode would fetch it, fail, and leave a lock behind, for which the next run in that home waits a minute.
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
