create schema agent_progress;
create table agent_progress.migrations (
    number integer primary key,
    applied timestamptz not null default now()
);
insert into agent_progress.migrations (number) values (7);

-- Everything that a team shares, one row each, numbered per project without gaps. The kinds: entry, erased,
-- observation, ended, document. A row is never changed; an eraser may blank its body.
create table agent_progress.log (
    project text collate "C" not null check (length(project) between 1 and 400),
    seq bigint not null check (seq > 0),
    kind text collate "C" not null check (kind in ('entry', 'erased', 'observation', 'ended', 'document')),
    id text collate "C" not null check (octet_length(id) between 1 and 600),
    writer text collate "C" not null check (writer ~ '^[0-9a-z]([0-9a-z-]{0,58}[0-9a-z])?$'),
    owner text not null default session_user,
    body text check (octet_length(body) <= 8388608),
    arrived timestamptz not null default clock_timestamp(),
    primary key (project, seq),
    unique (project, kind, id)
);

-- A lease per story, by the server's clock.
create table agent_progress.claims (
    project text collate "C" not null,
    key text collate "C" not null,
    story text not null check (length(story) between 1 and 200),
    writer text collate "C" not null check (writer ~ '^[0-9a-z]([0-9a-z-]{0,58}[0-9a-z])?$'),
    session text not null,
    since timestamptz not null check (isfinite(since)),
    until timestamptz not null check (isfinite(until)),
    primary key (project, key)
);

-- Append rows to a project's log and return how many were new. One lock per project makes the numbers free of
-- gaps and visible in their order; a row whose kind and id are there already is left out.
create function agent_progress.append(of_project text, by_writer text, kinds text[], ids text[], bodies text[])
returns bigint language plpgsql security definer set search_path = pg_catalog as $append$
declare
    last bigint;
    added bigint;
begin
    perform pg_advisory_xact_lock(hashtextextended('agent_progress ' || of_project, 0));
    select coalesce(max(seq), 0) into last from agent_progress.log where project = of_project;
    insert into agent_progress.log (project, seq, kind, id, writer, body)
    select of_project, last + row_number() over (order by place), kind, id, by_writer, body
    from unnest(kinds, ids, bodies) with ordinality as new (kind, id, body, place)
    where not exists (
        select from agent_progress.log as known
        where known.project = of_project and known.kind = new.kind and known.id = new.id
    );
    get diagnostics added = row_count;
    return added;
end $append$;

do $roles$
begin
    if not exists (select from pg_roles where rolname = 'agent_progress_writer') then
        create role agent_progress_writer nologin;
    end if;
    if not exists (select from pg_roles where rolname = 'agent_progress_eraser') then
        create role agent_progress_eraser nologin;
    end if;
end $roles$;
revoke all on schema agent_progress from public;
revoke all on function agent_progress.append(text, text, text[], text[], text[]) from public;
grant usage on schema agent_progress to agent_progress_writer, agent_progress_eraser;
grant select on all tables in schema agent_progress to agent_progress_writer, agent_progress_eraser;
grant execute on function agent_progress.append(text, text, text[], text[], text[]) to agent_progress_writer;
grant insert, update, delete on agent_progress.claims to agent_progress_writer;
grant update (body) on agent_progress.log to agent_progress_eraser;
