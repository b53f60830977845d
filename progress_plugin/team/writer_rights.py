"""Whose a writer's name is on the server, and that rows are what they claim to be.

Whoever logs in under a name of their own writes in no other's name. A role that owns the tables, or is a
superuser, is bound by none of this: it restores dumps, and could lift it all anyhow.
"""

from typing import TYPE_CHECKING

from progress_plugin.team import answers

if TYPE_CHECKING:
    from progress_plugin.team.connection import Connection

OF_ANOTHER_ROLE = "AP001"
"""SQLSTATE of what is written in the name of another role's writer."""
TOO_MANY_NAMES = "AP002"
"""SQLSTATE of what is written in one more name than a role may give."""
NAMES_A_DAY = 500
"""Names of writers that a role may take in one project within a day: every sync looks at each of them."""

WRITER_RIGHTS = f"""
create table agent_progress.writers (
    project text collate "C" not null check (length(project) between 1 and 400),
    writer text collate "C" not null check (writer ~ '^[0-9a-z]([0-9a-z-]{{0,58}}[0-9a-z])?$'),
    owner text collate "C" not null,
    since timestamptz not null default now(),
    primary key (project, writer)
);
grant select on agent_progress.writers to agent_progress_writer, agent_progress_eraser;

create function agent_progress.is_bound() returns boolean
language sql stable security definer set search_path = pg_catalog as $body$
    select not pg_has_role(session_user, relowner, 'MEMBER')
    from pg_class where oid = 'agent_progress.entries'::regclass
$body$;

create function agent_progress.take_name(of_project text, name text) returns void
language plpgsql security definer set search_path = pg_catalog as $body$
declare
    found text;
begin
    if not agent_progress.is_bound() then
        return;
    end if;
    select owner into found from agent_progress.writers where project = of_project and writer = name;
    if found is null then
        insert into agent_progress.writers (project, writer, owner)
            values (of_project, name, session_user) on conflict do nothing;
        select owner into found from agent_progress.writers where project = of_project and writer = name;
    end if;
    if found <> session_user then
        raise exception 'the writer % belongs to another role', name using errcode = '{OF_ANOTHER_ROLE}';
    end if;
end $body$;

create function agent_progress.take_names() returns trigger
language plpgsql security definer set search_path = pg_catalog as $body$
begin
    perform agent_progress.take_name(each.project, each.writer)
        from (select distinct project, writer from added) as each;
    return null;
end $body$;
create trigger take_names after insert on agent_progress.entries
    referencing new table as added for each statement execute function agent_progress.take_names();
create trigger take_names after insert on agent_progress.observations
    referencing new table as added for each statement execute function agent_progress.take_names();
create trigger take_names after insert on agent_progress.documents
    referencing new table as added for each statement execute function agent_progress.take_names();

create function agent_progress.refuse_claim_of_another() returns trigger
language plpgsql security definer set search_path = pg_catalog as $body$
begin
    if not agent_progress.is_bound() then
        return case tg_op when 'DELETE' then old else new end;
    end if;
    if tg_op <> 'INSERT' and old.since <= now() and old.until > now() then
        perform agent_progress.take_name(old.project, old.writer);
    end if;
    if tg_op = 'DELETE' then
        return old;
    end if;
    perform agent_progress.take_name(new.project, new.writer);
    if tg_op = 'INSERT' or new.since <> old.since then
        new.since := now();
    end if;
    return new;
end $body$;
create trigger refuse_claim_of_another before insert or update or delete on agent_progress.claims
    for each row execute function agent_progress.refuse_claim_of_another();

create function agent_progress.refuse_empty() returns trigger
language plpgsql security definer set search_path = pg_catalog as $body$
begin
    if agent_progress.is_bound() then
        raise exception 'a row without a body' using errcode = '23514';
    end if;
    return new;
end $body$;
create trigger refuse_empty before insert on agent_progress.entries
    for each row when (new.body is null) execute function agent_progress.refuse_empty();
create trigger refuse_empty before insert on agent_progress.documents
    for each row when (new.body is null) execute function agent_progress.refuse_empty();

alter table agent_progress.entries add constraint body_is_the_entry check (body is null or coalesce(
    body ->> 'id' = id and jsonb_typeof(body -> 'type') = 'string'
        and jsonb_typeof(body -> 'timestamp') = 'string' and length(body ->> 'timestamp') <= 64
        and coalesce(jsonb_typeof(body -> 'data'), 'object') = 'object'
        and not jsonb_path_exists(body, 'strict $.** ? (@ > 1.797e308 || @ < -1.797e308)', silent => true)
    or jsonb_typeof(body -> 'wrapped') = 'string' and body - 'wrapped' = '{{}}',
    false
)) not valid;
create function agent_progress.refuse_gaps() returns trigger language plpgsql as $body$
declare
    found text;
begin
    execute format(
        'select writer from (select project, writer, min(number) as low, max(number) as high, count(*) as rows
            from added group by project, writer) as part
        where high - low + 1 <> rows or (low > 1 and not exists (
            select from agent_progress.%I as before
            where before.project = part.project and before.writer = part.writer and before.number = low - 1))
        limit 1', tg_table_name) into found;
    if found is not null then
        raise exception 'a number of writer % leaves a gap', found using errcode = '23514';
    end if;
    return null;
end $body$;
drop trigger refuse_gap on agent_progress.entries;
drop trigger refuse_gap on agent_progress.observations;
drop function agent_progress.refuse_gap();
drop function agent_progress.refuse_gap_of_observations();
create trigger refuse_gaps after insert on agent_progress.entries
    referencing new table as added for each statement execute function agent_progress.refuse_gaps();
create trigger refuse_gaps after insert on agent_progress.observations
    referencing new table as added for each statement execute function agent_progress.refuse_gaps();

revoke execute on all functions in schema agent_progress from public;
grant execute on function agent_progress.is_bound(), agent_progress.take_name(text, text)
    to agent_progress_writer;
revoke insert on agent_progress.entries, agent_progress.observations, agent_progress.documents
    from agent_progress_writer;
grant insert (project, writer, number, id, body) on agent_progress.entries, agent_progress.observations
    to agent_progress_writer;
grant insert (project, key, revision, writer, body) on agent_progress.documents to agent_progress_writer;
"""
"""Gaps are looked for in a statement as a whole, in which a restored dump has rows in any order.
`take_name` is replaced by a later step."""
RIGHTS_BEFORE_ROWS = f"""
create function agent_progress.refuse_name_of_another() returns trigger
language plpgsql security definer set search_path = pg_catalog as $body$
begin
    if exists (
        select from agent_progress.writers
        where project = new.project and writer = new.writer and owner <> session_user
    ) and agent_progress.is_bound() then
        raise exception 'the writer % belongs to another role', new.writer
            using errcode = '{OF_ANOTHER_ROLE}';
    end if;
    return new;
end $body$;
create trigger refuse_name_of_another before insert on agent_progress.entries
    for each row execute function agent_progress.refuse_name_of_another();
create trigger refuse_name_of_another before insert on agent_progress.observations
    for each row execute function agent_progress.refuse_name_of_another();
create trigger refuse_name_of_another before insert on agent_progress.documents
    for each row execute function agent_progress.refuse_name_of_another();
create trigger refuse_name_of_another before insert on agent_progress.tombstones
    for each row execute function agent_progress.refuse_name_of_another();
revoke execute on function agent_progress.refuse_name_of_another() from public;

create index on agent_progress.writers (project, owner, since);
create or replace function agent_progress.take_name(of_project text, name text) returns void
language plpgsql security definer set search_path = pg_catalog as $body$
declare
    found text;
    given bigint;
begin
    if not agent_progress.is_bound() then
        return;
    end if;
    select owner into found from agent_progress.writers where project = of_project and writer = name;
    if found is null then
        select count(*) into given from (
            select from agent_progress.writers
            where project = of_project and owner = session_user and since > now() - interval '1 day'
            limit {NAMES_A_DAY}
        ) as today;
        if given = {NAMES_A_DAY} then
            raise exception 'the role % has taken % names today', session_user, given
                using errcode = '{TOO_MANY_NAMES}';
        end if;
        insert into agent_progress.writers (project, writer, owner)
            values (of_project, name, session_user) on conflict do nothing;
        select owner into found from agent_progress.writers where project = of_project and writer = name;
    end if;
    if found <> session_user then
        raise exception 'the writer % belongs to another role', name using errcode = '{OF_ANOTHER_ROLE}';
    end if;
end $body$;
"""
"""Before a row is there: one that is refused when its statement ends is in the way of others till then."""

_IS_OURS = """
select not agent_progress.is_bound() or not exists (
    select from agent_progress.writers where project = %s and writer = %s and owner <> session_user)
"""


def is_ours(connection: "Connection", project: str, writer: str) -> bool:
    """Return whether the role of a connection may write in this writer's name: no other one has taken it."""
    return bool(answers.row(connection, _IS_OURS, [project, writer], (bool,))[0])


def take(connection: "Connection", project: str, writer: str) -> None:
    """Have a writer's name belong to the role of a connection, before anything is written in it."""
    connection.execute("select agent_progress.take_name(%s, %s)", [project, writer])
