"""A server that lets anybody in, as PostgreSQL does, and answers what no server with our tables does."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import repeat

_NO_TLS = (80877103, 80877104)
_NUMBER, _TEXT = 23, 25


def message(kind: bytes, body: bytes) -> bytes:
    """Return a message of PostgreSQL's protocol."""
    return kind + struct.pack("!I", len(body) + 4) + body


def _described(kind: int, columns: int) -> bytes:
    column = b"x\0" + struct.pack("!IHIHIH", 0, 0, kind, 65535, 0xFFFFFFFF, 0)
    return (
        message(b"1", b"") + message(b"2", b"") + message(b"T", struct.pack("!H", columns) + column * columns)
    )


def _row(values: list[bytes]) -> bytes:
    packed = b"".join(struct.pack("!I", len(value)) + value for value in values)
    return message(b"D", struct.pack("!H", len(values)) + packed)


NOTICE = message(b"N", b"SNOTICE\0C00000\0Mstill at it\0\0")
_DONE = message(b"C", b"SELECT 1\0") + message(b"Z", b"I")
WORDS_FOR_NUMBERS = _described(_NUMBER, 4) + _row([b"abc"] * 4) + _DONE
OTHER_COLUMNS = _described(_TEXT, 3) + _row([b"abc"] * 3) + _DONE
NO_ROWS = message(b"1", b"") + message(b"2", b"") + message(b"n", b"") + _DONE
ROWS_WITHOUT_END = (_described(_TEXT, 4), _row([b"x" * 16_000] * 4) * 20)
ONE_ENDLESS_ROW = (
    _described(_TEXT, 1) + b"D" + struct.pack("!IHI", 1 << 30, 1, (1 << 30) - 10),
    b"x" * 1_000_000,
)


def once(answer: bytes) -> Callable[[threading.Event], Iterator[bytes]]:
    """Return what answers every question with these bytes."""
    return lambda _: iter([answer])


def without_end(first: bytes, then: bytes) -> Callable[[threading.Event], Iterator[bytes]]:
    """Return what answers with this, and then goes on for ever."""

    def answer(_: threading.Event) -> Iterator[bytes]:
        yield first
        yield from repeat(then)

    return answer


def now_and_then(what: bytes) -> Callable[[threading.Event], Iterator[bytes]]:
    """Return what says something ten times a second, and never answers."""

    def answer(over: threading.Event) -> Iterator[bytes]:
        while not over.wait(0.1):
            yield what

    return answer


@contextmanager
def fake_server(answer: Callable[[threading.Event], Iterator[bytes]]) -> Iterator[str]:
    """Listen on this machine for the length of a `with` block, and give the URL."""
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=_serve, args=(listening, answer, over), daemon=True)
        thread.start()
        try:
            yield f"postgresql://anybody@127.0.0.1:{listening.getsockname()[1]}/team?sslmode=disable"
        finally:
            over.set()
            listening.shutdown(socket.SHUT_RDWR)
            thread.join(10)


def _serve(
    listening: socket.socket, answer: Callable[[threading.Event], Iterator[bytes]], over: threading.Event
) -> None:
    with suppress(OSError, struct.error):
        while not over.is_set():
            line, _ = listening.accept()
            with line, suppress(OSError, struct.error):
                _greet(line)
                while line.recv(65536):
                    for piece in answer(over):
                        line.sendall(piece)


def _greet(line: socket.socket) -> None:
    while True:
        size, code = struct.unpack("!II", line.recv(8))
        if code not in _NO_TLS:
            break
        line.sendall(b"N")
    line.recv(size - 8)
    told = (b"server_encoding\0UTF8\0", b"client_encoding\0UTF8\0", b"server_version\x0015.0\0")
    line.sendall(
        message(b"R", struct.pack("!I", 0)) + b"".join(message(b"S", each) for each in told)
        + message(b"K", struct.pack("!II", 1, 1)) + message(b"Z", b"I")
    )  # fmt: skip
