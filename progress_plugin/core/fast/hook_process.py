"""What every hook does around its one call: its streams, its input, its time, and the way out.

How long a hook may take, and what outlasts it, is decided here; which of the two an event is, in
`core.fast.hook_filter` (`time_for`), how long it waits for
the lock, in `usecases.recording.hook_event` (`_LOCK_TIMEOUT`).

A hook must end with exit code 0 and in time, whatever goes wrong around it: an input not closed, a disk
that is full, descriptors never opened, a file system that does not answer. This is the one clock
and the one boundary of all entry points. It runs at every tool call, so it uses what an interpreter has
loaded anyway: `_signal`, not `signal`.
"""

import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable  # neither this nor `typing` is to be loaded: a millisecond

try:
    import posix as system
except ImportError:
    import nt as system  # type: ignore[import-not-found, no-redef, unused-ignore]

try:
    import _signal as signals  # type: ignore[import-not-found]
except ImportError:
    import signal as signals

IN_ALL = 4.0
"""Seconds that a summary has from the launcher's first line on; a start may take 5."""
RECORDING = 14.0
"""The same for recording an event, of the 20 that hooks.json gives a hook: on a machine with much else to do
our clock begins some seconds after the client's."""
AT_LAST = 0.8
"""Seconds after that in which an older summary is shown; then the process is ended, shown or not."""
FOR_INPUT = 1.5
"""Seconds that a client may take to say what it wants."""
FOR_WHAT_IS_SAID_ONCE = 10.0
"""The same of an event that no later look would find, such as a finished task: on a machine with much else
to do the client's own process may be what waits its turn."""
AT_MOST_DETACHED = 300.0
"""Seconds for what nobody waits for: what hangs longer is ended, and noted."""
WAITED = "AGENT_PROGRESS_WAITED"
"""The variable in which the launcher says how many seconds it waited for Pythons that do not answer."""

_MOST = 64 * 1024 * 1024
_PIECE = 1024 * 1024
_PAUSE = 0.005
_FOR_A_NOTE = 0.1
_FOR_MEASURING = 1.0
"""Seconds for what others do as a process leaves."""
_FOR_A_RESCUE = 2.0
"""Seconds that a hook has at most to put down what would be lost with its process."""
_began: float | None = None
_given = IN_ALL
"""Seconds that the hook of this process has."""
_fallback: "list[bytes] | None" = None
"""What is to be printed where no answer is: whoever takes it out of the list answers, nobody else does."""
_rescue: "Callable[[], None] | None" = None


class Late(BaseException):
    """The time is used up: no handler of errors on the way may take this for one of its own."""


def run(event: str, work: "Callable[[], None]", seconds: float | None = None) -> None:
    """Do a hook's work and end the process with exit code 0; does not return.

    `seconds` is what it may take, `IN_ALL` where nothing else is said.
    """
    try:
        attempt(event, work, seconds)
    finally:
        leave()


def attempt(event: str, work: "Callable[[], None]", seconds: float | None = None) -> None:
    """Do a hook's work: the one boundary, where an error becomes a note for `doctor`."""
    global _began, _given  # noqa: PLW0603 - a process has one clock
    _began, _given = time.monotonic(), seconds or IN_ALL
    fill_descriptors()
    try:
        limit(left())
        work()
        limit(0)
    except BaseException as error:  # noqa: BLE001 - a hook never stops the agent's work, whatever stops the hook
        limit(0)
        from progress_plugin.core.error_log import note  # noqa: PLC0415 - only when something went wrong

        note(event, error)
    _say_what_is_left()
    _began = None


def leave(code: int = 0) -> None:
    """End the process, as a rule with exit code 0; does not return.

    What is printed is out, what is written is written: taking the interpreter apart would cost a sixth of it,
    and complain by exit code 120 about what could not be printed.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            continue
    _exit(code)


def _exit(code: int = 0) -> None:
    # Through `os` where that is loaded anyway: what measures coverage waits there.
    sys.modules.get("os", system)._exit(code)  # noqa: SLF001


def fill_descriptors() -> None:
    """Have all three standard descriptors open.

    Else the next file that is opened gets the number of one that was closed, and what some process prints
    goes into our log.
    """
    if system.__name__ != "posix":
        return
    for descriptor in (0, 1, 2):
        try:
            system.fstat(descriptor)
        except OSError:
            # For reading: writing to what was closed fails, as ever.
            system.open("/dev/null", system.O_RDONLY)


def say(data: bytes) -> None:
    """Print a hook's answer, unless the clock has given one. Raises OSError where it cannot be printed."""
    global _fallback  # noqa: PLW0603 - a process has one answer
    if _take_fallback() is not None:
        _print(data)
        _fallback = None


def otherwise_say(data: bytes) -> None:
    """Have this printed where the hook ends without an answer, whatever ends it."""
    global _fallback  # noqa: PLW0603 - a process has one answer
    _fallback = [data]


def _take_fallback() -> bytes | None:
    """Return what would be printed otherwise, for the first of two threads that asks; None for the other."""
    if _fallback is None:
        return b""
    try:
        return _fallback.pop()
    except IndexError:
        return None


def _say_what_is_left() -> None:
    try:
        _print(_take_fallback() or b"")
    except OSError:
        return


def _print(data: bytes) -> None:
    if data and sys.stdout is not None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def rescue_by(put_down: "Callable[[], None] | None") -> None:
    """Have this called where the clock ends the process, so that nothing is lost; None for nothing."""
    global _rescue  # noqa: PLW0603 - a process does one hook's work
    _rescue = put_down


def left() -> float:
    """Return the seconds that are left for a hook's work; never 0, which would be no limit.

    The clock runs while a hook is attempted: tests make starts all day.
    """
    waited = system.environ.get(WAITED.encode(), b"")  # the launcher is a shell's: none of it on Windows
    seconds = int(waited) if waited.isdigit() and len(waited) == 1 else 0
    gone = time.monotonic() - _began if _began is not None else 0.0
    return max(_given - seconds - gone, 0.1)


def limit(seconds: float) -> None:
    """Have `Late` raised after so many seconds from now; 0 for never."""
    if hasattr(signals, "setitimer"):
        signals.signal(signals.SIGALRM, _raise_late)
        signals.pthread_sigmask(signals.SIG_UNBLOCK, [signals.SIGALRM])  # the parent may have blocked it
        signals.setitimer(signals.ITIMER_REAL, seconds)


def _raise_late(number: int, frame: object) -> None:
    del number, frame
    raise Late("the time of a hook is used up")


def work_longer(seconds: float, event: str) -> None:
    """Give work that takes longer so many seconds from now, and none to be cut short before."""
    limit(0)
    end_after(seconds, event)


def end_after(seconds: float, event: str) -> None:
    """End the process after so many seconds, wherever it is then: inside SQLite no signal is heard."""
    from _thread import allocate_lock, start_new_thread  # noqa: PLC0415 - only where more is done than a quick look

    def watch() -> None:
        time.sleep(seconds)
        start_new_thread(tell, ())  # on its own: the place for notes may be what does not answer
        _say_what_is_left()
        time.sleep(_FOR_A_NOTE)
        if _rescue is not None:
            start_new_thread(put_down, (_rescue,))
            rescued.acquire(timeout=_FOR_A_RESCUE)
        start_new_thread(end_for_certain, ())
        _exit()

    def end_for_certain() -> None:
        # What measures coverage imports as it leaves, and an import may be what the work hangs in.
        time.sleep(_FOR_MEASURING)
        system._exit(0)  # noqa: SLF001

    def tell() -> None:
        from progress_plugin.core.error_log import note  # noqa: PLC0415

        note(event, Late(f"ended after {seconds:.1f} s"))

    def put_down(rescue: "Callable[[], None]") -> None:
        try:
            rescue()
        finally:
            rescued.release()

    rescued = allocate_lock()
    rescued.acquire()
    start_new_thread(watch, ())


def read_input(patience: float = FOR_INPUT) -> bytes:
    """Return what the client says on standard input; nothing where a person started the hook by hand.

    A JSON object is read to its closing brace, anything else to the end of the input, neither for longer than
    `patience`, in seconds: some clients leave the pipe open, and some say nothing at all.
    """
    if system.__name__ != "posix":
        return b"" if system.isatty(0) else sys.stdin.buffer.read()
    pieces: list[bytes] = []
    limit(min(patience, left()))
    try:
        if not system.isatty(0):
            _read_object(pieces)
    except (Late, OSError):
        pass
    limit(left() if _began is not None else 0)
    return b"".join(pieces)


def _read_object(pieces: list[bytes]) -> None:
    """Add to `pieces` what comes, up to the end of the object that it is."""
    end, size = ObjectEnd(), 0
    while size < _MOST:
        try:
            piece = system.read(0, _PIECE)
        except BlockingIOError:
            time.sleep(_PAUSE)  # a pipe that its other end made so
            continue
        if piece:
            pieces.append(piece)
            size += len(piece)
        if not piece or end.reached(piece):
            return


class ObjectEnd:
    """Finds where a JSON object ends that comes in pieces, looking at each byte once."""

    __slots__ = ("carried", "depth", "inside")

    def __init__(self) -> None:
        self.depth = 0
        self.inside = 0
        """Whether the pieces so far end within a string, 0 or 1."""
        self.carried = b""
        """The first half of an escape: it is looked at with the second."""

    def reached(self, piece: bytes) -> bool:
        """Return whether the object ends within this piece."""
        text = self.carried + piece
        whole = len(text) - (len(text) - len(text.rstrip(b"\\"))) % 2
        text, self.carried = text[:whole], text[whole:]
        parts = text.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')
        outside = b"".join(parts[self.inside :: 2])
        self.inside = (self.inside + len(parts) - 1) % 2
        self.depth += outside.count(b"{") - outside.count(b"}")
        return self.depth <= 0 and not self.inside and b"}" in outside
