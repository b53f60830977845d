"""Where Claude Code's settings start our hooks: once is right, twice records and shows everything twice.

In which clients the plugin is registered is asked in `usecases.registration.registrars`.
"""

import json
import os
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from progress_plugin.core.clients import CLAUDE_CONFIG_DIR
from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import LeadsOutside, read_inside
from progress_plugin.text.bounds import counted
from progress_plugin.usecases.doctor.finding import Finding, note, ok, wrong

_AREA = "hooks"
_PLUGIN = "progress"
_FILES = ("settings.json", "settings.local.json")


class _Settings(NamedTuple):
    path: str
    value: dict[str, Any]


def look_at_registration(root: str | None) -> Iterator[Finding]:
    """Look at Claude Code's settings of the user, and of the project at `root`."""
    settings: list[_Settings] = []
    for path, inside in _paths(root):
        try:
            data = read_inside(inside, path)
            value = None if data is None else json.loads(data)
        except LeadsOutside as error:
            yield note(_AREA, str(error))
            continue
        except (BadInput, ValueError, RecursionError) as error:
            yield wrong(_AREA, f"{path} cannot be read: {error}", "mend it; the client ignores all of it")
            continue
        if isinstance(value, dict):
            settings.append(_Settings(path, value))
    yield from _judged(settings)


def _judged(settings: list[_Settings]) -> Iterator[Finding]:
    for path, value in settings:
        if value.get("disableAllHooks") is True:
            yield wrong(_AREA, f"{path} switches all hooks off", "remove disableAllHooks from it")
    plugins = sorted({name for each in settings for name in _plugins(each.value)})
    by_hand = [(event, each.path) for each in settings for event in _events(each.value)]
    twice = sorted(event for event, number in Counter(event for event, _ in by_hand).items() if number > 1)
    if len(plugins) > 1:
        yield wrong(_AREA, f"the plugin is enabled {counted(len(plugins), 'time')}: {', '.join(plugins)}",
                    "disable all but one: `claude plugin disable NAME`")  # fmt: skip
    if plugins and by_hand:
        paths = ", ".join(sorted({path for _, path in by_hand}))
        yield wrong(
            _AREA, f"the plugin {plugins[0]} and {paths} both start them", f"remove ours from {paths}"
        )
    elif twice:
        yield wrong(_AREA, f"started more than once for {', '.join(twice)}", "keep one entry for each event")
    elif plugins:
        yield ok(_AREA, f"the plugin {plugins[0]} is enabled in Claude Code")
    elif by_hand:
        yield ok(_AREA, f"started by {by_hand[0][1]}")
    else:
        yield note(
            _AREA,
            "no settings of Claude Code name the plugin",
            "`agent-progress install claude` registers it; fine with --plugin-dir or another client",
        )


def _paths(root: str | None) -> list[tuple[str, str | None]]:
    """Return the files, each with the root it must lie in; the user's own may be links to anywhere."""
    home = os.environ.get(CLAUDE_CONFIG_DIR) or os.path.expanduser("~/.claude")
    users = {os.path.realpath(os.path.join(home, name)) for name in _FILES}
    projects = [os.path.join(root, ".claude", name) for name in _FILES] if root else []
    return [
        *((path, None) for path in sorted(users)),
        *((path, root) for path in projects if os.path.realpath(path) not in users),
    ]


def _plugins(value: dict[str, Any]) -> list[str]:
    enabled = value.get("enabledPlugins")
    if not isinstance(enabled, dict):
        return []
    return [name for name, on in enabled.items() if on is True and name.partition("@")[0] == _PLUGIN]


def _events(value: dict[str, Any]) -> Iterator[str]:
    """Yield the event of each hook that starts ours: one per entry with the same matcher and condition."""
    hooks = value.get("hooks")
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            entries = group.get("hooks") if isinstance(group, dict) else None
            commands = [each for each in entries or () if isinstance(each, dict) and _is_ours(each)]
            for entry in commands:
                condition = entry.get("if") or group.get("matcher") or ""
                yield f"{event}({condition})" if condition else str(event)


def _is_ours(entry: dict[str, Any]) -> bool:
    words = [str(entry.get("command", "")), *map(str, entry.get("args") or ())]
    return "agent-progress" in " ".join(words) and "hook" in " ".join(words)
