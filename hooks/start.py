"""Entry point of SessionStart: standard input -> one call -> standard output -> exit 0."""

import sys

if sys.version_info >= (3, 11):
    root = __file__.rpartition("hooks")[0]
    sys.path.insert(0, root or ".")
    from progress_plugin.start_entry import main

    main()
