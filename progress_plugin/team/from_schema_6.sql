-- Fill the tables of schema.sql from those of schema 6, which were renamed to agent_progress_6 and stay there.
update agent_progress.server set id = (select id from agent_progress_6.server);
insert into agent_progress.claims (project, key, story, writer, session, since, until)
select project, key, story, writer, session, since, until from agent_progress_6.claims where until > now();
with moved (project, kind, id, writer, place, body, arrived) as (
    select project, 'entry', id, writer, number, coalesce(body ->> 'wrapped', body::text), arrived
    from agent_progress_6.entries
    union all
    select project, 'erased', id, writer, number, null, arrived from agent_progress_6.tombstones
    union all
    select project, case when id like 'obs-%' then 'observation' else 'ended' end, right(id, 32),
        writer, number, body, arrived
    from agent_progress_6.observations
    union all
    select project, 'document', key || ' ' || revision, writer, revision,
        '{"key": ' || to_json(key) || ', "text": ' || body || '}', arrived
    from agent_progress_6.documents
), each_once as (
    select distinct on (project, kind, id) * from moved order by project, kind, id, arrived, writer
)
insert into agent_progress.log (project, seq, kind, id, writer, body, arrived)
select project, row_number() over (partition by project order by arrived, kind, writer, place),
    kind, id, writer, body, arrived
from each_once;
