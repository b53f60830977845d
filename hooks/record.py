"""Entry point of every other event: standard input -> one call -> exit 0; only the gate prints, at Stop."""

import sys

if sys.version_info >= (3, 11):
    root = __file__.rpartition("hooks")[0]
    sys.path.insert(0, root + "progress_plugin/core/fast")
    sys.dont_write_bytecode = True
    import kept_modules
    import whole_bytecode  # noqa: F401

    sys.path[0] = root or "."
    kept = kept_modules.recall(root, "record")
    from progress_plugin.record_entry import main

    main(kept)
