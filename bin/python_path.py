"""Print the real path of the Python that runs this, if it is new enough; any Python can read this file.

It is the probe of `agent-progress.cmd`.
"""

import os
import sys

if sys.version_info >= (3, 11):
    print(os.path.realpath(getattr(sys, "_base_executable", sys.executable)))
