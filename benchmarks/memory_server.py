"""B8: the MCP server until it is initialized, against importing the SDK's server, side by side.

python benchmarks/memory_server.py [--rounds 15]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BOUND = 1.15
HELLO = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "b", "version": "1"},
    },
}  # fmt: skip


def until_initialized(home: str) -> float:
    """Return the seconds from starting the server to its answer to `initialize`."""
    environment = {**os.environ, "HOME": home, "CLAUDE_PROJECT_DIR": ROOT}
    begun = time.perf_counter()
    server = subprocess.Popen(
        [sys.executable, "-m", "progress_plugin.mcp_server"],
        cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    answer = ask(server)
    took = time.perf_counter() - begun
    server.communicate()
    assert b'"instructions"' in answer
    return took


def ask(server: subprocess.Popen[bytes]) -> bytes:
    """Send `initialize` and return the line that answers it."""
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write(json.dumps(HELLO).encode() + b"\n")
    server.stdin.flush()
    return server.stdout.readline()


def importing() -> float:
    """Return the seconds until a bare process has imported the SDK's server; its end is not counted."""
    begun = time.perf_counter()
    bare = subprocess.Popen(
        [sys.executable, "-c", "import mcp.server.lowlevel, mcp.server.stdio; print(flush=True)"],
        cwd=ROOT, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert bare.stdout is not None
    bare.stdout.readline()
    took = time.perf_counter() - begun
    bare.communicate()
    return took


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as home:
        pairs = [(until_initialized(home), importing()) for _ in range(rounds)]
    server, sdk = (statistics.median(times) for times in zip(*pairs, strict=True))
    ratio = statistics.median(one / other for one, other in pairs)
    print(f"server until initialized {server * 1000:.0f} ms, importing the SDK's server {sdk * 1000:.0f} ms")
    print(f"B8: {ratio:.2f} x, at most {BOUND} x: {'kept' if ratio <= BOUND else 'BROKEN'}")
    return 0 if ratio <= BOUND else 1


if __name__ == "__main__":
    raise SystemExit(main())
