SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE SCHEMA agent_progress;
CREATE FUNCTION agent_progress.is_bound() RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    AS $$
    select not pg_has_role(session_user, relowner, 'MEMBER')
    from pg_class where oid = 'agent_progress.entries'::regclass
$$;
CREATE FUNCTION agent_progress.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    if tg_op = 'UPDATE' and new.body is null
        and (new.project, new.writer, new.number, new.id, new.arrived)
            = (old.project, old.writer, old.number, old.id, old.arrived) then
        return new;
    end if;
    raise exception 'an entry is never changed or deleted, only its body may be blanked'
        using errcode = '42501';
end $$;
CREATE FUNCTION agent_progress.refuse_change_of_documents() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    if tg_op = 'UPDATE' and new.body is null
        and (new.project, new.key, new.revision, new.writer, new.arrived)
            = (old.project, old.key, old.revision, old.writer, old.arrived) then
        return new;
    end if;
    raise exception 'a revision is never changed or deleted, only its body may be blanked'
        using errcode = '42501';
end $$;
CREATE FUNCTION agent_progress.refuse_claim_of_another() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    AS $$
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
end $$;
CREATE FUNCTION agent_progress.refuse_empty() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    AS $$
begin
    if agent_progress.is_bound() then
        raise exception 'a row without a body' using errcode = '23514';
    end if;
    return new;
end $$;
CREATE FUNCTION agent_progress.refuse_gap_of_documents() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    if new.revision > 1 and not exists (
        select from agent_progress.documents
        where project = new.project and key = new.key and revision = new.revision - 1
    ) then
        raise exception 'revision % of a document leaves a gap', new.revision using errcode = '23514';
    end if;
    return new;
end $$;
CREATE FUNCTION agent_progress.refuse_gaps() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
end $$;
CREATE FUNCTION agent_progress.refuse_name_of_another() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    AS $$
begin
    if exists (
        select from agent_progress.writers
        where project = new.project and writer = new.writer and owner <> session_user
    ) and agent_progress.is_bound() then
        raise exception 'the writer % belongs to another role', new.writer
            using errcode = 'AP001';
    end if;
    return new;
end $$;
CREATE FUNCTION agent_progress.take_name(of_project text, name text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    AS $$
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
            limit 500
        ) as today;
        if given = 500 then
            raise exception 'the role % has taken % names today', session_user, given
                using errcode = 'AP002';
        end if;
        insert into agent_progress.writers (project, writer, owner)
            values (of_project, name, session_user) on conflict do nothing;
        select owner into found from agent_progress.writers where project = of_project and writer = name;
    end if;
    if found <> session_user then
        raise exception 'the writer % belongs to another role', name using errcode = 'AP001';
    end if;
end $$;
CREATE FUNCTION agent_progress.take_names() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    AS $$
begin
    perform agent_progress.take_name(each.project, each.writer)
        from (select distinct project, writer from added) as each;
    return null;
end $$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE agent_progress.claims (
    project text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    story text NOT NULL,
    writer text NOT NULL COLLATE pg_catalog."C",
    session text NOT NULL,
    since timestamp with time zone NOT NULL,
    until timestamp with time zone NOT NULL,
    CONSTRAINT claims_check CHECK ((isfinite(since) AND isfinite(until) AND (until <= (since + '366 days'::interval)))),
    CONSTRAINT claims_story_check CHECK (((length(story) >= 1) AND (length(story) <= 200))),
    CONSTRAINT claims_writer_check CHECK ((writer ~ '^[0-9a-z]([0-9a-z-]{0,58}[0-9a-z])?$'::text))
);
CREATE TABLE agent_progress.documents (
    project text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    revision bigint NOT NULL,
    writer text NOT NULL COLLATE pg_catalog."C",
    body text,
    arrived timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT documents_body_check CHECK ((octet_length(body) <= 8388608)),
    CONSTRAINT documents_key_check CHECK ((octet_length(key) <= 400)),
    CONSTRAINT documents_project_check CHECK (((length(project) >= 1) AND (length(project) <= 400))),
    CONSTRAINT documents_revision_check CHECK ((revision > 0)),
    CONSTRAINT documents_writer_check CHECK ((writer ~ '^[0-9a-z]([0-9a-z-]{0,58}[0-9a-z])?$'::text))
);
CREATE TABLE agent_progress.entries (
    project text NOT NULL COLLATE pg_catalog."C",
    writer text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    body jsonb,
    arrived timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT entries_body_check CHECK ((octet_length((body)::text) <= 1048576)),
    CONSTRAINT entries_id_check CHECK (((octet_length(id) >= 1) AND (octet_length(id) <= 120))),
    CONSTRAINT entries_number_check CHECK ((number > 0)),
    CONSTRAINT entries_project_check CHECK (((length(project) >= 1) AND (length(project) <= 400))),
    CONSTRAINT entries_writer_check CHECK ((writer ~ '^[0-9a-z]([0-9a-z-]{0,58}[0-9a-z])?$'::text))
);
CREATE TABLE agent_progress.migrations (
    number integer NOT NULL,
    applied timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE agent_progress.observations (
    project text NOT NULL COLLATE pg_catalog."C",
    writer text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    body text,
    arrived timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT observations_body_check CHECK ((octet_length(body) <= 8388608)),
    CONSTRAINT observations_id_check CHECK ((id ~ '^(obs|gone)-[0-9a-f]{32}$'::text)),
    CONSTRAINT observations_number_check CHECK ((number > 0)),
    CONSTRAINT observations_project_check CHECK (((length(project) >= 1) AND (length(project) <= 400))),
    CONSTRAINT observations_writer_check CHECK ((writer ~ '^[0-9a-z]([0-9a-z-]{0,58}[0-9a-z])?$'::text))
);
CREATE TABLE agent_progress.server (
    is_only boolean DEFAULT true NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    CONSTRAINT server_is_only_check CHECK (is_only)
);
CREATE TABLE agent_progress.tombstones (
    project text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    arrived timestamp with time zone DEFAULT now() NOT NULL,
    writer text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    body text,
    CONSTRAINT tombstones_body_check CHECK ((body IS NULL)),
    CONSTRAINT tombstones_id_check CHECK ((id ~ '^[0-9a-f]{32}$'::text)),
    CONSTRAINT tombstones_number_check CHECK ((number > 0)),
    CONSTRAINT tombstones_writer_check CHECK ((writer ~ '^[0-9a-z]([0-9a-z-]{0,58}[0-9a-z])?$'::text))
);
CREATE TABLE agent_progress.writers (
    project text NOT NULL COLLATE pg_catalog."C",
    writer text NOT NULL COLLATE pg_catalog."C",
    owner text NOT NULL COLLATE pg_catalog."C",
    since timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT writers_project_check CHECK (((length(project) >= 1) AND (length(project) <= 400))),
    CONSTRAINT writers_writer_check CHECK ((writer ~ '^[0-9a-z]([0-9a-z-]{0,58}[0-9a-z])?$'::text))
);
INSERT INTO agent_progress.claims VALUES ('example.org/acme/harbour', 'us-003', 'US-003', 'vm-vw6uwv', '', '2026-11-29 15:17:00.403999+00', '2026-12-29 15:17:00.403999+00');
INSERT INTO agent_progress.documents VALUES ('example.org/acme/harbour', '', 1, 'vm-vw6uwv', '"{\"phase\": \"build\", \"done\": [\"US-001\"]}"', '2026-11-29 15:16:43.422066+00');
INSERT INTO agent_progress.documents VALUES ('example.org/acme/harbour', '', 2, 'vm-yqsjk9', '"{\"phase\": \"build\", \"done\": [\"US-001\", \"US-002\"]}"', '2026-11-29 15:16:52.382076+00');
INSERT INTO agent_progress.entries VALUES ('example.org/acme/harbour', 'vm-vw6uwv', 1, 'entry-20261129-151635-9xitor', '{"id": "entry-20261129-151635-9xitor", "data": {"description": "ours begins"}, "type": "task_completed", "branch": "main", "timestamp": "2026-11-29T15:16:35Z"}', '2026-11-29 15:16:36.462099+00');
INSERT INTO agent_progress.entries VALUES ('example.org/acme/harbour', 'vm-yqsjk9', 1, 'entry-20261129-151637-6qrhag', '{"id": "entry-20261129-151637-6qrhag", "data": {"description": "theirs begins"}, "type": "task_completed", "branch": "main", "timestamp": "2026-11-29T15:16:37Z"}', '2026-11-29 15:16:38.122094+00');
INSERT INTO agent_progress.entries VALUES ('example.org/acme/harbour', 'vm-vw6uwv', 2, 'entry-20261129-151638-1fomab', '{"wrapped": "{\"id\": \"entry-20261129-151638-1fomab\", \"timestamp\": \"2026-11-29T15:16:38Z\", \"type\": \"task_completed\", \"task_id\": \"US-001\", \"branch\": \"main\", \"data\": {\"description\": \"Berths are listed\"}}\n"}', '2026-11-29 15:16:43.232327+00');
INSERT INTO agent_progress.entries VALUES ('example.org/acme/harbour', 'vm-vw6uwv', 3, 'entry-20261129-151639-5arn6x', '{"wrapped": "{\"id\": \"entry-20261129-151639-5arn6x\", \"timestamp\": \"2026-11-29T15:16:39Z\", \"type\": \"milestone_reached\", \"branch\": \"main\", \"data\": {\"nul\": \"a\\u0000b\", \"big\": 1000000000000000000000000000000, \"description\": \"Odd text\"}}\n"}', '2026-11-29 15:16:43.232327+00');
INSERT INTO agent_progress.entries VALUES ('example.org/acme/harbour', 'vm-yqsjk9', 2, 'entry-20261129-151644-4wne9u', '{"id": "entry-20261129-151644-4wne9u", "data": {"description": "Cranes are booked"}, "type": "task_completed", "branch": "main", "task_id": "US-002", "timestamp": "2026-11-29T15:16:44Z"}', '2026-11-29 15:16:48.106115+00');
INSERT INTO agent_progress.entries VALUES ('example.org/acme/harbour', 'vm-yqsjk9', 3, 'entry-20261129-151645-1qvvbi', '{"id": "entry-20261129-151645-1qvvbi", "data": {"description": "A secret slip"}, "type": "milestone_reached", "branch": "main", "timestamp": "2026-11-29T15:16:45Z"}', '2026-11-29 15:16:48.106115+00');
INSERT INTO agent_progress.migrations VALUES (1, '2026-11-29 15:16:22.184083+00');
INSERT INTO agent_progress.migrations VALUES (2, '2026-11-29 15:16:22.184083+00');
INSERT INTO agent_progress.migrations VALUES (3, '2026-11-29 15:16:22.184083+00');
INSERT INTO agent_progress.migrations VALUES (4, '2026-11-29 15:16:22.184083+00');
INSERT INTO agent_progress.migrations VALUES (5, '2026-11-29 15:16:22.184083+00');
INSERT INTO agent_progress.migrations VALUES (6, '2026-11-29 15:16:22.184083+00');
INSERT INTO agent_progress.observations VALUES ('example.org/acme/harbour', 'vm-vw6uwv', 1, 'obs-38870d53377d0a097f2a8384dff426b8', '{"type": "decision", "title": "Tides", "content": "The tide table is in UTC", "topic_key": null, "namespace": null, "created_at": "2026-11-29 15:16:39"}', '2026-11-29 15:16:43.358068+00');
INSERT INTO agent_progress.observations VALUES ('example.org/acme/harbour', 'vm-vw6uwv', 2, 'obs-5e6cf5a62bfe2b36b5a7241a983c492a', '{"type": "decision", "title": "Gates", "content": "The lock gates close at noon", "topic_key": null, "namespace": null, "created_at": "2026-11-29 15:16:40"}', '2026-11-29 15:16:43.358068+00');
INSERT INTO agent_progress.server VALUES (true, '285927d9-09a8-456f-980b-4c7a8db9b4a0');
INSERT INTO agent_progress.tombstones VALUES ('example.org/acme/harbour', '106502e02d36a03e6f145b1add3b6088', '2026-11-29 15:16:58.582101+00', 'vm-yqsjk9', 1, NULL);
INSERT INTO agent_progress.writers VALUES ('example.org/acme/harbour', 'vm-vw6uwv', 'person', '2026-11-29 15:16:36.462099+00');
INSERT INTO agent_progress.writers VALUES ('example.org/acme/harbour', 'vm-yqsjk9', 'person', '2026-11-29 15:16:38.122094+00');
ALTER TABLE agent_progress.entries
    ADD CONSTRAINT body_is_the_entry CHECK (((body IS NULL) OR COALESCE(((((body ->> 'id'::text) = id) AND (jsonb_typeof((body -> 'type'::text)) = 'string'::text) AND (jsonb_typeof((body -> 'timestamp'::text)) = 'string'::text) AND (length((body ->> 'timestamp'::text)) <= 64) AND (COALESCE(jsonb_typeof((body -> 'data'::text)), 'object'::text) = 'object'::text) AND (NOT jsonb_path_exists(body, 'strict $.**?(@ > 179700000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000 || @ < -179700000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000)'::jsonpath, silent => true))) OR ((jsonb_typeof((body -> 'wrapped'::text)) = 'string'::text) AND ((body - 'wrapped'::text) = '{}'::jsonb))), false))) NOT VALID;
ALTER TABLE ONLY agent_progress.claims
    ADD CONSTRAINT claims_pkey PRIMARY KEY (project, key);
ALTER TABLE ONLY agent_progress.documents
    ADD CONSTRAINT documents_pkey PRIMARY KEY (project, key, revision);
ALTER TABLE ONLY agent_progress.entries
    ADD CONSTRAINT entries_pkey PRIMARY KEY (project, writer, number);
ALTER TABLE ONLY agent_progress.entries
    ADD CONSTRAINT entries_project_id_writer_key UNIQUE (project, id, writer);
ALTER TABLE ONLY agent_progress.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (number);
ALTER TABLE ONLY agent_progress.observations
    ADD CONSTRAINT observations_pkey PRIMARY KEY (project, id);
ALTER TABLE ONLY agent_progress.observations
    ADD CONSTRAINT observations_project_writer_number_key UNIQUE (project, writer, number);
ALTER TABLE ONLY agent_progress.server
    ADD CONSTRAINT server_pkey PRIMARY KEY (is_only);
ALTER TABLE ONLY agent_progress.tombstones
    ADD CONSTRAINT tombstones_pkey PRIMARY KEY (project, writer, number);
ALTER TABLE ONLY agent_progress.tombstones
    ADD CONSTRAINT tombstones_project_id_writer_key UNIQUE (project, id, writer);
ALTER TABLE ONLY agent_progress.writers
    ADD CONSTRAINT writers_pkey PRIMARY KEY (project, writer);
CREATE INDEX writers_project_owner_since_idx ON agent_progress.writers USING btree (project, owner, since);
CREATE TRIGGER refuse_change BEFORE DELETE OR UPDATE ON agent_progress.documents FOR EACH ROW EXECUTE FUNCTION agent_progress.refuse_change_of_documents();
CREATE TRIGGER refuse_change BEFORE DELETE OR UPDATE ON agent_progress.entries FOR EACH ROW EXECUTE FUNCTION agent_progress.refuse_change();
CREATE TRIGGER refuse_change BEFORE DELETE OR UPDATE ON agent_progress.observations FOR EACH ROW EXECUTE FUNCTION agent_progress.refuse_change();
CREATE TRIGGER refuse_change BEFORE DELETE OR UPDATE ON agent_progress.tombstones FOR EACH ROW EXECUTE FUNCTION agent_progress.refuse_change();
CREATE TRIGGER refuse_claim_of_another BEFORE INSERT OR DELETE OR UPDATE ON agent_progress.claims FOR EACH ROW EXECUTE FUNCTION agent_progress.refuse_claim_of_another();
CREATE TRIGGER refuse_empty BEFORE INSERT ON agent_progress.documents FOR EACH ROW WHEN ((new.body IS NULL)) EXECUTE FUNCTION agent_progress.refuse_empty();
CREATE TRIGGER refuse_empty BEFORE INSERT ON agent_progress.entries FOR EACH ROW WHEN ((new.body IS NULL)) EXECUTE FUNCTION agent_progress.refuse_empty();
CREATE TRIGGER refuse_gap BEFORE INSERT ON agent_progress.documents FOR EACH ROW EXECUTE FUNCTION agent_progress.refuse_gap_of_documents();
CREATE TRIGGER refuse_gaps AFTER INSERT ON agent_progress.entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION agent_progress.refuse_gaps();
CREATE TRIGGER refuse_gaps AFTER INSERT ON agent_progress.observations REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION agent_progress.refuse_gaps();
CREATE TRIGGER refuse_gaps AFTER INSERT ON agent_progress.tombstones REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION agent_progress.refuse_gaps();
CREATE TRIGGER refuse_name_of_another BEFORE INSERT ON agent_progress.documents FOR EACH ROW EXECUTE FUNCTION agent_progress.refuse_name_of_another();
CREATE TRIGGER refuse_name_of_another BEFORE INSERT ON agent_progress.entries FOR EACH ROW EXECUTE FUNCTION agent_progress.refuse_name_of_another();
CREATE TRIGGER refuse_name_of_another BEFORE INSERT ON agent_progress.observations FOR EACH ROW EXECUTE FUNCTION agent_progress.refuse_name_of_another();
CREATE TRIGGER refuse_name_of_another BEFORE INSERT ON agent_progress.tombstones FOR EACH ROW EXECUTE FUNCTION agent_progress.refuse_name_of_another();
CREATE TRIGGER take_names AFTER INSERT ON agent_progress.documents REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION agent_progress.take_names();
CREATE TRIGGER take_names AFTER INSERT ON agent_progress.entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION agent_progress.take_names();
CREATE TRIGGER take_names AFTER INSERT ON agent_progress.observations REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION agent_progress.take_names();
CREATE TRIGGER take_names AFTER INSERT ON agent_progress.tombstones REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION agent_progress.take_names();
GRANT USAGE ON SCHEMA agent_progress TO agent_progress_writer;
GRANT USAGE ON SCHEMA agent_progress TO agent_progress_eraser;
REVOKE ALL ON FUNCTION agent_progress.is_bound() FROM PUBLIC;
GRANT ALL ON FUNCTION agent_progress.is_bound() TO agent_progress_writer;
REVOKE ALL ON FUNCTION agent_progress.refuse_change() FROM PUBLIC;
REVOKE ALL ON FUNCTION agent_progress.refuse_change_of_documents() FROM PUBLIC;
REVOKE ALL ON FUNCTION agent_progress.refuse_claim_of_another() FROM PUBLIC;
REVOKE ALL ON FUNCTION agent_progress.refuse_empty() FROM PUBLIC;
REVOKE ALL ON FUNCTION agent_progress.refuse_gap_of_documents() FROM PUBLIC;
REVOKE ALL ON FUNCTION agent_progress.refuse_gaps() FROM PUBLIC;
REVOKE ALL ON FUNCTION agent_progress.refuse_name_of_another() FROM PUBLIC;
REVOKE ALL ON FUNCTION agent_progress.take_name(of_project text, name text) FROM PUBLIC;
GRANT ALL ON FUNCTION agent_progress.take_name(of_project text, name text) TO agent_progress_writer;
REVOKE ALL ON FUNCTION agent_progress.take_names() FROM PUBLIC;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent_progress.claims TO agent_progress_writer;
GRANT SELECT ON TABLE agent_progress.claims TO agent_progress_eraser;
GRANT SELECT ON TABLE agent_progress.documents TO agent_progress_writer;
GRANT SELECT ON TABLE agent_progress.documents TO agent_progress_eraser;
GRANT INSERT(project) ON TABLE agent_progress.documents TO agent_progress_writer;
GRANT INSERT(key) ON TABLE agent_progress.documents TO agent_progress_writer;
GRANT INSERT(revision) ON TABLE agent_progress.documents TO agent_progress_writer;
GRANT INSERT(writer) ON TABLE agent_progress.documents TO agent_progress_writer;
GRANT UPDATE(body) ON TABLE agent_progress.documents TO agent_progress_eraser;
GRANT INSERT(body) ON TABLE agent_progress.documents TO agent_progress_writer;
GRANT SELECT ON TABLE agent_progress.entries TO agent_progress_writer;
GRANT SELECT ON TABLE agent_progress.entries TO agent_progress_eraser;
GRANT INSERT(project) ON TABLE agent_progress.entries TO agent_progress_writer;
GRANT INSERT(writer) ON TABLE agent_progress.entries TO agent_progress_writer;
GRANT INSERT(number) ON TABLE agent_progress.entries TO agent_progress_writer;
GRANT INSERT(id) ON TABLE agent_progress.entries TO agent_progress_writer;
GRANT UPDATE(body) ON TABLE agent_progress.entries TO agent_progress_eraser;
GRANT INSERT(body) ON TABLE agent_progress.entries TO agent_progress_writer;
GRANT SELECT ON TABLE agent_progress.migrations TO agent_progress_writer;
GRANT SELECT ON TABLE agent_progress.migrations TO agent_progress_eraser;
GRANT SELECT ON TABLE agent_progress.observations TO agent_progress_writer;
GRANT SELECT ON TABLE agent_progress.observations TO agent_progress_eraser;
GRANT INSERT(project) ON TABLE agent_progress.observations TO agent_progress_writer;
GRANT INSERT(writer) ON TABLE agent_progress.observations TO agent_progress_writer;
GRANT INSERT(number) ON TABLE agent_progress.observations TO agent_progress_writer;
GRANT INSERT(id) ON TABLE agent_progress.observations TO agent_progress_writer;
GRANT UPDATE(body) ON TABLE agent_progress.observations TO agent_progress_eraser;
GRANT INSERT(body) ON TABLE agent_progress.observations TO agent_progress_writer;
GRANT SELECT ON TABLE agent_progress.server TO agent_progress_writer;
GRANT SELECT ON TABLE agent_progress.server TO agent_progress_eraser;
GRANT SELECT ON TABLE agent_progress.tombstones TO agent_progress_writer;
GRANT SELECT ON TABLE agent_progress.tombstones TO agent_progress_eraser;
GRANT INSERT(project) ON TABLE agent_progress.tombstones TO agent_progress_writer;
GRANT INSERT(id) ON TABLE agent_progress.tombstones TO agent_progress_writer;
GRANT INSERT(writer) ON TABLE agent_progress.tombstones TO agent_progress_writer;
GRANT INSERT(number) ON TABLE agent_progress.tombstones TO agent_progress_writer;
GRANT INSERT(body) ON TABLE agent_progress.tombstones TO agent_progress_writer;
GRANT SELECT ON TABLE agent_progress.writers TO agent_progress_writer;
GRANT SELECT ON TABLE agent_progress.writers TO agent_progress_eraser;
