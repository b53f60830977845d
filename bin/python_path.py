"""Print the real path of the Python that runs this, if it is new enough; any Python can read this file.

It is the probe of `agent-progress.cmd`. Which Pythons are asked, and in which order, is decided there
(`:try_python`) and in `agent-progress` (`search_path`, `probe`).
"""

import os
import sys

if sys.version_info >= (3, 11):
    print(os.path.realpath(getattr(sys, "_base_executable", sys.executable)))
