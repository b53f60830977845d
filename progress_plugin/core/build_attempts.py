"""What became of earlier attempts to build the environment: how long to leave it alone (S16.5)."""

import contextlib
import os

from progress_plugin.core import environment
from progress_plugin.core.fresh_start import read_regular

_HOUR = 3600.0
_DAY = 24 * _HOUR


class Attempts:
    """The failures for one environment since it last stood: how many, when the last one was, and why.

    Times are seconds since the epoch. A new lock file or another Python starts from zero.
    """

    def __init__(self, home: str) -> None:
        self._path = os.path.join(home, f"{environment.identity()}.failed")
        self._told = os.path.join(home, f"{environment.identity()}.told")

    def read(self) -> tuple[int, float, str]:
        """Return (failures, time of the last one, its reason); (0, 0.0, "") where there was none."""
        try:
            told = (read_regular(self._path) or b"")[:2000].decode("utf-8", "replace")
            count, when, reason = told.split(" ", 2)
            return int(count), float(when), reason.strip()
        except ValueError:
            return 0, 0.0, ""

    def too_soon(self, now: float) -> bool:
        """Tell whether to leave it alone for now."""
        return self.waits_until(now) is not None

    def waits_until(self, now: float) -> float | None:
        """Return when to try again, None for now: an hour after the first failure, then a day after each.

        A failure that lies in the future (the clock was set back) counts for nothing.
        """
        count, when, _ = self.read()
        until = when + (_HOUR if count == 1 else _DAY)
        return until if count > 0 and when <= now < until else None

    def tells_first_today(self, now: float) -> bool:
        """Tell whether the user has not been told of the failure on this day, and note it as told."""
        today = str(int(now // _DAY))
        if (
            not self.read()[0]
            or (read_regular(self._told) or b"").decode("utf-8", "replace").strip() == today
        ):
            return False
        with contextlib.suppress(OSError), open(self._told, "w", encoding="utf-8") as file:
            file.write(f"{today}\n")
        return True

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
        """Start from zero: it stands now."""
        for path in (self._path, self._told):
            with contextlib.suppress(OSError):
                os.unlink(path)
