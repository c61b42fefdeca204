/** A table that is no outbox and no inbox of events. */
export interface OtherTable {
  what: string;
  ddl: string;
  /** Tool or kind that the doctor names for a table that a well-known tool creates. */
  says?: string;
  /** Only a person can tell it from an outbox: it may be listed as a candidate. */
  mayAsk?: boolean;
}

export const OTHER_TABLES: readonly OtherTable[] = [
  {
    what: "e-mails",
    ddl: "CREATE TABLE mail_outbox (id bigserial PRIMARY KEY, to_address text, cc text, subject text NOT NULL, body text NOT NULL, status text NOT NULL DEFAULT 'PENDING', retry_count int, created_at timestamptz, sent_at timestamptz)",
  },
  {
    what: "e-mails from templates",
    ddl: "CREATE TABLE outbox_emails (id uuid PRIMARY KEY, recipient_email text NOT NULL, template_name text NOT NULL, payload jsonb NOT NULL, status text NOT NULL, attempts int, created_at timestamptz, sent_at timestamptz)",
  },
  {
    what: "text messages",
    ddl: "CREATE TABLE sms_outbox (id bigserial PRIMARY KEY, phone_number text NOT NULL, message text NOT NULL, status text NOT NULL, created_at timestamptz, delivered_at timestamptz)",
  },
  {
    what: "push notifications",
    ddl: "CREATE TABLE push_notifications (id uuid PRIMARY KEY, device_token text NOT NULL, title text, body text, data jsonb, type text, status text, created_at timestamptz, sent_at timestamptz)",
  },
  {
    what: "notifications of a user",
    ddl: "CREATE TABLE notifications (id uuid PRIMARY KEY, user_id uuid NOT NULL, type text NOT NULL, payload jsonb NOT NULL, read_at timestamptz, created_at timestamptz NOT NULL, sent_at timestamptz)",
  },
  {
    what: "a chat",
    ddl: "CREATE TABLE messages (id bigserial PRIMARY KEY, conversation_id bigint NOT NULL, sender_id bigint NOT NULL, content text NOT NULL, type text, status text, created_at timestamptz, delivered_at timestamptz, read_at timestamptz)",
  },
  {
    what: "a chat's inbox",
    ddl: "CREATE TABLE inbox (id bigserial PRIMARY KEY, user_id bigint NOT NULL, thread_id bigint NOT NULL, message_id bigint NOT NULL, unread boolean, received_at timestamptz)",
  },
  {
    what: "webhook deliveries",
    ddl: "CREATE TABLE webhook_deliveries (id uuid PRIMARY KEY, webhook_id uuid NOT NULL, url text NOT NULL, event_type text NOT NULL, payload jsonb NOT NULL, response_status int, response_body text, attempts int, next_retry_at timestamptz, created_at timestamptz, delivered_at timestamptz)",
  },
  {
    what: "webhook events received",
    ddl: "CREATE TABLE webhook_events (id text PRIMARY KEY, provider text NOT NULL, event_type text NOT NULL, signature text, payload jsonb NOT NULL, status text, received_at timestamptz NOT NULL, processed_at timestamptz)",
    mayAsk: true,
  },
  {
    what: "an audit log",
    ddl: "CREATE TABLE audit_events (id bigserial PRIMARY KEY, event_type text NOT NULL, entity_type text, entity_id text, actor_id uuid, old_values jsonb, new_values jsonb, ip_address inet, created_at timestamptz NOT NULL)",
  },
  {
    what: "analytics events",
    ddl: "CREATE TABLE analytics_events (id uuid PRIMARY KEY, event_name text NOT NULL, properties jsonb, anonymous_id text, session_id text, user_agent text, page_url text, sent_at timestamptz, received_at timestamptz)",
  },
  {
    what: "an event store",
    ddl: "CREATE TABLE event_store (global_position bigserial PRIMARY KEY, stream_id text NOT NULL, stream_version int NOT NULL, event_id uuid NOT NULL, event_type text NOT NULL, data jsonb NOT NULL, metadata jsonb, created_at timestamptz NOT NULL, UNIQUE (stream_id, stream_version))",
    mayAsk: true,
  },
  {
    what: "River",
    ddl: "CREATE TYPE river_job_state AS ENUM ('available', 'cancelled', 'completed', 'discarded', 'pending', 'retryable', 'running', 'scheduled'); CREATE TABLE river_job (id bigserial PRIMARY KEY, state river_job_state NOT NULL DEFAULT 'available', attempt smallint NOT NULL DEFAULT 0, max_attempts smallint NOT NULL, attempted_at timestamptz, created_at timestamptz NOT NULL DEFAULT now(), finalized_at timestamptz, scheduled_at timestamptz NOT NULL DEFAULT now(), priority smallint NOT NULL DEFAULT 1, args jsonb, attempted_by text[], errors jsonb[], kind text NOT NULL, metadata jsonb NOT NULL DEFAULT '{}', queue text NOT NULL DEFAULT 'default', tags varchar(255)[])",
    says: "River",
  },
  {
    what: "Oban",
    ddl: "CREATE TABLE oban_jobs (id bigserial PRIMARY KEY, state text NOT NULL DEFAULT 'available', queue text NOT NULL DEFAULT 'default', worker text NOT NULL, args jsonb NOT NULL DEFAULT '{}', errors jsonb[] NOT NULL DEFAULT '{}', attempt int NOT NULL DEFAULT 0, max_attempts int NOT NULL DEFAULT 20, inserted_at timestamp NOT NULL, scheduled_at timestamp NOT NULL, attempted_at timestamp, completed_at timestamp, attempted_by text[], discarded_at timestamp, priority int NOT NULL DEFAULT 0, tags text[], meta jsonb, cancelled_at timestamp)",
    says: "Oban",
  },
  {
    what: "graphile-worker",
    ddl: "CREATE SCHEMA graphile_worker; CREATE TABLE graphile_worker._private_jobs (id bigint PRIMARY KEY, job_queue_id int, task_id int NOT NULL, payload json NOT NULL DEFAULT '{}', priority smallint NOT NULL DEFAULT 0, run_at timestamptz NOT NULL DEFAULT now(), attempts smallint NOT NULL DEFAULT 0, max_attempts smallint NOT NULL DEFAULT 25, last_error text, created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL, key text, locked_at timestamptz, locked_by text, revision int NOT NULL DEFAULT 0, flags jsonb)",
    says: "graphile-worker",
  },
  {
    what: "pg-boss",
    ddl: "CREATE SCHEMA pgboss; CREATE TABLE pgboss.job (id uuid PRIMARY KEY, name text NOT NULL, priority int NOT NULL DEFAULT 0, data jsonb, state text NOT NULL DEFAULT 'created', retry_limit int NOT NULL DEFAULT 2, retry_count int NOT NULL DEFAULT 0, start_after timestamptz NOT NULL DEFAULT now(), started_on timestamptz, singleton_key text, created_on timestamptz NOT NULL DEFAULT now(), completed_on timestamptz, keep_until timestamptz, output jsonb)",
    says: "pg-boss",
  },
  {
    what: "Laravel's jobs",
    ddl: "CREATE TABLE jobs (id bigserial PRIMARY KEY, queue varchar(255) NOT NULL, payload text NOT NULL, attempts smallint NOT NULL, reserved_at int, available_at int NOT NULL, created_at int NOT NULL)",
    says: "Laravel",
  },
  {
    what: "Laravel's failed jobs",
    ddl: "CREATE TABLE failed_jobs (id bigserial PRIMARY KEY, uuid varchar(255) NOT NULL UNIQUE, connection text NOT NULL, queue text NOT NULL, payload text NOT NULL, exception text NOT NULL, failed_at timestamp NOT NULL DEFAULT now())",
    says: "Laravel",
  },
  {
    what: "pgmq",
    ddl: "CREATE SCHEMA pgmq; CREATE TABLE pgmq.q_events (msg_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, read_ct int NOT NULL DEFAULT 0, enqueued_at timestamptz NOT NULL DEFAULT now(), vt timestamptz NOT NULL, message jsonb, headers jsonb)",
    says: "pgmq",
  },
  {
    what: "Hasura's invocation logs",
    ddl: "CREATE SCHEMA hdb_catalog; CREATE TABLE hdb_catalog.event_invocation_logs (id text PRIMARY KEY, event_id text, status int, request json, response json, created_at timestamp DEFAULT now())",
    says: "Hasura's event triggers",
  },
  {
    what: "delayed_job",
    ddl: "CREATE TABLE delayed_jobs (id bigserial PRIMARY KEY, priority int NOT NULL DEFAULT 0, attempts int NOT NULL DEFAULT 0, handler text NOT NULL, last_error text, run_at timestamp, locked_at timestamp, failed_at timestamp, locked_by varchar, queue varchar, created_at timestamp, updated_at timestamp)",
    says: "delayed_job",
  },
  {
    what: "good_job",
    ddl: "CREATE TABLE good_jobs (id uuid PRIMARY KEY, queue_name text, priority int, serialized_params jsonb, scheduled_at timestamptz, performed_at timestamptz, finished_at timestamptz, error text, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL, active_job_id uuid, concurrency_key text, job_class text)",
    says: "GoodJob",
  },
  {
    what: "Solid Queue",
    ddl: "CREATE TABLE solid_queue_jobs (id bigserial PRIMARY KEY, queue_name varchar NOT NULL, class_name varchar NOT NULL, arguments text, priority int NOT NULL DEFAULT 0, active_job_id varchar, scheduled_at timestamp, finished_at timestamp, concurrency_key varchar, created_at timestamp NOT NULL, updated_at timestamp NOT NULL)",
    says: "Solid Queue",
  },
  {
    what: "que",
    ddl: "CREATE TABLE que_jobs (priority smallint NOT NULL DEFAULT 100, run_at timestamptz NOT NULL DEFAULT now(), id bigserial PRIMARY KEY, job_class text NOT NULL, error_count int NOT NULL DEFAULT 0, last_error_message text, queue text NOT NULL DEFAULT 'default', args jsonb NOT NULL DEFAULT '[]', finished_at timestamptz, expired_at timestamptz, data jsonb NOT NULL DEFAULT '{}')",
    says: "que",
  },
  {
    what: "Celery's results",
    ddl: "CREATE TABLE celery_taskmeta (id int PRIMARY KEY, task_id varchar(155) UNIQUE, status varchar(50), result bytea, date_done timestamp, traceback text, name varchar(155), args bytea, kwargs bytea, worker varchar(155), retries int, queue varchar(155))",
    says: "Celery",
  },
  {
    what: "Quartz",
    ddl: "CREATE TABLE qrtz_triggers (sched_name varchar(120) NOT NULL, trigger_name varchar(200) NOT NULL, trigger_group varchar(200) NOT NULL, job_name varchar(200) NOT NULL, next_fire_time bigint, prev_fire_time bigint, priority int, trigger_state varchar(16) NOT NULL, trigger_type varchar(8) NOT NULL, start_time bigint NOT NULL, job_data bytea, PRIMARY KEY (sched_name, trigger_name, trigger_group))",
    says: "Quartz",
  },
  {
    what: "a hand-made job queue",
    ddl: "CREATE TABLE background_jobs (id uuid PRIMARY KEY, job_type text NOT NULL, payload jsonb NOT NULL, priority int NOT NULL DEFAULT 0, status text NOT NULL DEFAULT 'pending', attempts int NOT NULL DEFAULT 0, max_attempts int NOT NULL DEFAULT 5, run_at timestamptz NOT NULL, locked_by text, locked_at timestamptz, last_error text, created_at timestamptz, completed_at timestamptz)",
  },
  {
    what: "sessions",
    ddl: "CREATE TABLE user_sessions (id text PRIMARY KEY, user_id uuid, data jsonb NOT NULL, created_at timestamptz, expires_at timestamptz NOT NULL)",
  },
  {
    what: "idempotency keys of requests",
    ddl: "CREATE TABLE idempotency_keys (id bigserial PRIMARY KEY, idempotency_key text NOT NULL UNIQUE, request_method text NOT NULL, request_path text NOT NULL, request_params jsonb, response_code int, response_body jsonb, locked_at timestamptz, created_at timestamptz NOT NULL)",
  },
  {
    what: "payments",
    ddl: "CREATE TABLE payments (id uuid PRIMARY KEY, type text NOT NULL, status text NOT NULL, data jsonb, amount numeric NOT NULL, currency text, error_message text, created_at timestamptz, processed_at timestamptz)",
  },
  {
    what: "a calendar's events",
    ddl: "CREATE TABLE events (id bigserial PRIMARY KEY, title text NOT NULL, description text, type text, location text, status text NOT NULL, published_at timestamptz, starts_at timestamptz NOT NULL, ends_at timestamptz, created_at timestamptz)",
  },
  {
    what: "blog posts",
    ddl: "CREATE TABLE posts (id bigserial PRIMARY KEY, type text, body text NOT NULL, status text NOT NULL, created_at timestamptz, published_at timestamptz)",
  },
  {
    what: "dead letters",
    ddl: "CREATE TABLE outbox_dead_letters (id uuid PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, error text, failed_at timestamptz NOT NULL)",
  },
  {
    what: "dead letters of Axon",
    ddl: "CREATE TABLE dead_letter_entry (dead_letter_id varchar(255) PRIMARY KEY, cause_message varchar(1023), cause_type varchar(255), enqueued_at timestamp NOT NULL, last_touched timestamp, aggregate_identifier varchar(255), event_identifier varchar(255) NOT NULL, message_type varchar(255) NOT NULL, payload bytea NOT NULL, payload_type varchar(255) NOT NULL, processing_group varchar(255) NOT NULL, processing_started timestamp, sequence_identifier varchar(255) NOT NULL, sequence_index bigint NOT NULL)",
    says: "Axon",
  },
  {
    what: "keys of Spring Integration",
    ddl: "CREATE TABLE INT_METADATA_STORE (METADATA_KEY varchar(255) NOT NULL, METADATA_VALUE varchar(4000), REGION varchar(100) NOT NULL, PRIMARY KEY (METADATA_KEY, REGION))",
    says: "Spring Integration",
  },
];
