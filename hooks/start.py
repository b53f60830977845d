"""Entry point of SessionStart: standard input -> one call -> standard output -> exit 0."""

import sys


def work():
    """Answer from the cache; where more is needed make the summary anew."""
    from progress_plugin.core.fast.start_hook import answer_start

    rest = answer_start(sys.argv[1:])
    if rest is not None:
        from progress_plugin.core.caches import import_caches
        from progress_plugin.core.fast import hook_process

        hook_process.end_after(hook_process.left() + hook_process.AT_LAST, "SessionStart")
        import_caches.begin()
        from progress_plugin.usecases.starting.start import start_slowly

        start_slowly(*rest)
        import_caches.end()


if sys.version_info >= (3, 11):
    sys.path.insert(0, __file__.rpartition("hooks")[0] or ".")
    from progress_plugin.core.fast.hook_process import run

    run("SessionStart", work)
