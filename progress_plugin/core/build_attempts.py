"""What became of earlier attempts to build the environment: how long to leave it alone (S16.5)."""

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

    def read(self) -> tuple[int, float, str]:
        """Return (failures, time of the last one, its reason); (0, 0.0, "") where there was none."""
        try:
            told = (read_regular(self._path) or b"")[:2000].decode("utf-8", "replace")
            count, when, reason = told.split(" ", 2)
            return int(count), float(when), reason.strip()
        except ValueError:
            return 0, 0.0, ""

    def too_soon(self, now: float) -> bool:
        """Tell whether to wait: an hour after the first failure, a day after each further one.

        A failure that lies in the future (the clock was set back) counts for nothing.
        """
        count, when, _ = self.read()
        return count > 0 and 0 <= now - when < (_HOUR if count == 1 else _DAY)

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
        try:
            os.unlink(self._path)
        except OSError:
            return
