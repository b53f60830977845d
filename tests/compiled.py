"""Where processes of the tests keep compiled modules and patterns: one place per worker, as the launcher gives a user one.

Without one each process looks for 200 files and compiles 150 patterns anew, which takes longer than its work.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

_NAME = "PYTHONPYCACHEPREFIX"


def _made() -> str:
    place = tempfile.mkdtemp(prefix="agent-progress-compiled-")
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    return place


PLACE = os.environ.get(_NAME) or _made()
VARIABLES = {_NAME: PLACE}
"""For processes that hear of variables."""
FLAGS = ("-X", f"pycache_prefix={PLACE}")
"""For those that do not, being isolated."""


def lend_to(home: Path) -> None:
    """Have a home find it where the launcher, and `doctor`, keep a user's: as if the home had been used before."""
    kept = home / ".cache" / "agent-progress" / "pycache"
    kept.parent.mkdir(parents=True)
    kept.symlink_to(PLACE)
