"""A team's server that refuses a login in another language than English: no state comes before a login."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from progress_plugin.team.connection import TeamServerFault, connected

_ASKS_FOR_TLS = 80877103
_ASKS_FOR_GSSAPI = 80877104


def _refuse(listening: socket.socket, severity: str, said: str) -> None:
    """Answer each that connects with an error, as PostgreSQL does before a login."""
    fields = (f"S{severity}", "VFATAL", "C3D000", f"M{said}")
    body = b"".join(field.encode() + b"\0" for field in fields) + b"\0"
    while True:
        try:
            line, _ = listening.accept()
        except OSError:
            return
        with line:
            while True:
                size, code = struct.unpack("!ii", line.recv(8, socket.MSG_WAITALL))
                line.recv(size - 8, socket.MSG_WAITALL)
                if code not in (_ASKS_FOR_TLS, _ASKS_FOR_GSSAPI):
                    break
                line.sendall(b"N")
            line.sendall(b"E" + struct.pack("!i", len(body) + 4) + body)


@contextmanager
def refusing(severity: str, said: str) -> Iterator[str]:
    """Return the URL of a server that lets nobody in."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        answering = threading.Thread(target=_refuse, args=(listening, severity, said))
        answering.start()
        yield f"postgresql://anna@127.0.0.1:{listening.getsockname()[1]}/team"
        listening.shutdown(socket.SHUT_RDWR)
        answering.join()


@pytest.mark.parametrize(
    ("severity", "said"),
    [
        ("FATAL", "Datenbank »team« existiert nicht"),
        ("FATAL", "le rôle « anna » n'existe pas"),
        ("ВАЖНО", "в pg_hba.conf нет записи для узла"),
        ("致命错误", "用户 anna Password 认证失败"),
    ],
)
def test_a_refusal_in_another_language_is_no_outage(severity: str, said: str) -> None:
    with refusing(severity, said) as url, pytest.raises(TeamServerFault) as told, connected(url):
        pass
    assert f'it does not let you in, and says "{said}"' in str(told.value)
    assert "look at the user and the database in team.url, and at the password" in str(told.value)
    assert "cannot be reached" not in str(told.value)


def test_a_server_that_is_not_there_is_one(unused: int) -> None:
    url = f"postgresql://anna@127.0.0.1:{unused}/team"
    with pytest.raises(TeamServerFault, match="cannot be reached, or has gone"), connected(url):
        pass


@pytest.fixture
def unused() -> int:
    """Return a port on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])
