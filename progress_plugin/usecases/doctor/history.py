"""Check the history of other places: the transcripts of the clients, and the team's server."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib.util import find_spec

from progress_plugin.core.clients import CLIENTS
from progress_plugin.core.paths import user_config
from progress_plugin.core.project import Project
from progress_plugin.log.team_standing import TeamStanding, lost_part, team_standing
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line
from progress_plugin.transcripts.begun_transcripts import begun_transcripts, begun_without_transcript
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.transcripts.transcript_files import claude_folders, claude_transcripts
from progress_plugin.transcripts.transcripts_of_other_projects import passed_over
from progress_plugin.usecases.doctor.findings import Finding, note, ok, wrong
from progress_plugin.usecases.summarizing.last_session import reads_transcripts
from progress_plugin.usecases.summarizing.sources import CONFIG
from progress_plugin.usecases.team.psycopg import PACKAGE, environment_lacks_psycopg
from progress_plugin.usecases.team.team_address import address_of, holds_password
from progress_plugin.usecases.team.team_server import team_url


def check_history(project: Project) -> Iterator[Finding]:
    """Check transcripts and team."""
    yield from check_transcripts(project)
    yield from check_team(project)


def check_transcripts(project: Project) -> Iterator[Finding]:
    """Report which transcripts were read, and which were not understood or not found."""
    area = "transcripts"
    if not reads_transcripts(project):
        remedy = "`agent-progress config set transcripts true`"
        yield note(area, "switched off: no session is shown the last one", remedy)
        return
    records = SessionStore(project).records()
    if records:
        last = records[-1]
        when = last.ended[:16].replace("T", " ")
        number = counted(len(records), "session")
        yield ok(
            area, f"{number} read, the last: {_title(last.client)}, session {last.short}, up to {when} UTC"
        )
    else:
        yield ok(area, "none was read here yet; they are read before compactions and at the end of sessions")
    unreadable = [record.client for record in records if _unreadable_lines(record)]
    unreadable += [record.client for record in records if not record.asked and not record.keys]
    unreadable += _clients_passed_over(project, {record.session for record in records})
    if unreadable:
        number = counted(len(unreadable), "transcript was", "transcripts were")
        yield note(
            area, f"{number} not or only partly understood ({_titles(unreadable)}): empty, or of a new format"
        )
    missing = begun_without_transcript(project)
    if missing:
        number = counted(len(missing), "session that has begun has", "sessions that have begun have")
        place = f" at {missing[0][1]}" if missing[0][1] else ""
        yield note(area, f"{number} no transcript{place} ({_titles(client for client, _ in missing)})")


def _clients_passed_over(project: Project, known: set[str]) -> list[str]:
    """Return the client of each transcript that names no work in this project."""
    files = [file for folder in claude_folders(project) for file in claude_transcripts(folder)]
    files += [file for file in begun_transcripts(project) if os.path.exists(file.path)]
    passed = passed_over(project.root).keys() - known
    return [file.client for file in files if file.session in passed]


def _unreadable_lines(record: SessionRecord) -> int:
    states = (state for state in record.reading.values() if isinstance(state, dict))
    return sum(number for state in states if isinstance(number := state.get("broken"), int))


def _titles(clients: Iterable[str]) -> str:
    return ", ".join(f"{number} of {_title(client)}" for client, number in sorted(Counter(clients).items()))


def _title(client: str) -> str:
    return CLIENTS[client].title if client in CLIENTS else client


def check_team(project: Project) -> Iterator[Finding]:
    """Report the configured server, whether this clone takes part, and whether it syncs; ask no server."""
    area, url, standing = "team", team_url(), team_standing(project)
    if url is None:
        if standing is not None:
            what = f"this clone takes part in {one_line(standing.project)}, and no server is configured"
            remedy = "name it again (`config set --user team.url`), or run `agent-progress team leave`"
            yield note(area, what, remedy)
        return
    if find_spec(PACKAGE) is None or environment_lacks_psycopg():
        yield wrong(area, "psycopg is missing, so nothing syncs", "run `agent-progress setup`")
    if holds_password(url):
        yield _password()
    server, lost = address_of(url).shown(), lost_part(project)
    if lost is not None:
        what, _, remedy = lost.partition(": ")
        yield wrong(area, f"{server}; {what}", remedy)
    elif standing is None:
        yield note(area, f"{server}; this clone takes no part", "`agent-progress sync` has it take part")
    else:
        yield _sync_state(server, standing)


def _sync_state(server: str, standing: TeamStanding) -> Finding:
    place = f"{server}, project {one_line(standing.project)}"
    if standing.fault is not None:
        remedy = "nothing is lost; `agent-progress sync` tries at once and says what it finds"
        return wrong("team", f"{place}: {standing.line()}", remedy)
    waiting = f", {counted(standing.waiting, 'entry')} to be sent" if standing.waiting else ""
    return ok("team", f"{place}, synced {standing.synced or 'never yet'}{waiting}")


def _password() -> Finding:
    """Return the finding that the URL holds a password, which is wrong if others can read the file."""
    folder = user_config()
    path = os.path.join(folder, CONFIG) if folder else ""
    remedy = (
        "put it into ~/.pgpass, a file that PGPASSFILE names, or a service file, and set a URL without it"
    )
    if os.path.isfile(path) and stat.S_IMODE(os.stat(path).st_mode) & 0o077:
        return wrong("team", f"team.url holds a password, and others may read {path}", remedy)
    return note("team", "team.url holds a password", remedy)
