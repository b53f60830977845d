"""Entry point of the MCP server: answers at once what a client waits for, then hands over to the SDK."""

import sys

if sys.version_info >= (3, 11):
    root = __file__.rpartition("hooks")[0]
    sys.path.insert(0, root or ".")
    from progress_plugin.core.fast.mcp_handshake import run
    from progress_plugin.sdk_loader import Packages

    run(Packages())
