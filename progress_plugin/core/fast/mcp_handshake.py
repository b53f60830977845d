"""The MCP server's entry point: answers what a client asks before its first request, by ready answers.

The SDK takes most of a second to import, and a client waits for the tools. What is known word for word (the
handshakes, `ping`, `tools/list`) is answered from `core.fast.ready_answers`, which the SDK's own server made.
The first message that is anything else goes to the SDK's server, with all that came before it, as it came.
Nothing is interpreted here beyond that: whatever is not plainly one of these is handed over.
"""

try:
    import posix as system
except ImportError:
    import nt as system  # type: ignore[import-not-found, no-redef, unused-ignore]

try:
    import _signal as signals  # type: ignore[import-not-found]
except ImportError:
    import signal as signals

from _thread import allocate_lock

from progress_plugin.core.fast import plain_json
from progress_plugin.core.fast import ready_answers as ready
from progress_plugin.core.fast.hook_process import fill_descriptors, leave
from progress_plugin.core.fast.server_introduction import Introduction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO, Protocol

    class Successor(Protocol):
        """What takes over from here (`sdk_loader`)."""

        def told(self) -> Introduction:
            """Return what to tell the client."""

        def get_ready(self) -> None:
            """Do what can be done before somebody calls a tool; runs in a thread of its own."""

        def is_there(self) -> bool:
            """Return whether the SDK's server can take over."""

        def take_over(self, handed: "Handed") -> bool:
            """Serve until the client has gone; return False where the server failed before that."""

        def instead(self, line: bytes, version: str) -> bytes | None:
            """Return the answer to a line that there is nobody to hand to."""

        def plainly(self, line: bytes) -> "dict[str, Any] | None":
            """Return a message without what is not plain about it; None for what is no message."""


_INTERRUPTED = 130
_KEPT = 256
"""Lines kept for the SDK's server: after so many of those answered here, none of them changes anything."""
_SPACE = b" \t\r\n"
_VERSION = "io.modelcontextprotocol/protocolVersion"
_CLIENT = "io.modelcontextprotocol/clientInfo"
_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
_TOKEN = "progressToken"  # noqa: S105 - a number that a client chooses
_MEMBERS = {"jsonrpc", "id", "method", "params"}
_ABOUT = {"name", "version", "title", "description", "websiteUrl"}


class Lines:
    """What the client says, line by line; none is lost with a thread that waited in vain."""

    def __init__(self, file: "BinaryIO") -> None:
        self._file = file
        self._turn = allocate_lock()
        self._next: bytes | None = None

    def wait(self) -> None:
        """Return once there is a line to take, or the client has gone."""
        with self._turn:
            if self._next is None:
                self._next = self._file.readline()

    def take(self) -> bytes:
        """Return the next line, empty where the client has gone."""
        self.wait()
        line, self._next = self._next or b"", None
        return line


class Wire:
    """The client's end: standard input and output, taken away from whatever else this process runs."""

    def __init__(self) -> None:
        fill_descriptors()
        self.lines = Lines(open(_taken(0, _nothing()), "rb"))  # noqa: SIM115 - it lasts as long as the process
        self._out = _taken(1, system.dup(2))

    def send(self, data: bytes) -> None:
        """Send a whole line. Raises OSError where the client has gone."""
        while data:
            data = data[system.write(self._out, data) :]


def _nothing() -> int:
    return system.open("nul" if system.__name__ == "nt" else "/dev/null", system.O_RDONLY)


def _taken(descriptor: int, instead: int) -> int:
    """Return a descriptor of our own for a standard one, in whose place `instead` is from now on.

    What we start must not eat requests, and what somebody prints must not get among the answers.
    """
    own = system.dup(descriptor)
    system.dup2(instead, descriptor)
    system.close(instead)
    return own


class Handed:
    """What the SDK's server takes over: the client, and all that it said so far."""

    __slots__ = ("answered", "before", "line", "open", "told", "wire")

    def __init__(self, wire: Wire, told: Introduction | None) -> None:
        self.wire = wire
        self.told = told
        self.before: list[bytes] = []
        """Lines that were dealt with here."""
        self.answered = 0
        """How many of them were answered."""
        self.line = b""
        """The line that was not dealt with yet."""
        self.open: list[int | str] = []
        """The ids of the requests that the SDK's server has read and not answered."""


def run(behind: "Successor") -> None:
    """Serve a client until it has gone, and end the process; does not return."""
    signals.signal(signals.SIGINT, _interrupted)
    try:
        conversation = Conversation(Wire(), behind)
        while (handed := conversation.go_on()) is not None and not behind.take_over(handed):
            if handed.line:
                conversation.do_without(handed.line)
    except BrokenPipeError:
        pass  # the client has gone without a word
    leave()


def _interrupted(number: int, frame: object) -> None:
    del number, frame
    leave(_INTERRUPTED)


class Conversation:
    """What was said between a client and this process so far."""

    def __init__(self, wire: Wire, behind: "Successor") -> None:
        self._wire = wire
        self._behind = behind
        self._handed = Handed(wire, None)
        self._version: str | None = None
        """The protocol's version, once the first request has named it."""
        self._is_open = False
        """Whether the client may ask for the tools."""
        self._is_begun = False
        """Whether the first request was made: it decides which of the protocol's two ways is gone."""
        self._got_ready = False

    def go_on(self) -> Handed | None:
        """Answer lines until one has to be handed over; None where the client has gone."""
        while line := self._wire.lines.take():
            if not line.strip(_SPACE):
                self._keep(line)
            elif not self._deal_with(line, read(line)):
                if self._behind.is_there():
                    self._handed.line = line
                    return self._handed
                self.do_without(line)
        return None

    def do_without(self, line: bytes) -> None:
        """Answer a line that is not plainly known while the SDK is not there."""
        request = self._behind.plainly(line)
        if request is None or not self._deal_with(line, request):
            answer = self._behind.instead(line, self._version or ready.LATEST)
            if answer is not None:
                self._wire.send(answer)

    def _deal_with(self, line: bytes, message: "dict[str, Any] | None") -> bool:
        """Answer a line that is known; return whether it was."""
        if message is None:
            return False
        method, params = message["method"], message.get("params")
        if "id" not in message:
            if method != "notifications/initialized" or not self._is_open or params:
                return False
            self._keep(line)
            return True
        result = self._result(method, params)
        if result is None:
            return False
        if self._keep(line):
            self._handed.answered += 1
        self._wire.send(
            f'{{"jsonrpc":"2.0","id":{plain_json.literal(message["id"])},"result":{result}}}\n'.encode()
        )
        if method == "tools/list":
            self._get_ready()
        return True

    def _keep(self, line: bytes) -> bool:
        """Keep a line for the SDK's server, and return whether that was still necessary."""
        is_room = len(self._handed.before) < _KEPT
        if is_room:
            self._handed.before.append(line)
        return is_room

    def _get_ready(self) -> None:
        """Begin with what a call needs, now that the client has its answer."""
        if not self._got_ready:
            self._got_ready = True
            from _thread import start_new_thread  # noqa: PLC0415

            start_new_thread(self._behind.get_ready, ())

    def _result(self, method: str, params: "dict[str, Any] | None") -> str | None:
        """Return the result of a request; None for one that is not known."""
        if _claims_envelope(params):
            return self._modern_result(method) if _is_envelope(params) else None
        if self._version == ready.MODERN:
            return None
        if method == "initialize" and not self._is_open and _is_hello(params):
            named = params["protocolVersion"] if params else ""
            self._begin(named if named in ready.INITIALIZED else ready.LATEST)
            return self._introduced(ready.INITIALIZED)
        if not _is_ordinary(params):
            return None
        if method == "ping":
            self._is_begun = True
            return "{}"
        return self._tools() if method == "tools/list" and self._is_open else None

    def _modern_result(self, method: str) -> str | None:
        if (self._is_begun and self._version != ready.MODERN) or method not in {
            "server/discover",
            "tools/list",
        }:
            return None
        self._begin(ready.MODERN)
        return self._tools() if method == "tools/list" else self._introduced(ready.DISCOVERED)

    def _begin(self, version: str) -> None:
        self._version = version
        self._is_begun = self._is_open = True

    def _tools(self) -> str:
        return ready.TOOLS[self._version or ready.LATEST][not self._told().has_memory]

    def _introduced(self, answers: dict[str, str]) -> str:
        return answers[self._version or ""].replace(
            ready.INSTRUCTIONS, plain_json.literal(self._told().instructions)
        )

    def _told(self) -> Introduction:
        if self._handed.told is None:
            self._handed.told = self._behind.told()
        return self._handed.told


def read(line: bytes) -> "dict[str, Any] | None":
    """Return a request or notification that everybody reads alike; None for any other line."""
    try:
        message = plain_json.read(line.decode())
    except ValueError:
        return None
    return message if type(message) is dict and _is_plain(message) else None


def _is_plain(message: "dict[str, Any]") -> bool:
    """Return whether a message is made of what every request and notification is made of, and no more."""
    return (
        _MEMBERS.issuperset(message)
        and message.get("jsonrpc") == "2.0"
        and type(message.get("method")) is str
        and type(message.get("id", 0)) in {int, str}
        and type(message.get("params", {})) is dict
    )


def _is_ordinary(params: "dict[str, Any] | None") -> bool:
    """Return whether parameters ask for nothing in particular; a client may want to hear of progress."""
    if not params:
        return True
    about = params.get("_meta")
    return params.keys() == {"_meta"} and type(about) is dict and _is_token(about)


def _is_token(about: "dict[str, Any]") -> bool:
    return not about or (about.keys() == {_TOKEN} and type(about[_TOKEN]) in {int, str})


def _claims_envelope(params: "dict[str, Any] | None") -> bool:
    """Return whether a request carries what the handshake used to say: the protocol's newer way."""
    about = params.get("_meta") if params else None
    return type(about) is dict and _VERSION in about


def _is_envelope(params: "dict[str, Any] | None") -> bool:
    """Return whether it brings along just that, and in the version that we know."""
    if not params or params.keys() != {"_meta"}:
        return False
    about = dict(params["_meta"])
    version, client = about.pop(_VERSION, None), about.pop(_CLIENT, None)
    return (
        version == ready.MODERN
        and _is_client(client)
        and _is_able(about.pop(_CAPABILITIES, None))
        and _is_token(about)
    )


def _is_hello(params: "dict[str, Any] | None") -> bool:
    """Return whether these are the plain parameters of `initialize`."""
    return (
        params is not None
        and params.keys() == {"protocolVersion", "capabilities", "clientInfo"}
        and type(params["protocolVersion"]) is str
        and _is_able(params["capabilities"])
        and _is_client(params["clientInfo"])
    )


def _is_client(value: object) -> bool:
    return (
        type(value) is dict
        and _ABOUT.issuperset(value)
        and {"name", "version"}.issubset(value)
        and all(type(each) is str for each in value.values())
    )


def _is_able(value: object) -> bool:
    """Return whether capabilities are plain: named, without anything more to say of them than more names."""
    if type(value) is not dict:
        return False
    roots = value.get("roots", {})
    if type(roots) is dict and type(roots.get("listChanged")) is bool:
        value = {**value, "roots": {name: each for name, each in roots.items() if name != "listChanged"}}
    return _are_names(value)


def _are_names(value: object) -> bool:
    return type(value) is dict and "listChanged" not in value and all(map(_are_names, value.values()))
