"""The log of caught errors: a failing hook prints no error, so `doctor` shows what is in this log."""

import os
import time

from progress_plugin.core.files import append_line
from progress_plugin.core.paths import make_private, user_cache, working_directory

NAME = "swallowed.log"
_MAX_BYTES = 256 * 1024


def log_path() -> str:
    return os.path.join(user_cache(), NAME)


def note(where: str, error: BaseException) -> None:
    """Append one line about an error, with the working directory; do nothing if that is impossible."""
    source, step = "?", error.__traceback__
    while step is not None:
        source, step = f"{os.path.basename(step.tb_frame.f_code.co_filename)}:{step.tb_lineno}", step.tb_next
    text = " ".join(f"{type(error).__name__}: {error}".split())[:500]
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    line = f"{stamp} {where} {source} {text} (in {working_directory()})\n"
    path = log_path()
    try:
        make_private(user_cache())
        if os.path.exists(path) and os.path.getsize(path) > _MAX_BYTES:
            os.replace(path, path + ".old")
        append_line(path, line.encode(errors="backslashreplace"))
    except OSError:
        return
