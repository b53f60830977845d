"""Check the history of other places: the transcripts of the clients, and the team's server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec

from progress_plugin.core.clients import CLIENTS
from progress_plugin.core.project import Project
from progress_plugin.log.team_standing import lost_part, team_standing
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.usecases.doctor.findings import Finding, note, ok, wrong
from progress_plugin.usecases.summarizing.last_session import reads_transcripts
from progress_plugin.usecases.team.psycopg import PACKAGE, environment_lacks_psycopg
from progress_plugin.usecases.team.team_address import address_of, holds_password
from progress_plugin.usecases.team.team_server import team_url


def check_transcripts(project: Project) -> Iterator[Finding]:
    """Report which transcripts were read, and which were not understood."""
    area = "transcripts"
    if not reads_transcripts(project):
        remedy = "`agent-progress config set transcripts true`"
        yield note(area, "switched off: no session is shown the last one", remedy)
        return
    records = SessionStore(project).records()
    if not records:
        yield ok(area, "none was read here yet; they are read before compactions and at the end of sessions")
        return
    last, sessions = records[-1], counted(len(records), "session")
    place = f"{_title(last.client)}, session {last.short}, up to {last.ended[:16].replace('T', ' ')} UTC"
    yield ok(area, f"{sessions} read, the last: {place}")
    if faulty := Counter(_title(record.client) for record in records if not _is_understood(record)):
        number = counted(faulty.total(), "transcript was", "transcripts were")
        clients = ", ".join(f"{count} of {title}" for title, count in sorted(faulty.items()))
        yield note(area, f"{number} not or only partly understood ({clients}): empty, or of a new format")


def _is_understood(record: SessionRecord) -> bool:
    has_content = bool(record.asked or record.keys)
    return has_content and not any(
        isinstance(state, dict) and state.get("broken") for state in record.reading.values()
    )


def _title(client: str) -> str:
    return CLIENTS[client].title if client in CLIENTS else client


def check_team(project: Project) -> Iterator[Finding]:
    """Report the configured server, whether this clone takes part, and whether it syncs; ask no server."""
    url, standing = team_url(), team_standing(project)
    if url is not None:
        if find_spec(PACKAGE) is None or environment_lacks_psycopg():
            yield wrong("team", "psycopg is missing, so nothing syncs", "run `agent-progress setup`")
        if holds_password(url):
            remedy = "put it into ~/.pgpass, a file that PGPASSFILE names, or a service file"
            yield note("team", "team.url holds a password", remedy)
        yield _check_standing(project, address_of(url).shown())
    elif standing is not None:
        what = f"this clone takes part in {one_line(standing.project)}, and no server is configured"
        remedy = "name it again (`config set --user team.url`), or run `agent-progress team leave`"
        yield note("team", what, remedy)


def _check_standing(project: Project, server: str) -> Finding:
    lost, standing = lost_part(project), team_standing(project)
    if lost is not None:
        what, _, remedy = lost.partition(": ")
        return wrong("team", f"{server}; {what}", remedy)
    if standing is None:
        what = f"{server}; this clone takes no part"
        return note("team", what, "`agent-progress sync` has it take part")
    place = f"{server}, project {one_line(standing.project)}"
    if standing.fault is not None:
        remedy = "nothing is lost; `agent-progress sync` tries at once and says what it finds"
        return wrong("team", f"{place}: {standing.line()}", remedy)
    waiting = f", {counted(standing.waiting, 'entry')} to be sent" if standing.waiting else ""
    return ok("team", f"{place}, synced {standing.synced or 'never yet'}{waiting}")
