"""The installed package: in a wheel it stands in front of the plugin directory, which holds the modules.

Coding agents want one directory with manifests, hooks and code. It is `plugin/` beside this file, laid out as
the repository is, so that nothing in it need know whether it was installed or checked out.
"""

import os

__path__ = [os.path.join(os.path.dirname(__file__), "plugin", "progress_plugin")]
