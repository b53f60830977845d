"""The same session as each client writes it, with secrets in every field and with the output of our own hooks."""

from __future__ import annotations

import json
from pathlib import Path

from progress_plugin.core.clients import END_OF_CONTEXT
from progress_plugin.summary.start_context import intro
from tests.transcripts.claude_transcript import ClaudeTranscript
from tests.transcripts.opencode_database import OpenCodeDatabase

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
MARK = "lantern-of-our-own"
OURS = f"{intro('Harbour')}# Progress Summary: {MARK}\n{END_OF_CONTEXT}\n"
REQUEST = f"Build the pier, the token is {SECRET}, go."
CLOSING = f"One test fails; I used {SECRET} for it."
COMMAND = f"TOKEN={SECRET} pytest tests"
OUTPUT = f"E   AssertionError: {SECRET} != 3.5\n1 failed, 2 passed in 0.1s"
TASKS = [("Drive the piles", "completed"), (f"Rotate {SECRET}", "in_progress")]
CLIENTS = ("claude", "codex", "copilot", "gemini", "opencode")


def write(client: str, home: Path, root: Path) -> Path:
    """Write the session of a client; return its file."""
    if client == "claude":
        return _claude(home, root)
    if client == "opencode":
        return _opencode(home, root)
    text = Path(__file__).with_name("client_sessions.json").read_text("utf-8")
    for name, value in {"root": str(root), "secret": SECRET, "ours": OURS}.items():
        text = text.replace(f"{{{name}}}", json.dumps(value, ensure_ascii=False)[1:-1])
    folder = home / client
    path = folder / ("chats/session.jsonl" if client == "gemini" else "session.jsonl")
    path.parent.mkdir(parents=True, exist_ok=True)
    (folder / ".project_root").write_text(str(root), "utf-8")
    lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in json.loads(text)[client]]
    path.write_bytes("".join(lines).encode())
    return path


def _claude(home: Path, root: Path) -> Path:
    told = ClaudeTranscript(home, root, "any")
    told.injects(OURS)
    told.asks(REQUEST)
    told.writes("pier.py", new=True)
    told.runs(COMMAND, 1, OUTPUT)
    for number, (text, status) in enumerate(TASKS):
        told.plans(str(number), text, status)
    told.says(CLOSING)
    return told.path


def _opencode(home: Path, root: Path) -> Path:
    made = OpenCodeDatabase(home / "opencode.db", root)
    made.begins("any")
    made.asks("any", REQUEST, {"type": "text", "text": OURS, "synthetic": True})
    made.writes("any", "pier.py", new=True)
    made.runs("any", COMMAND, 1, OUTPUT)
    todos = [{"content": text, "status": status} for text, status in TASKS]
    made.calls("any", "todowrite", {"todos": todos})
    made.says("any", CLOSING)
    made.close()
    return made.path
