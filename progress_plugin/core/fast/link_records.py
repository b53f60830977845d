"""The links on the way to an input that was not read because of them: what a later start compares.

Only names are looked at, never what they lead to. Like `core.fast.start_hook` it does without `os`.
"""

try:
    import posix as system
except ImportError:
    import nt as system  # type: ignore[import-not-found, no-redef, unused-ignore]

from progress_plugin.core.fast.minimal_os import content_digest

_MOST = 40


def link_digest(root: str, place: str) -> bytes:
    """Return the links on the way to an absolute path as one word, to compare; `root` is the project's."""
    inside = place.startswith(root + "/")
    return content_digest(links_on_path(root, place[len(root) + 1 :]) if inside else links_on_path("", place))


def links_on_path(root: str, path: str) -> bytes:
    """Return every link on the way to `path` with where it points, up to the one that leaves the root.

    Empty where there is no link: what is there now can be read. `path` is relative to `root`.
    """
    passed: list[str] = []
    at, parts = "", path.split("/")
    while parts and len(passed) < _MOST:
        part = parts.pop(0)
        if part in ("", "."):
            continue
        if part == "..":
            if not at:
                break
            at = at.rpartition("/")[0]
            continue
        try:
            target = system.readlink(f"{root}{at}/{part}")
        except (OSError, ValueError):
            at = f"{at}/{part}"
            continue
        passed.append(f"{at}/{part}\0{target}")
        if target.startswith("/"):
            if not f"{target}/".startswith(f"{root}/"):
                break
            at, target = "", target[len(root) :]
        parts = target.split("/") + parts
    return "\0\0".join(passed).encode("utf-8", "surrogateescape")
