"""A loopback replacement of the model APIs: scripted, without network, keeping every request.

`POST .../messages` (Claude Code), `.../responses` (Codex), `.../chat/completions` (Copilot, OpenCode) and
`...:generateContent` (Gemini) are answered by the script; token counts and model lists plausibly; anything
else with `{}`. `CONNECT` is refused and noted, so that with the server as proxy nothing leaves the machine.
"""

from __future__ import annotations

import gzip
import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from tests.clients.harness.protocols import RENDERERS, sse
from tests.clients.harness.reply_script import Script, resolve_calls
from tests.clients.harness.request_text import Json, protocol_of, tool_names


class StubServer(ThreadingHTTPServer):
    """The stub, bound to loopback; a context manager."""

    daemon_threads = True

    def __init__(self, script: Json | list[Json] | None = None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script = Script(script)
        self.requests: list[Json] = []

    @property
    def url(self) -> str:
        """The base address, without a trailing slash or `/v1`."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that disconnect during a stream."""
        if not isinstance(sys.exc_info()[1], (BrokenPipeError, ConnectionResetError)):
            super().handle_error(request, client_address)

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.shutdown()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    """One HTTP connection of the stub."""

    protocol_version = "HTTP/1.1"
    server: StubServer

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - inherited name
        """Print no access log."""

    def _send(self, status: int, data: bytes, content_type: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(data)))
        self.send_header("request-id", "req_stub")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _send_json(self, status: int, payload: Any) -> None:
        self._send(status, json.dumps(payload).encode())

    def _body(self) -> Any:
        """Return the request body as JSON; chunked and gzip bodies are unpacked."""
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        if "chunked" in self.headers.get("transfer-encoding", ""):
            while size := int(self.rfile.readline().split(b";")[0].strip() or b"0", 16):
                raw += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        if self.headers.get("content-encoding") == "gzip":
            raw = gzip.decompress(raw)
        try:
            return json.loads(raw or b"{}")
        except ValueError:
            return {"unparsed": raw.decode("utf-8", "replace")}

    def _record(self, kind: str, body: Any = None) -> None:
        path = self.path.split("?")[0]
        self.server.requests.append({"time": time.time(), "path": path, "kind": kind, "body": body})

    def do_CONNECT(self) -> None:
        """Refuse to be a tunnel."""
        self._record("outside")
        self.close_connection = True
        self._send_json(403, {"error": "this stub does not leave the machine"})

    def do_GET(self) -> None:
        """Send model lists, and `{}` for the rest."""
        self._body()
        is_outside = self.path.startswith("http://")
        self._record("outside" if is_outside else "other")
        listing = {"object": "list", "data": [{"id": "stub", "object": "model"}], "models": []}
        self._send_json(403 if is_outside else 200, listing if "models" in self.path else {})

    do_HEAD = do_PUT = do_DELETE = do_GET  # noqa: N815 - names the server class looks for

    def do_POST(self) -> None:
        """Answer model requests and token counts."""
        body, path = self._body(), self.path.split("?")[0]
        is_outside = path.startswith("http://")
        protocol = None if is_outside else protocol_of(path)
        if protocol and isinstance(body, dict):
            self._answer(protocol, body, path)
            return
        self._record("outside" if is_outside else "other", body)
        size = max(1, len(json.dumps(body)) // 4)
        is_count = path.endswith(("/count_tokens", ":countTokens"))
        self._send_json(200, {"input_tokens": size, "totalTokens": size} if is_count else {})

    def _answer(self, protocol: str, body: Json, path: str) -> None:
        """Record one model request and send the scripted reply."""
        kind = "main" if tool_names(body) else "side"
        reply = self.server.script.next_reply(body, kind)
        self._record(kind, body)
        payload, events = RENDERERS[protocol](reply, resolve_calls(reply, body), body)
        if body.get("stream") or path.endswith(":streamGenerateContent"):
            self._send(200, sse(events, protocol), "text/event-stream")
        else:
            self._send_json(200, payload)
