"""Which files a commit touched, the first fifty as git lists them: what git itself is asked.

Which commit belongs to which entry is decided in `usecases.recording.observe` (`_evidence`).
"""

from __future__ import annotations

from progress_plugin.core.git import git_command

_MOST = 50


def files_of(root: str, commit: str) -> list[str]:
    """Return the paths a commit touched, at most 50; none where git cannot say."""
    asked = [
        "diff-tree",
        "--no-ext-diff",
        "--no-textconv",
        "--no-commit-id",
        "--name-only",
        "-r",
        "--root",
        "-z",
    ]
    told = git_command.output_of(root, [*asked, commit]) or b""
    names = told.decode("utf-8", "replace").split("\0")
    return [name for name in names if name][:_MOST]
