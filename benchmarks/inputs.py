"""Projects of any size for the benchmarks: plans, agent logs, our own log and its archive."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from progress_plugin.log.document import Log, serialise

_AREAS = ("harbour", "ledger", "beacon", "tide table", "roster", "berth map", "fog signal", "customs")
_VERBS = ("check", "cache", "render", "index", "retry", "batch", "translate", "throttle", "page", "encrypt")
_RULES = (
    "Always close the {area} cursor before committing the {thing}",
    "The {area} tests need TZ=UTC",
    "Use the shared client in `src/{slug}/client.ts` for every {thing}",
    "Gotcha: a {thing} is 1-based in the API and 0-based in the database",
    "Run the migrations of the {area} before the {thing} seeds",
    "Compare {thing} ids as strings",
    "Mock the clock with `freeze()` when a {thing} expires",
    "Never log the body of a {thing}",
    "Register new {area} routes in `src/{slug}/routes.ts`",
    "The {area} worker swallows exceptions without `--strict`",
    "Paginate the {area} by key, not by offset",
    "Escape the {thing} name twice in shell templates",
)
_REASONS = (
    "otherwise the lock outlives the request",
    "because local dates are compared there",
    "since the pool is limited to four connections",
    "the foreign keys fail the other way round",
    "numbers drop the leading zeros",
    "the reviewer asked for it after the outage",
    "or the snapshot differs on every machine",
    "it costs 200 ms per call otherwise",
    "the type checker does not see it",
    "rows move while somebody reads them",
    "the old browsers cannot parse it",
    "the linter only warns about it",
)
_THINGS = ("invoice", "queue", "snapshot", "webhook", "fixture", "adapter", "manifest", "quota", "badge")


def story_title(number: int) -> str:
    return f"{_VERBS[number % 10].capitalize()} the {_AREAS[number % 8]} {_THINGS[number * 7 % 9]}"


def agent_log(stories: int, size: int) -> str:
    """Return a Markdown log of about `size` bytes, one entry with learnings for each story, oldest first."""
    chance = random.Random(20260101)
    parts = ["# Progress Log\n\n## Codebase Patterns\n- Use the typed router for every route\n\n---\n\n"]
    each = max((size - len(parts[0])) // max(stories, 1), 200)
    parts += [_agent_log_entry(number, each, chance) for number in range(1, stories + 1)]
    return "".join(parts)


def _agent_log_entry(number: int, size: int, chance: random.Random) -> str:
    day = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=5 * number)
    area = _AREAS[number % 8]
    lines = [f"## {day:%Y-%m-%d %H:%M} - US-{number:03}", f"- Implemented: {story_title(number)}"]
    lines += ["- Files changed:", f"  - src/{area.split()[0]}/{chance.choice(_VERBS)}.ts"]
    tail = [
        "- **Learnings for future iterations:**",
        *(f"  - {_learning(chance)}" for _ in range(3)),
        "---",
        "",
        "",
    ]
    room = size - sum(len(line) + 1 for line in (*lines, *tail))
    while room > 0:
        line = (
            f"- {chance.choice(_VERBS).capitalize()} step {chance.randrange(1000)} of the "
            f"{chance.choice(_AREAS)} goes through {chance.choice(_THINGS)} and {chance.choice(_THINGS)} now"
        )
        lines.append(line)
        room -= len(line) + 1
    return "\n".join((*lines, *tail))


def _learning(chance: random.Random) -> str:
    """Return one of about 10,000 learnings: in real logs most of them differ."""
    area = chance.choice(_AREAS)
    rule = chance.choice(_RULES).format(area=area, thing=chance.choice(_THINGS), slug=area.split()[0])
    return f"{rule}: {chance.choice(_REASONS)}"


def plan(stories: int, done: int) -> dict[str, Any]:
    """Return a `prd.json` with `stories` stories, the first `done` of them passed."""
    return {
        "project": "Lighthouse",
        "branchName": "feature/harbour",
        "userStories": [
            {
                "id": f"US-{number:03}",
                "title": story_title(number),
                "priority": number,
                "passes": number <= done,
                "dependsOn": [f"US-{number - 1:03}"] if number % 9 == 0 else [],
            }
            for number in range(1, stories + 1)
        ],
    }


def entries(count: int, newest: datetime, distance: timedelta) -> Iterator[dict[str, Any]]:
    """Yield entries of our log, oldest first, up to `newest`."""
    chance = random.Random(20260202)
    for number in range(count):
        at = newest - distance * (count - number)
        data: dict[str, Any] = {"description": story_title(number), "duration_minutes": 5 + number % 50}
        if number % 4 == 0:
            data["learnings"] = [_learning(chance)]
        yield {
            "id": f"entry-{at:%Y%m%d-%H%M%S}-{number:06d}",
            "timestamp": f"{at:%Y-%m-%dT%H:%M:%SZ}",
            "type": "task_completed" if number % 5 else "milestone_reached",
            "task_id": f"T-{number}",
            "data": data,
        }


def write_log(root: Path, count: int, newest: datetime) -> None:
    """Write `progress.json` with `count` entries of the last days."""
    recent = list(entries(count, newest, timedelta(minutes=30)))
    folder = root / ".agent-os/progress"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "progress.json").write_text(
        json.dumps({"version": "1.0", "project": "lighthouse", "entries": recent})
    )


def write_archive(root: Path, count: int, newest: datetime) -> None:
    """Write an archive of `count` entries, by month, and note their number in the log of `write_log`."""
    log = root / ".agent-os/progress/progress.json"
    metadata = {"archived_entries": count}
    log.write_text(json.dumps({**json.loads(log.read_text()), "metadata": metadata}))
    folder = root / ".agent-os/progress/archive"
    folder.mkdir(parents=True, exist_ok=True)
    months: dict[str, list[dict[str, Any]]] = {}
    for entry in entries(count, newest - timedelta(days=60), timedelta(minutes=20)):
        months.setdefault(entry["timestamp"][:7], []).append(entry)
    for month, archived in months.items():
        content = serialise(Log({}, archived))
        (folder / f"{month}.json").write_bytes(content)


def write_transcripts(home: Path, root: Path, number: int, size: int) -> None:
    """Write transcripts of Claude Code: sessions that look around, edit a file and run its tests."""
    folder = home / ".claude/projects" / re.sub(r"[^A-Za-z0-9]", "-", str(root))
    folder.mkdir(parents=True)
    printed = "the light of the harbour was seen from the pier at four in the morning\n" * 30
    for session in range(number):
        begin = datetime(2026, 3, 1, tzinfo=UTC) + timedelta(hours=session)
        lines = [_line_of_transcript(root, begin, {"role": "user", "content": f"Mend light {session}."})]
        while sum(map(len, lines)) < size:
            when, name = begin + timedelta(seconds=len(lines)), f"call-{len(lines)}"
            command = {"command": "pytest -q" if len(lines) % 9 == 0 else "cat src/light.py"}
            call = {"type": "tool_use", "id": name, "name": "Bash", "input": command}
            result = {"type": "tool_result", "tool_use_id": name, "content": printed}
            lines.append(_line_of_transcript(root, when, {"role": "assistant", "content": [call]}))
            lines.append(_line_of_transcript(root, when, {"role": "user", "content": [result]}))
        (folder / f"session-{session}.jsonl").write_text("".join(lines), "utf-8")


def _line_of_transcript(root: Path, when: datetime, message: dict[str, Any]) -> str:
    stamp = when.strftime("%Y-%m-%dT%H:%M:%S.000Z")
    line = {"type": message["role"], "timestamp": stamp, "cwd": str(root), "message": message}
    return json.dumps(line) + "\n"


def make_repository(root: Path) -> Path:
    """Make a directory that git takes for a repository without commits."""
    (root / ".git/refs/heads").mkdir(parents=True)
    (root / ".git/objects").mkdir()
    (root / ".git/HEAD").write_text("ref: refs/heads/main\n")
    return root
