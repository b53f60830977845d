"""What became of earlier attempts to build the environment: how long to leave it alone.

A session start without packages asks for it, so it does without `os`.

Who asks, and starts a build: `usecases.setup` (`start_in_background`).
"""

try:
    import posix as system
except ImportError:
    import nt as system  # type: ignore[import-not-found, no-redef, unused-ignore]

from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.fast.minimal_os import read_regular, user_data_directory, user_directory, value_of
from progress_plugin.core.version import environment_name

_HOUR = 3600.0
_DAY = 24 * _HOUR


class Attempts:
    """The failures for one environment since it was last usable: how many, when the last one was, and why.

    Times are seconds since the epoch. A new lock file or another Python starts from zero. Without a
    name they are those for the environment of this plugin and this Python.
    """

    def __init__(self, home: str, name: str | None = None) -> None:
        self._path = f"{home}/{name or environment_name()}.failed"
        self._told = f"{home}/{name or environment_name()}.told"

    def read(self) -> tuple[int, float, str]:
        """Return (failures, time of the last one, its reason); (0, 0.0, "") where there was none."""
        try:
            told = (read_regular(self._path) or b"")[:2000].decode("utf-8", "replace")
            count, when, reason = told.split(" ", 2)
            return int(count), float(when), reason.strip()
        except ValueError:
            return 0, 0.0, ""

    def too_soon(self, now: float) -> bool:
        """Return whether to leave it alone for now."""
        return self.waits_until(now) is not None

    def waits_until(self, now: float) -> float | None:
        """Return when to try again, None for now: an hour after the first failure, then a day after each.

        A failure that lies in the future (the clock was set back) counts for nothing.
        """
        count, when, _ = self.read()
        until = when + (_HOUR if count == 1 else _DAY)
        return until if count > 0 and when <= now < until else None

    def was_announced(self, now: float) -> bool:
        """Return whether the user has been told of the failure on this day."""
        return (read_regular(self._told) or b"").strip() == _day(now)

    def tell(self, now: float) -> None:
        """Note that the user was told; where that cannot be written, the next start says it again."""
        try:
            with open(self._told, "wb") as file:
                file.write(_day(now))
        except OSError:
            return

    def failed(self, now: float, reason: str) -> None:
        """Count one more failure; where that cannot be written, the next start just tries again."""
        count, _, _ = self.read()
        line = f"{count + 1} {now} {' '.join(reason.split())}\n"
        try:
            with open(self._path, "w", encoding="utf-8") as file:
                file.write(line)
        except OSError:
            return

    def forget(self) -> None:
        """Start from zero: the environment is built now."""
        for path in (self._path, self._told):
            try:
                system.unlink(path)
            except OSError:
                continue


def nothing_to_announce(now: float) -> bool:
    """Return whether a start without packages has neither a build to begin nor a word to say about it.

    That is where the user forbade it, and where it failed a while ago and the user knows, also of packages
    that have gone from where they were.
    """
    are_lost = bool(value_of("AGENT_PROGRESS_SITE"))
    if not are_lost and value_of("AGENT_PROGRESS_NO_INSTALL") not in {"", "0"}:
        return True
    try:
        found = [attempts for home in _homes() if (attempts := Attempts(home)).too_soon(now) or are_lost]
    except AgentProgressError:
        return False
    return any(attempts.was_announced(now) for attempts in found)


def _homes() -> list[str]:
    """Return the directories of `environment.homes`, but for Windows, where every start takes its time."""
    places = (
        user_data_directory(),
        user_directory("XDG_CACHE_HOME", ".cache", "Library/Caches"),
    )
    return [f"{place}/env" for place in places if place]


def _day(now: float) -> bytes:
    return b"%d" % (now // _DAY)
