/** Tables of public repositories that have an outbox's or an inbox's words, and are neither. */
export const OTHERS_IN_REPOSITORIES: readonly string[] = [
  // Counts and workers of an outbox.
  "CREATE TABLE outboxer_message_counts (id bigserial PRIMARY KEY, hostname varchar(255) NOT NULL, process_id int NOT NULL, thread_id int NOT NULL, queued int NOT NULL, publishing int NOT NULL, published int NOT NULL, failed int NOT NULL, created_at timestamp NOT NULL, updated_at timestamp NOT NULL)",
  "CREATE TABLE outboxer_publishers (id bigserial PRIMARY KEY, name varchar(263) NOT NULL, status varchar(255) NOT NULL, settings json NOT NULL, metrics json NOT NULL, created_at timestamp NOT NULL, updated_at timestamp NOT NULL)",
  // Letters and what is attached to them.
  "CREATE TABLE auth_email_outbox (id uuid PRIMARY KEY, purpose text NOT NULL, recipient text NOT NULL, idempotency_key text NOT NULL UNIQUE, nonce bytea NOT NULL, ciphertext bytea NOT NULL, auth_tag bytea NOT NULL, attempt_count integer NOT NULL DEFAULT 0, next_attempt_at timestamptz NOT NULL DEFAULT now(), lease_id uuid, lease_until timestamptz, sent_at timestamptz, dead_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
  "CREATE TABLE message_outbox_adjunto (id uuid PRIMARY KEY, workspace_id uuid NOT NULL, outbox_id uuid NOT NULL, archivo_id uuid NOT NULL, orden integer NOT NULL)",
  "CREATE TABLE outbox (id serial PRIMARY KEY, sender varchar(40) NOT NULL, queue_time timestamp NOT NULL DEFAULT now(), recipients varchar(20) NOT NULL DEFAULT 'all', arguments varchar(100), subject varchar(255) NOT NULL, content text NOT NULL, copy_sender smallint, completion_time timestamp)",
  "CREATE TABLE outbox_requests (id uuid PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL DEFAULT 'queued', last_error text, attempts int NOT NULL DEFAULT 0, thread_id uuid NOT NULL, campaign_id uuid NOT NULL, lead_id uuid NOT NULL, draft_id uuid, subject text NOT NULL, body text NOT NULL, from_email text, to_email text, provider text, provider_message_id text, sent_at timestamptz)",
  // Webhooks, both ways.
  "CREATE TABLE outgoing_webhook_deliveries (delivery_id uuid PRIMARY KEY, org_id uuid NOT NULL, event_type text NOT NULL, target_url text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING', attempt_count integer NOT NULL DEFAULT 0, max_attempts integer NOT NULL DEFAULT 6, next_retry_at timestamptz NOT NULL DEFAULT now(), last_error text, created_at timestamptz NOT NULL DEFAULT now(), delivered_at timestamptz)",
  "CREATE TABLE outgoing_webhooks (id uuid PRIMARY KEY, url text NOT NULL, events text[] NOT NULL DEFAULT '{}', secret text NOT NULL, active boolean DEFAULT true, created_at timestamptz DEFAULT now())",
  // Threads that people read, where a connector is, and an outbox's audit.
  "CREATE TABLE inbox_threads (id text PRIMARY KEY, kind text NOT NULL, subject text, priority text NOT NULL, unread integer NOT NULL, muted integer NOT NULL)",
  "CREATE TABLE inbox_positions (source_id uuid NOT NULL, thread_id text NOT NULL, message_id text NOT NULL, sent_at timestamptz NOT NULL, updated_at timestamptz NOT NULL, PRIMARY KEY (source_id, thread_id))",
  "CREATE TABLE outbox_audit (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, actor text NOT NULL, action text NOT NULL, created_at timestamptz NOT NULL DEFAULT now())",
  // Goods, calendars, mail, agents and people.
  "CREATE TABLE outgoing_docs (id serial PRIMARY KEY, counterparty_id int NOT NULL, warehouse_id int NOT NULL, created_at timestamp NOT NULL DEFAULT now())",
  "CREATE TABLE pending_events (id uuid PRIMARY KEY, creator_id uuid, invited_user_ids uuid[] NOT NULL DEFAULT '{}', event_time timestamptz NOT NULL, duration_hours float NOT NULL DEFAULT 1, status text NOT NULL DEFAULT 'pending', acceptances uuid[] NOT NULL DEFAULT '{}', created_at timestamptz DEFAULT now(), google_event_created boolean DEFAULT false)",
  "CREATE TABLE inbox_messages (id uuid PRIMARY KEY, account text NOT NULL, message_id text UNIQUE, thread_id text, from_address text NOT NULL, from_name text, to_address text, subject text, body_text text, body_html text, is_read boolean DEFAULT false, is_starred boolean DEFAULT false, received_at timestamptz)",
  "CREATE TABLE inbox_messages (id text PRIMARY KEY, to_agent_id text NOT NULL, from_agent_id text NOT NULL, type text NOT NULL, task_id text NOT NULL, payload text NOT NULL DEFAULT '{}', read integer NOT NULL DEFAULT 0, created_at timestamptz NOT NULL)",
  "CREATE TABLE inbox_recommendations (id serial PRIMARY KEY, sender_name varchar(255), sender_email varchar(255), email_subject varchar(500), email_date timestamp, email_snippet text, recommendation_type varchar(20), recommendation_json text, status varchar(20) DEFAULT 'pending', created_at timestamp DEFAULT now())",
  "CREATE TABLE inbox_items (app_id text NOT NULL, item_id text NOT NULL, username text NOT NULL, received integer NOT NULL, blob bytea NOT NULL, stored_at integer NOT NULL, PRIMARY KEY (app_id, item_id))",
  "CREATE TABLE inbox (temp_id text PRIMARY KEY, date text NOT NULL, description text NOT NULL, amount real NOT NULL, flow text NOT NULL, suggested_category text, created_at timestamptz NOT NULL)",
  "CREATE TABLE migration_quarantine (id varchar(64) PRIMARY KEY, source_table varchar(80) NOT NULL, source_id varchar(64) NOT NULL, reason varchar(200) NOT NULL, quarantined_at timestamptz NOT NULL DEFAULT now(), UNIQUE (source_table, source_id, reason))",
];

/** The same, of which a person only could tell; they may be asked about, and are never taken for one. */
export const ASKED_IN_REPOSITORIES: readonly string[] = [
  "CREATE TABLE integration_event_log (id uuid PRIMARY KEY, tenant_id uuid NOT NULL, connector_id varchar(50) NOT NULL, event_type varchar(100) NOT NULL, entity_type varchar(50), entity_id uuid, status varchar(20) NOT NULL, error_message text, duration_ms int, metadata_json text, created_at timestamptz NOT NULL DEFAULT now())",
  "CREATE TABLE message_outbox (id uuid PRIMARY KEY, batch_id uuid NOT NULL, channel text NOT NULL, member_id uuid, to_address text NOT NULL, body text NOT NULL, status text NOT NULL DEFAULT 'queued', provider text, provider_message_id text, sent_by uuid NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz)",
  // Where an outbox's dead ones are moved.
  "CREATE TABLE outbox_dlq (id serial PRIMARY KEY, original_id integer, aggregate_id uuid NOT NULL, aggregate_type varchar(100) NOT NULL, event_type varchar(100) NOT NULL, payload jsonb NOT NULL, attempts integer DEFAULT 0, last_error text, created_at timestamptz DEFAULT now(), moved_to_dlq_at timestamptz DEFAULT now())",
  // Where its sent ones are moved.
  "CREATE TYPE outbox_archive_status AS ENUM ('success','failed'); CREATE TABLE outbox_archive (id uuid PRIMARY KEY, trace_id uuid NOT NULL, event text NOT NULL, payload jsonb NOT NULL, status outbox_archive_status NOT NULL, retry_count integer NOT NULL, created_at timestamptz NOT NULL, archived_at timestamptz NOT NULL)",
  // Events of a device, read from a log.
  "CREATE TABLE event_queue (sequence bigint PRIMARY KEY, event_id text UNIQUE NOT NULL, due_time_micros bigint NOT NULL, priority integer NOT NULL, payload_json bytea NOT NULL)",
  // A row of the business, whose flag a producer sets.
  "CREATE TABLE user_logins (id serial PRIMARY KEY, username text NOT NULL, event_type text NOT NULL, event_time timestamp NOT NULL, sent_to_kafka boolean NOT NULL DEFAULT false)",
  // A store of events, from which others are told.
  "CREATE TABLE integration_events (id bigserial PRIMARY KEY, event_id uuid NOT NULL UNIQUE, aggregate_type varchar(100), aggregate_id uuid, event_type varchar(100) NOT NULL, event_version integer NOT NULL DEFAULT 1, payload jsonb NOT NULL, correlation_id uuid, actor varchar(255) NOT NULL, created_at timestamp NOT NULL DEFAULT now())",
  // Received, and to be worked on: the way is the other one.
  "CREATE TABLE sm_eventos_pendientes (id bigserial PRIMARY KEY, cliente text NOT NULL, id_externo text NOT NULL, tipo_evento text NOT NULL, payload jsonb NOT NULL, estado text NOT NULL DEFAULT 'pendiente', intentos smallint NOT NULL DEFAULT 0, ultimo_error text, id_correlacion text, recibido_en timestamptz NOT NULL DEFAULT now(), proximo_intento_en timestamptz, procesado_en timestamptz)",
  "CREATE TABLE ml_event_inbox (topic text NOT NULL, partition_id integer NOT NULL, offset_value bigint NOT NULL, raw_payload text, error_class text NOT NULL, quarantined_at timestamptz NOT NULL DEFAULT now(), UNIQUE (topic, partition_id, offset_value))",
  // A library's queue, whose acknowledged rows are deleted.
  "CREATE TABLE wilanis_queue (id uuid PRIMARY KEY, queue text NOT NULL, body jsonb NOT NULL, headers jsonb NOT NULL, attempts integer NOT NULL DEFAULT 0, available_at timestamptz NOT NULL, locked_until timestamptz, dead_at timestamptz)",
  // Jobs.
  "CREATE TABLE job_queue (id uuid PRIMARY KEY, job_type text NOT NULL, payload jsonb NOT NULL DEFAULT '{}', status text NOT NULL DEFAULT 'pending', priority integer NOT NULL DEFAULT 0, max_attempts integer NOT NULL DEFAULT 3, attempt_count integer NOT NULL DEFAULT 0, idempotency_key text UNIQUE, claimed_by text, claimed_at timestamptz, completed_at timestamptz, failed_at timestamptz, dead_at timestamptz, last_error_message text, scheduled_for timestamptz NOT NULL DEFAULT now(), created_at timestamptz NOT NULL DEFAULT now())",
  "CREATE TABLE external_tasks (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, kind text NOT NULL, payload jsonb NOT NULL, dedupe_key text NOT NULL UNIQUE, attempts integer NOT NULL DEFAULT 0, available_at timestamptz NOT NULL DEFAULT now(), locked_at timestamptz, completed_at timestamptz, dead_at timestamptz, last_error text NOT NULL DEFAULT '', created_at timestamptz NOT NULL DEFAULT now())",
];
