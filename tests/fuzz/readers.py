"""Readers and writers alone, where a whole start would take a hundred times as long: the same is checked of each."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

from progress_plugin.agent_logs.reader import read_agent_log
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.log.document import parse
from progress_plugin.log.entry import canonical
from progress_plugin.log.logged_blockers import logged_blockers
from progress_plugin.log.markdown_output import render
from progress_plugin.log.supplements import effective
from progress_plugin.mcp.protocol import Server
from progress_plugin.memory import json_text as exact_json
from progress_plugin.plans.documents import read_plans
from progress_plugin.recall.file_mentions import names_file
from progress_plugin.recall.question import MAX_CHARACTERS, question_of
from progress_plugin.recall.terms import terms_of
from progress_plugin.selection.merge import merge
from progress_plugin.state.matching import all_items
from progress_plugin.text.redact import redact, redact_value
from progress_plugin.text.safe_output import cell, clean, item, json_text, one_line, points, verbatim
from progress_plugin.transcripts.clients.readers import reader_of
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.session_section import section, told_lines
from tests.torture.client import acting
from tests.transcripts.client_sessions import SECRET

Journey = Callable[[bytes], None]
_WHOLE = re.compile(rf"(?<![A-Za-z0-9]){SECRET}")
"""It begins where a word begins: letters in front of it make it another word."""
_LIMIT = 200
_PLACE = "/project"
_LONGEST_ERROR = 2000
_PLANS = ("prd.json", "task_plan.md", "specs/x/tasks.md", ".agent-os/specs/x/tasks.json", ".beads/issues.jsonl",
          ".taskmaster/tasks/tasks.json")  # fmt: skip
_TRANSCRIPTS = ("claude", "codex", "copilot", "gemini")


def readers() -> dict[str, Journey]:
    """Return what takes any bytes and checks what must hold of it, by what it reads."""
    return {
        "a text to show": text_to_show,
        "a log of an agent alone": log_of_an_agent,
        "a plan alone": plan,
        "progress.json alone": own_log,
        "a question to recall": question,
        "a request to the server": request,
        "a progress document": document,
        **{f"a transcript of {client}": transcript_of(client) for client in _TRANSCRIPTS},
    }


def holds_no_secret(*texts: str) -> None:
    """Check that the secret that is planted in inputs is in none of these."""
    for text in texts:
        assert not _WHOLE.search(text), f"a secret is told: {text[:500]!r}"


def is_a_line(fault: AgentProgressError) -> None:
    """Check of an error that a person gets it as one bounded line that holds no secret."""
    told = one_line(str(fault))
    assert told
    assert len(told) < _LONGEST_ERROR, f"an error of {len(told)} characters"
    holds_no_secret(told)


def text_to_show(data: bytes) -> None:
    """Show a text in every way: nothing in it acts, shown again it is the same, it is as short as asked for."""
    text = data.decode("utf-8", "surrogateescape" if len(data) % 2 else "replace")
    for show in (clean, one_line, cell, item):
        told = show(text)
        assert not acting(told), acting(told)
        assert show(told) == told, f"{show.__name__}: {told[:300]!r} becomes {show(told)[:300]!r}"
        holds_no_secret(told)
        told.encode()
    for limited in (one_line, cell, item):
        assert len(one_line(limited(text, _LIMIT))) <= 2 * _LIMIT
    assert len(one_line(text, _LIMIT)) <= _LIMIT
    once = redact(text)[0]
    assert redact(once)[0] == once, f"redacted again {once[:300]!r} becomes {redact(once)[0][:300]!r}"
    holds_no_secret(verbatim(text), json_text({"a": [text]}), *(one_line(point) for point in points(text)))
    json.loads(json_text({"a": [text], text: 1}))


def log_of_an_agent(data: bytes) -> None:
    """Read a log and what it teaches; every learning can be shown."""
    log = read_agent_log("progress.md", data.decode("utf-8", "replace"))
    for learning in merge(log.learnings):
        told = one_line(learning.statement.text)
        assert not acting(told), acting(told)
        holds_no_secret(told)


def plan(data: bytes) -> None:
    """Read a plan of any kind; its stories are what they are declared to be, or an error is a line."""
    path = _PLANS[len(data) % len(_PLANS)]
    try:
        found = read_plans(path, data.decode("utf-8", "replace"))
    except AgentProgressError as fault:
        is_a_line(fault)
        return
    for each in (each for document in found for each in all_items(document.items)):
        told = [one_line(each.id or ""), one_line(each.title)]
        assert not [mark for text in told for mark in acting(text)]
        holds_no_secret(*told)


def own_log(data: bytes) -> None:
    """Read our own log, whatever has become of it; what is read of it can be written and is read the same again."""
    log = parse(data)
    entries = effective(log.entries)
    logged_blockers(entries)
    told = render({**log.document, "metadata": {"total_entries": len(log.items)}}, entries)
    assert not acting(told), acting(told)  # secrets went when it was stored
    written = json.dumps({"version": "1.0", "entries": log.items}).encode()
    assert [canonical(one) for one in parse(written).items] == [canonical(one) for one in log.items]


def question(data: bytes) -> None:
    """Ask a question: no word that is looked for is empty."""
    text = data.decode("utf-8", "replace")
    terms = terms_of(text)
    assert all(terms)
    question_of(text[:MAX_CHARACTERS])
    names_file(text, ("src", "a.py"))


def request(data: bytes) -> None:
    """Send the server a line: it is answered by one line of JSON with its id, or expects no answer."""
    line = data.replace(b"\n", b" ")
    responses = BytesIO()
    Server(responses, "no tools", (), None).answer(line)
    told = responses.getvalue()
    if not told:
        return
    assert told.endswith(b"\n")
    assert told.count(b"\n") == 1
    value = json.loads(told)
    assert value["jsonrpc"] == "2.0"
    assert ("result" in value) != ("error" in value)
    with suppress(ValueError, RecursionError):
        asked = json.loads(line)
        if isinstance(asked, dict) and isinstance(asked.get("id"), str | int) and "result" in value:
            assert value["id"] == asked["id"]


def document(data: bytes) -> None:
    """Take a document: without a secret, and what is stored of it is read as what it was."""
    try:
        value, _text = exact_json.parse(data.decode("utf-8", "surrogateescape"))
    except AgentProgressError as fault:
        is_a_line(fault)
        return
    kept: Any = redact_value(value)[0]
    stored = exact_json.dump(kept)
    again, _ = exact_json.parse(stored)
    assert exact_json.dump(again) == stored
    assert exact_json.dump(redact_value(again)[0]) == stored, "redacted again it is another"
    json.dumps(exact_json.printable(kept))
    holds_no_secret(stored)


def transcript_of(client: str) -> Journey:
    """Return the journey that reads a transcript of a client line by line; no secret is kept of it or shown."""

    def journey(data: bytes) -> None:
        record, reader = SessionRecord(client, "any", _PLACE), reader_of(client, None)
        for raw in data.split(b"\n"):
            try:
                line = json.loads(raw)
            except (ValueError, RecursionError):
                continue
            if isinstance(line, dict):
                reader.directory(line)
                for event in reader.events(line):
                    record.take(event)
        kept = {name: value for name, value in record.as_json().items() if name != "reading"}
        again = SessionRecord.from_json(json.loads(json.dumps(record.as_json())), record.root)
        assert again is not None
        shown = [section(record, running=running, in_log=None) for running in (True, False)]
        told = json.dumps([kept, *shown, told_lines(again)], ensure_ascii=False)
        holds_no_secret(told)

    return journey


def sessions(root: Path) -> dict[str, bytes]:
    """Return a transcript of each client, by the name of its journey: what to begin with."""
    from tests.transcripts import client_sessions

    return {
        f"a transcript of {client}": client_sessions.write(client, root, Path(_PLACE)).read_bytes()
        for client in _TRANSCRIPTS
    }
