"""Whether the history reaches the team's server, as far as this clone knows; no server is asked."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from progress_plugin.core.packages import team_packages
from progress_plugin.core.paths import user_config
from progress_plugin.core.project import Project
from progress_plugin.log.team_standing import TeamStanding, lost_part, team_standing
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.doctor.finding import Finding, note, ok, wrong
from progress_plugin.usecases.summarizing.sources import CONFIG
from progress_plugin.usecases.team.team_address import address_of, holds_password
from progress_plugin.usecases.team.team_server import team_url
from progress_plugin.usecases.team_setup import last_failure

_AREA = "team"


def look_at_team(project: Project) -> Iterator[Finding]:
    """Say which server is configured, whether this clone takes part, and whether syncs succeed."""
    url, standing = team_url(), team_standing(project)
    if url is None:
        if standing is not None:
            yield note(
                _AREA,
                f"this clone takes part in {one_line(standing.project)}, and no server is configured",
                "name it again (`config set --user team.url`), or run `agent-progress team leave`",
            )
        return
    yield from _packages()
    if holds_password(url):
        yield _password()
    server = address_of(url).shown()
    lost = lost_part(project)
    if lost is not None:
        what, _, remedy = lost.partition(": ")
        yield wrong(_AREA, f"{server}; {what}", remedy)
    elif standing is None:
        yield note(_AREA, f"{server}; this clone takes no part", "`agent-progress sync` has it take part")
    else:
        yield _standing(server, standing)


def _password() -> Finding:
    """Return that the URL holds a password; it is wrong where others may read the file."""
    folder = user_config()
    path = os.path.join(folder, CONFIG) if folder else ""
    remedy = (
        "put it into ~/.pgpass, a file that PGPASSFILE names, or a service file, and set a URL without it"
    )
    if os.path.isfile(path) and stat.S_IMODE(os.stat(path).st_mode) & 0o077:
        return wrong(_AREA, f"team.url holds a password, and others may read {path}", remedy)
    return note(_AREA, "team.url holds a password", remedy)


def _packages() -> Iterator[Finding]:
    lacking = ", ".join(each.python for each in team_packages.lacking())
    if lacking:
        reason = last_failure()
        why = f" ({one_line(reason)})" if reason else ""
        what = f"psycopg is missing for {lacking}{why}, so nothing syncs by that"
        yield wrong(_AREA, what, "run `agent-progress setup`")


def _standing(server: str, standing: TeamStanding) -> Finding:
    where = f"{server}, project {one_line(standing.project)}"
    if standing.fault is not None:
        return wrong(
            _AREA,
            f"{where}: {standing.line()}",
            "nothing is lost; `agent-progress sync` tries at once and says what it finds",
        )
    waits = f", {counted(standing.waiting, 'entry')} to be sent" if standing.waiting else ""
    return ok(_AREA, f"{where}, synced {standing.synced or 'never yet'}{waits}")
