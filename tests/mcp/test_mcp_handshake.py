"""The server's door: what it answers itself is what the SDK's server answers, and what it hands over is whole."""

from __future__ import annotations

import json
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types.version import KNOWN_PROTOCOL_VERSIONS

from progress_plugin.core.fast import own_command, plain_json
from progress_plugin.core.fast.install_attempts import Attempts
from progress_plugin.core.fast.mcp_handshake import _KEPT, Conversation
from progress_plugin.core.packages import environment
from progress_plugin.sdk_loader import _A_WHILE
from tests.conftest import REPOSITORY
from tests.documents.ready_answers import READY, made, request
from tests.mcp.conversations import Pipes, Successor, answers, by_the_door, by_the_sdk, conversation
from tests.mcp.doors import MODERN, OLDER, SITE, opened, own_environment, sdk

MANY, FEW = 1_000, 60


def test_the_ready_answers_are_those_of_the_sdks_own_server_in_every_version() -> None:
    assert (REPOSITORY / READY).read_text("utf-8") == made()


def _same(seed: int) -> None:
    said = conversation(seed)
    assert answers(said, by_the_door)[0] == answers(said, by_the_sdk)[0], said


def test_any_conversation_is_answered_as_the_sdks_server_answers_it() -> None:
    for seed in range(FEW):
        _same(seed)


@pytest.mark.slow
def test_a_thousand_conversations_are_answered_as_the_sdks_server_answers_them() -> None:
    for seed in range(FEW, FEW + MANY):
        _same(seed)


def test_of_such_conversations_every_other_one_is_begun_by_the_door_itself() -> None:
    begun = 0
    for seed in range(FEW):
        pipes = Pipes()
        for burst in conversation(seed):
            pipes.say(b"".join(burst))
        pipes.hang_up()
        handed = Conversation(pipes, Successor()).go_on()
        begun += handed is None or handed.answered > 0
        pipes.rest()
    assert begun >= FEW * 0.4


@pytest.mark.parametrize("version", KNOWN_PROTOCOL_VERSIONS)
def test_a_client_of_any_version_is_told_by_the_door_what_the_sdk_would_tell_it(
    project: Path, home: Path, version: str
) -> None:
    with opened(project, home) as door, sdk(project, home) as other:
        assert door.begin(version) == other.begin(version)
        called = [each.call(version, project="shop") for each in (door, other)]
        assert called[0] == called[1]
        assert not called[0]["result"]["isError"]


def test_the_door_says_nothing_twice_and_nothing_beside_its_answers(project: Path, home: Path) -> None:
    with opened(project, home) as door:
        door.begin(MODERN)
        door.call(MODERN, project="shop")
        assert door.end() == (0, b"")


def test_after_more_lines_than_are_kept_a_call_is_answered_as_ever(project: Path, home: Path) -> None:
    with opened(project, home) as door:
        door.begin(OLDER)
        for number in range(_KEPT + 20):
            assert door.ask(request(100 + number, "ping", OLDER))["id"] == 100 + number
        assert door.call(OLDER, project="shop")["id"] == 3


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="no /proc: nobody says there who is busy")
def test_the_sdk_is_imported_when_the_client_has_done_starting(project: Path, home: Path) -> None:
    with opened(project, home) as door:
        door.begin(OLDER)
        busy_until = time.process_time() + 3 * _A_WHILE
        while time.process_time() < busy_until:
            assert not _has_imported(door.process.pid)
        end = time.monotonic() + 60
        while not _has_imported(door.process.pid):
            assert time.monotonic() < end
            time.sleep(0.1)


def _has_imported(process: int) -> bool:
    """Return whether a process has the SDK's one compiled library."""
    return b"pydantic_core" in Path(f"/proc/{process}/maps").read_bytes()


def test_what_somebody_prints_gets_in_nobodys_way(project: Path, home: Path) -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(REPOSITORY)!r})\n"
        "from progress_plugin.core.fast.mcp_handshake import run\n"
        "from progress_plugin.sdk_loader import Packages\n"
        "class Loud(Packages):\n"
        "    def told(self):\n"
        "        import os, subprocess\n"
        "        os.write(1, b'stray'); subprocess.run(['cat'])\n"
        "        return super().told()\n"
        "run(Loud())\n"
    )
    with opened(project, home, environment.interpreter(), "-I", "-S", "-c", program) as door:
        assert b'"instructions"' in door.begin(OLDER)[0]
        assert door.end() == (0, b"stray")


def test_one_interrupt_ends_a_door_that_nobody_came_through(project: Path, home: Path) -> None:
    with opened(project, home) as door:
        door.begin(OLDER)
        door.process.send_signal(signal.SIGINT)
        assert door.process.wait(60) == 130


def test_a_client_that_stops_listening_is_no_error(project: Path, home: Path) -> None:
    with opened(project, home) as door:
        door.begin(OLDER)
        assert door.process.stdout
        door.process.stdout.close()
        door.send(request(9, "ping", OLDER))
        assert door.process.wait(60) == 0
        assert door.process.stderr
        assert door.process.stderr.read() == b""


def _text(answer: Any) -> str:
    assert answer["result"]["isError"]
    [part] = answer["result"]["content"]
    assert "\n" not in part["text"]
    return str(part["text"])


@pytest.mark.parametrize("version", [OLDER, MODERN])
def test_without_packages_the_tools_are_listed_and_a_call_says_what_is_missing(
    project: Path, home: Path, version: str
) -> None:
    with opened(project, home, site="", AGENT_PROGRESS_NO_INSTALL="1") as door:
        assert b"mem_progress" in door.begin(version)[1]
        told = _text(door.call(version, project="shop"))
        assert told == (
            "nothing was done: its Python packages are not installed, and AGENT_PROGRESS_NO_INSTALL forbids it; "
            f"run: {own_command.command()} setup"
        )
        assert door.ask(request(4, "resources/list", version))["error"]["code"] == -32601
        assert door.ask("{")["error"]["code"] == -32700
        assert door.ask("[]")["error"]["code"] == -32600


def test_without_packages_a_handshake_in_uncommon_words_is_answered_too(project: Path, home: Path) -> None:
    params = {
        "protocolVersion": OLDER,
        "capabilities": {"roots": {"listChanged": "yes"}},
        "clientInfo": {"name": 'a "b"'},
    }
    with opened(project, home, site="", AGENT_PROGRESS_NO_INSTALL="1") as door:
        begun = door.ask(request('q"\\', "initialize", OLDER, **params))
        assert begun["id"] == 'q"\\'
        assert begun["result"]["protocolVersion"] == OLDER
        assert door.ask(request(2, "tools/list", OLDER, cursor="x"))["result"]["tools"]


def test_a_build_that_failed_is_told_with_its_reason_and_its_end(
    project: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = environment.writable_home()
    assert place
    Attempts(place).failed(4_000_000_000.0, "no route to the index")
    monkeypatch.setattr("time.time", lambda: 4_000_000_060.0)
    from progress_plugin.usecases.server_without_packages import answer

    said = json.loads(answer(request(3, "tools/call", OLDER, name="mem_save").encode(), OLDER, None) or b"")
    assert _text(said) == (
        "nothing was done: its Python packages could not be installed: no route to the index; "
        f"tried again after 2096-10-02 08:06 UTC, or run: {own_command.command()} setup"
    )


@pytest.mark.parametrize(("tool", "works"), [("progress_log", "log"), ("mem_search", "recall")])
def test_a_call_that_a_command_can_do_without_packages_is_told_of_it(
    home: Path, monkeypatch: pytest.MonkeyPatch, tool: str, works: str
) -> None:
    from progress_plugin.usecases.server_without_packages import answer

    monkeypatch.setenv("AGENT_PROGRESS_NO_INSTALL", "1")
    said = json.loads(answer(request(3, "tools/call", OLDER, name=tool).encode(), OLDER, None) or b"")
    assert _text(said).endswith(f" setup; meanwhile: {own_command.command()} {works}")


def test_packages_that_come_while_the_door_stands_open_are_used_by_the_next_call(
    project: Path, home: Path
) -> None:
    with opened(project, home, site="", AGENT_PROGRESS_NO_INSTALL="1") as door:
        door.begin(OLDER)
        _text(door.call(OLDER, project="shop"))
        place = home / ".local/share/agent-progress/env" / environment.identity()
        place.mkdir(parents=True)
        (place / "site-packages").symlink_to(SITE)
        (place / "python").write_text(environment.interpreter())
        assert not door.call(OLDER, project="shop")["result"]["isError"]


@pytest.mark.parametrize("lost", ["anyio", "mcp/server/__init__.py"])
def test_an_environment_that_lost_files_is_given_up_and_a_call_says_so_in_a_line(
    project: Path, home: Path, lost: str
) -> None:
    place = home / ".local/share/agent-progress/env" / environment.identity()
    (place / "site-packages").mkdir(parents=True)
    (place / "python").write_text(environment.interpreter())
    package, _, inner = lost.partition("/")
    for each in Path(SITE).iterdir():
        if each.name != package:
            (place / "site-packages" / each.name).symlink_to(each)
    if inner:
        shutil.copytree(Path(SITE, package), place / "site-packages" / package)
        (place / "site-packages" / lost).unlink()
    with opened(project, home, site=str(place / "site-packages"), AGENT_PROGRESS_NO_INSTALL="") as door:
        assert b"mem_progress" in door.begin(OLDER)[1]
        told = _text(door.call(OLDER, project="shop"))
        assert f"a file of the packages in {place} is missing" in told
        assert "agent-progress setup" in told
    assert not (place / "python").exists()


def _in_a_loop(file: Path) -> None:
    file.unlink()
    file.symlink_to(file)


def _as_a_directory(file: Path) -> None:
    file.unlink()
    file.mkdir()


DAMAGES: list[tuple[str, Callable[[Path], object]]] = [
    ("anyio/__init__.py", Path.unlink),
    ("anyio/__init__.py", lambda file: file.write_bytes(b"")),
    ("anyio/__init__.py", lambda file: file.write_bytes(bytes(file.stat().st_size))),
    ("anyio/__init__.py", _in_a_loop),
    ("anyio/__init__.py", _as_a_directory),
    ("anyio/_core/_eventloop.py", lambda file: file.write_bytes(file.read_bytes()[:2000])),
    ("anyio/_backends/_asyncio.py", lambda file: file.write_bytes(b"")),
    ("mcp/server/lowlevel/server.py", lambda file: file.write_bytes(file.read_bytes()[:4000])),
]


@pytest.mark.parametrize(("name", "damage"), DAMAGES)
def test_whatever_a_damaged_file_raises_the_call_is_answered_and_the_server_goes_on(
    project: Path, home: Path, name: str, damage: Callable[[Path], object]
) -> None:
    site = own_environment(home, name.partition("/")[0])
    damage(site / name)
    with opened(project, home, site=str(site), AGENT_PROGRESS_NO_INSTALL="") as door:
        door.begin(OLDER)
        for _ in range(2):
            told = _text(door.call(OLDER, project="shop"))
            assert f"a file of the packages in {site.parent} is missing" in told
            assert "agent-progress setup" in told
        assert door.ask(request(4, "ping", OLDER))["result"] == {}
        assert door.end() == (0, b"")
    assert not (site.parent / "python").exists()


@pytest.mark.parametrize("after", [1.0, 1.1, 1.3])
def test_a_call_during_the_import_of_a_damaged_environment_hears_which_file_is_missing(
    project: Path, home: Path, after: float
) -> None:
    site = own_environment(home, "mcp")
    (site / "mcp/server/subscriptions.py").unlink()
    with opened(project, home, site=str(site), AGENT_PROGRESS_NO_INSTALL="1") as door:
        door.begin(OLDER)
        time.sleep(after)
        assert "mcp.server.subscriptions" in _text(door.call(OLDER, project="shop"))
        assert door.end() == (0, b"")


def test_the_launcher_goes_through_this_door(project: Path, home: Path) -> None:
    place = home / ".local/share/agent-progress/env" / environment.identity()
    place.mkdir(parents=True)
    (place / "site-packages").symlink_to(SITE)
    (place / "python").write_text(environment.interpreter())
    launcher = str(REPOSITORY / "bin/agent-progress")
    with opened(project, home, "sh", launcher, "mcp") as door:
        door.begin(MODERN)
        listed = Path(f"/proc/{door.process.pid}/cmdline")
        if listed.exists():
            assert b"hooks/mcp.py" in listed.read_bytes()
        assert not door.call(MODERN, project="shop")["result"]["isError"]


_TEXTS = st.text(max_size=12)
_PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | _TEXTS,
    lambda inner: st.dictionaries(_TEXTS, inner, max_size=4),
    max_leaves=8,
)


@given(
    _PLAIN | st.lists(_PLAIN, max_size=2) | st.floats(),
    st.sampled_from([(",", ":"), (" ,\t", "\n: ")]),
    st.booleans(),
)
def test_what_is_read_as_plain_json_is_what_it_says(
    value: Any, separators: tuple[str, str], escape: bool
) -> None:
    text = json.dumps(value, separators=separators, ensure_ascii=escape)
    try:
        assert plain_json.read(text) == value
    except ValueError:
        assert not _is_plain(value) or "\\" in text


def _is_plain(value: Any) -> bool:
    """Return whether a value may not be refused."""
    if isinstance(value, dict):
        return all(map(_is_plain, value.values()))
    return value is None or isinstance(value, str | bool) or (isinstance(value, int) and len(str(value)) < 16)


@given(st.text(alphabet='{}[]:, "\t\n\\01-9.eE+truefalsnul\x00ß\u2028', max_size=30))
def test_nothing_is_plain_json_that_is_none(text: str) -> None:
    try:
        read = plain_json.read(text)
    except ValueError:
        return
    assert read == json.loads(text)


@given(st.text() | st.integers())
def test_a_text_is_spelt_as_json_spells_it(value: str | int) -> None:
    assert plain_json.literal(value) == json.dumps(value, ensure_ascii=False)
