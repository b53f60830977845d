-- Bring a database to schema 7; nothing is done if it has that. The two files in braces are put in by schema.py.
begin;
select pg_advisory_xact_lock(4907281960553217043);
do $guard$
declare found integer := 0;
begin
    if to_regclass('agent_progress.migrations') is not null then
        execute 'select coalesce(max(number), 0) from agent_progress.migrations' into found;
    end if;
    if found between 1 and 5 then
        raise exception '{needs_earlier}' using errcode = '55000';
    end if;
    if found = 6 then
        alter schema agent_progress rename to agent_progress_6;
        revoke usage on schema agent_progress_6 from agent_progress_writer, agent_progress_eraser;
    end if;
    if found in (0, 6) then
        execute $create$
{schema.sql}$create$;
    end if;
    if found = 6 then
        execute $fill$
{from_schema_6.sql}$fill$;
    end if;
end $guard$;
commit;
