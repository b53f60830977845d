"""The tables of the team's server, by numbered migrations, in a schema of their own.

A step is one script, run in one transaction with the number that it leads to. It is never changed once it was
released: what comes later is another step.

Entries are facts: members of `agent_progress_writer` may read and add them, nobody of ours may change or
delete one. One trigger keeps a writer's numbers without gaps, so that whoever sees a number knows that
all below it can be seen as well: a sequence gives out numbers that become visible in another order. Another
one keeps the owner from changing by mistake what no role may.
"""

from progress_plugin.team.writer_rights import RIGHTS_BEFORE_ROWS, WRITER_RIGHTS

SCHEMA = "agent_progress"
WRITER_ROLE = "agent_progress_writer"
ERASER_ROLE = "agent_progress_eraser"

_FIRST = """
create table agent_progress.migrations (
    number integer primary key,
    applied timestamptz not null default now()
);
create table agent_progress.server (
    is_only boolean primary key default true check (is_only),
    id uuid not null default gen_random_uuid()
);
insert into agent_progress.server default values;

create table agent_progress.entries (
    project text collate "C" not null check (length(project) between 1 and 400),
    writer text collate "C" not null check (writer ~ '^[0-9a-z]([0-9a-z-]{0,58}[0-9a-z])?$'),
    number bigint not null check (number > 0),
    id text collate "C" not null check (octet_length(id) between 1 and 120),
    body jsonb check (octet_length(body::text) <= 1048576),
    arrived timestamptz not null default now(),
    primary key (project, id),
    unique (project, writer, number)
);
create table agent_progress.tombstones (
    project text collate "C" not null,
    digest text collate "C" not null check (digest ~ '^[0-9a-f]{32}$'),
    arrived timestamptz not null default now(),
    primary key (project, digest)
);
create table agent_progress.claims (
    project text collate "C" not null,
    key text collate "C" not null,
    story text not null check (length(story) between 1 and 200),
    writer text collate "C" not null check (writer ~ '^[0-9a-z]([0-9a-z-]{0,58}[0-9a-z])?$'),
    session text not null,
    since timestamptz not null,
    until timestamptz not null,
    check (isfinite(since) and isfinite(until) and until <= since + interval '366 days'),
    primary key (project, key)
);

create function agent_progress.refuse_gap() returns trigger language plpgsql as $body$
begin
    if new.number > 1 and not exists (
        select from agent_progress.entries
        where project = new.project and writer = new.writer and number = new.number - 1
    ) then
        raise exception 'entry % of writer % leaves a gap', new.number, new.writer using errcode = '23514';
    end if;
    return new;
end $body$;
create trigger refuse_gap before insert on agent_progress.entries
    for each row execute function agent_progress.refuse_gap();

create function agent_progress.refuse_change() returns trigger language plpgsql as $body$
begin
    if tg_op = 'UPDATE' and new.body is null
        and (new.project, new.writer, new.number, new.id, new.arrived)
            = (old.project, old.writer, old.number, old.id, old.arrived) then
        return new;
    end if;
    raise exception 'an entry is never changed or deleted, only its body may be blanked'
        using errcode = '42501';
end $body$;
create trigger refuse_change before update or delete on agent_progress.entries
    for each row execute function agent_progress.refuse_change();

do $body$
begin
    if not exists (select from pg_roles where rolname = 'agent_progress_writer') then
        create role agent_progress_writer nologin;
    end if;
    if not exists (select from pg_roles where rolname = 'agent_progress_eraser') then
        create role agent_progress_eraser nologin;
    end if;
end $body$;
revoke all on schema agent_progress from public;
revoke all on all tables in schema agent_progress from public;
grant usage on schema agent_progress to agent_progress_writer, agent_progress_eraser;
grant select on all tables in schema agent_progress to agent_progress_writer, agent_progress_eraser;
grant insert on agent_progress.entries, agent_progress.tombstones to agent_progress_writer;
grant insert, update, delete on agent_progress.claims to agent_progress_writer;
grant update (body) on agent_progress.entries to agent_progress_eraser;
"""

_MEMORY = """
create table agent_progress.observations (
    project text collate "C" not null check (length(project) between 1 and 400),
    writer text collate "C" not null check (writer ~ '^[0-9a-z]([0-9a-z-]{0,58}[0-9a-z])?$'),
    number bigint not null check (number > 0),
    id text collate "C" not null check (id ~ '^(obs|gone)-[0-9a-f]{32}$'),
    body text check (octet_length(body) <= 8388608),
    arrived timestamptz not null default now(),
    primary key (project, id),
    unique (project, writer, number)
);
create table agent_progress.documents (
    project text collate "C" not null check (length(project) between 1 and 400),
    key text collate "C" not null check (octet_length(key) <= 400),
    revision bigint not null check (revision > 0),
    writer text collate "C" not null check (writer ~ '^[0-9a-z]([0-9a-z-]{0,58}[0-9a-z])?$'),
    body text check (octet_length(body) <= 8388608),
    arrived timestamptz not null default now(),
    primary key (project, key, revision)
);

create function agent_progress.refuse_gap_of_observations() returns trigger language plpgsql as $body$
begin
    if new.number > 1 and not exists (
        select from agent_progress.observations
        where project = new.project and writer = new.writer and number = new.number - 1
    ) then
        raise exception 'observation % of writer % leaves a gap', new.number, new.writer
            using errcode = '23514';
    end if;
    return new;
end $body$;
create trigger refuse_gap before insert on agent_progress.observations
    for each row execute function agent_progress.refuse_gap_of_observations();
create trigger refuse_change before update or delete on agent_progress.observations
    for each row execute function agent_progress.refuse_change();

create function agent_progress.refuse_gap_of_documents() returns trigger language plpgsql as $body$
begin
    if new.revision > 1 and not exists (
        select from agent_progress.documents
        where project = new.project and key = new.key and revision = new.revision - 1
    ) then
        raise exception 'revision % of a document leaves a gap', new.revision using errcode = '23514';
    end if;
    return new;
end $body$;
create trigger refuse_gap before insert on agent_progress.documents
    for each row execute function agent_progress.refuse_gap_of_documents();

create function agent_progress.refuse_change_of_documents() returns trigger language plpgsql as $body$
begin
    if tg_op = 'UPDATE' and new.body is null
        and (new.project, new.key, new.revision, new.writer, new.arrived)
            = (old.project, old.key, old.revision, old.writer, old.arrived) then
        return new;
    end if;
    raise exception 'a revision is never changed or deleted, only its body may be blanked'
        using errcode = '42501';
end $body$;
create trigger refuse_change before update or delete on agent_progress.documents
    for each row execute function agent_progress.refuse_change_of_documents();

grant select on agent_progress.observations, agent_progress.documents
    to agent_progress_writer, agent_progress_eraser;
grant insert on agent_progress.observations, agent_progress.documents to agent_progress_writer;
grant update (body) on agent_progress.observations, agent_progress.documents to agent_progress_eraser;
"""
"""Progress documents by revision, observations and their ends by writer and number.

Their texts are JSON of ASCII characters: PostgreSQL's own types change numbers, and hold neither NUL nor half
a character.
"""

_ONE_ID_OF_SEVERAL = """
alter table agent_progress.entries
    drop constraint entries_pkey,
    drop constraint entries_project_writer_number_key,
    add primary key (project, writer, number),
    add unique (project, id, writer);
"""
"""A row under the id of somebody's entry keeps that entry away from nobody: each writer has its own."""

_NUMBERED_TOMBSTONES = """
alter table agent_progress.tombstones rename column digest to id;
alter table agent_progress.tombstones
    rename constraint tombstones_digest_check to tombstones_id_check;
alter table agent_progress.tombstones
    add column writer text collate "C" check (writer ~ '^[0-9a-z]([0-9a-z-]{0,58}[0-9a-z])?$'),
    add column number bigint check (number > 0),
    add column body text check (body is null);
update agent_progress.tombstones as old set writer = 'unknown', number = found.number
from (
    select project, id, row_number() over (partition by project order by arrived, id) as number
    from agent_progress.tombstones
) as found
where old.project = found.project and old.id = found.id;
insert into agent_progress.writers (project, writer, owner)
    select distinct project, writer, '' from agent_progress.tombstones;
alter table agent_progress.tombstones
    alter column writer set not null,
    alter column number set not null,
    drop constraint tombstones_pkey,
    add primary key (project, writer, number),
    add unique (project, id, writer);
create trigger refuse_gaps after insert on agent_progress.tombstones
    referencing new table as added for each statement execute function agent_progress.refuse_gaps();
create trigger take_names after insert on agent_progress.tombstones
    referencing new table as added for each statement execute function agent_progress.take_names();
create trigger refuse_change before update or delete on agent_progress.tombstones
    for each row execute function agent_progress.refuse_change();
revoke insert on agent_progress.tombstones from agent_progress_writer;
grant insert (project, writer, number, id, body) on agent_progress.tombstones to agent_progress_writer;
"""
"""Erased entries by writer and number: a sync reads what is new of them, and says by whom it is."""

STEPS: tuple[str, ...] = (
    _FIRST,
    _MEMORY,
    _ONE_ID_OF_SEVERAL,
    WRITER_RIGHTS,
    _NUMBERED_TOMBSTONES,
    RIGHTS_BEFORE_ROWS,
)
"""From each number to the next one."""
_BEGIN = f"create schema if not exists {SCHEMA};\n"


def version() -> int:
    """Return the number of the schema that this version reads and writes."""
    return len(STEPS)


def step(number: int) -> str:
    """Return the script that leads to a number from the one before."""
    begin = _BEGIN if number == 1 else ""
    return (
        f"{begin}{STEPS[number - 1].strip()}\ninsert into {SCHEMA}.migrations (number) values ({number});\n"
    )


def script() -> str:
    """Return all of it, for whoever applies it by hand: each step is taken where the database lacks it."""
    guarded = "\n".join(_guarded(number) for number in range(1, version() + 1))
    return f"begin;\n{guarded}commit;\n"


def _guarded(number: int) -> str:
    """Return a step that does nothing where the database has it: a server may have any number of them.

    The table of the numbers may not be there yet, so what asks it is a text that runs only if it is.
    """
    mark = f"$step_{number}$"
    return (
        f"do {mark}\ndeclare found integer := 0;\nbegin\n"
        f"if to_regclass('{SCHEMA}.migrations') is not null then\n"
        f"    execute 'select coalesce(max(number), 0) from {SCHEMA}.migrations' into found;\n"
        f"end if;\nif found < {number} then\n"
        f"execute $script_{number}$\n{step(number)}$script_{number}$;\nend if;\n"
        f"end {mark};\n"
    )
