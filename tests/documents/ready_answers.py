"""What the SDK's own server answers, as the server's door keeps it: `remake` writes it, a test compares it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION, MODERN_PROTOCOL_VERSIONS

from tests.conftest import REPOSITORY

READY = "progress_plugin/core/fast/ready_answers.py"
INSTRUCTIONS, TEXT = '"@instructions@"', '"@text@"'
CLIENT = {"name": "any", "version": "1"}
_TOLD = "instructions"
_HEAD = '''"""What the SDK's server answers: `python -m tests.documents.remake` asks it; not to be edited."""

INSTRUCTIONS = {instructions!r}
TEXT = {text!r}
"""What stands in the place of what depends on the project, or on what happened."""
LATEST = {latest!r}
"""The version that a client is offered which names none of these."""
MODERN = {modern!r}
"""The version that needs no handshake."""
'''
_TABLE = '''{name}: dict[str, {type}] = {{
{rows}}}
"""{about}"""
'''


def made() -> str:
    """Return the module of ready answers."""
    [modern] = MODERN_PROTOCOL_VERSIONS
    versions = (*HANDSHAKE_PROTOCOL_VERSIONS, modern)
    initialized, tools, called = {}, {}, {}
    for version in versions:
        whole, part = (answers(version, usable=usable) for usable in (True, False))
        initialized[version] = _template(whole[0])
        tools[version] = whole[1], part[1]
        told = json.loads(part[2])["content"][0]["text"]
        called[version] = part[2].replace(json.dumps(told), TEXT)
    discovered = {modern: initialized.pop(modern)}
    head = _HEAD.format(instructions=INSTRUCTIONS, text=TEXT, latest=LATEST_HANDSHAKE_VERSION, modern=modern)
    names: dict[str, str] = {}
    tables = (
        _table("INITIALIZED", "str", "The result of `initialize`.", initialized, names),
        _table("DISCOVERED", "str", "The result of `server/discover`.", discovered, names),
        _table("TOOLS", "tuple[str, str]", "The result of `tools/list`, with the memory and without it.", tools, names),
        _table("CALLED", "str", "The result of a `tools/call` that failed.", called, names),
    )  # fmt: skip
    constants = "".join(f"{name} = {_wrapped(text)}\n" for text, name in names.items())
    return "\n".join([head, constants, *tables])


def _table(name: str, kind: str, about: str, answers: Mapping[str, Any], names: dict[str, str]) -> str:
    """Return a table by version; each text stands once, under a name of its own."""

    def named(text: str) -> str:
        return names.setdefault(text, f"_ANSWER_{len(names) + 1}")

    rows = ""
    for version, answer in answers.items():
        value = named(answer) if isinstance(answer, str) else f"({', '.join(map(named, answer))})"
        rows += f'    "{version}": {value},\n'
    return _TABLE.format(name=name, type=kind, rows=rows, about=about)


def _wrapped(text: str) -> str:
    pieces = [text[at : at + 90] for at in range(0, len(text), 90)]
    return "(\n" + "".join(f"    {piece!r}\n" for piece in pieces) + ")"


def _template(result: str) -> str:
    told = json.dumps(json.loads(result)[_TOLD], ensure_ascii=False)
    assert result.count(told) == 1
    return result.replace(told, INSTRUCTIONS)


def request(number: int, method: str, version: str, **params: Any) -> str:
    """Return a request as a client of that version makes it."""
    if version in MODERN_PROTOCOL_VERSIONS:
        prefix = "io.modelcontextprotocol/"
        about = {"protocolVersion": version, "clientInfo": CLIENT, "clientCapabilities": {}}
        params["_meta"] = {prefix + name: value for name, value in about.items()}
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def answers(version: str, *, usable: bool) -> list[str]:
    """Return the results of a handshake, `tools/list` and a call of no tool, by the SDK's server."""
    if version in MODERN_PROTOCOL_VERSIONS:
        hello = [request(1, "server/discover", version)]
    else:
        params = {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT}
        hello = [
            request(1, "initialize", version, **params),
            '{"jsonrpc": "2.0", "method": "notifications/initialized"}',
        ]
    rest = [request(2, "tools/list", version), request(3, "tools/call", version, name="none", arguments={})]
    with tempfile.TemporaryDirectory() as scratch:
        database = Path(scratch) / "memory.db"
        if not usable:
            database.write_text("no database")
        variables = {"HOME": scratch, "PATH": os.defpath, "AGENT_PROGRESS_DB": str(database)}
        with subprocess.Popen(
            [sys.executable, "-m", "progress_plugin.mcp_server"],
            cwd=REPOSITORY, env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        ) as server:  # fmt: skip
            assert server.stdin
            assert server.stdout
            results = []
            for line in (*hello, *rest):
                server.stdin.write(line + "\n")
                server.stdin.flush()
                if '"id"' in line:
                    results.append(_result(server.stdout.readline()))
            server.stdin.close()
    return results


def _result(line: str) -> str:
    """Return the result in an answer, as it is spelt."""
    number = json.loads(line)["id"]
    head = f'{{"jsonrpc":"2.0","id":{number},"result":'
    assert line.startswith(head)
    return line[len(head) : -2]
