/** Tables of queues, mailers, workflows, stores of events and migrations that well-known tools create. */
export const OTHERS_BY_TOOLS: readonly string[] = [
  // Jobs.
  "CREATE TABLE queue (item_id bigserial PRIMARY KEY, name varchar(255) NOT NULL DEFAULT '', data bytea, expire bigint NOT NULL DEFAULT 0, created bigint NOT NULL DEFAULT 0)",
  "CREATE TABLE queue_message (id bigserial PRIMARY KEY, topic_name varchar(255), body text)",
  "CREATE TABLE queue_message_status (id bigserial PRIMARY KEY, queue_id int NOT NULL, message_id bigint NOT NULL, updated_at timestamp NOT NULL DEFAULT now(), status smallint NOT NULL, number_of_trials smallint NOT NULL DEFAULT 0)",
  "CREATE TABLE wp_actionscheduler_actions (action_id bigserial PRIMARY KEY, hook varchar(191) NOT NULL, status varchar(20) NOT NULL, scheduled_date_gmt timestamp, args varchar(191), schedule text, group_id bigint NOT NULL DEFAULT 0, attempts int NOT NULL DEFAULT 0, last_attempt_gmt timestamp, claim_id bigint NOT NULL DEFAULT 0, extended_args varchar(8000))",
  "CREATE TABLE solid_queue_ready_executions (id bigserial PRIMARY KEY, job_id bigint NOT NULL, queue_name varchar NOT NULL, priority int NOT NULL DEFAULT 0, created_at timestamp NOT NULL)",
  "CREATE TABLE solid_cable_messages (id bigserial PRIMARY KEY, channel bytea NOT NULL, payload bytea NOT NULL, created_at timestamp NOT NULL, channel_hash bigint NOT NULL)",
  "CREATE TABLE sidekiq_scheduled (id bigserial PRIMARY KEY, jid varchar(24) NOT NULL, klass text NOT NULL, args jsonb NOT NULL, enqueued_at timestamptz, failed_at timestamptz, retry_count int)",
  "CREATE TABLE background_tasks (id bigserial PRIMARY KEY, handler text NOT NULL, payload jsonb NOT NULL, state text NOT NULL DEFAULT 'ready', attempts int NOT NULL DEFAULT 0, run_at timestamptz NOT NULL DEFAULT now(), finished_at timestamptz)",
  "CREATE TABLE jobqueue (id bigserial PRIMARY KEY, jobid bigint NOT NULL, queue text NOT NULL, fetchedat timestamptz, updatecount int NOT NULL DEFAULT 0)",
  "CREATE TABLE qrtz_fired_triggers (sched_name varchar(120) NOT NULL, entry_id varchar(95) NOT NULL, trigger_name varchar(200) NOT NULL, instance_name varchar(200) NOT NULL, fired_time bigint NOT NULL, sched_time bigint NOT NULL, priority int NOT NULL, state varchar(16) NOT NULL, PRIMARY KEY (sched_name, entry_id))",
  "CREATE TABLE act_ru_job (id_ varchar(64) PRIMARY KEY, rev_ int, type_ varchar(255) NOT NULL, lock_exp_time_ timestamp, lock_owner_ varchar(255), retries_ int, exception_msg_ varchar(4000), duedate_ timestamp, handler_type_ varchar(255), handler_cfg_ varchar(4000))",
  "CREATE TABLE act_ru_event_subscr (id_ varchar(64) PRIMARY KEY, rev_ int, event_type_ varchar(255) NOT NULL, event_name_ varchar(255), execution_id_ varchar(64), configuration_ varchar(255), created_ timestamp NOT NULL)",
  "CREATE TABLE taskqueue_tasks (id uuid PRIMARY KEY, task_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'pending', retries int NOT NULL DEFAULT 0, started_at timestamptz, completed_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
  // Mail, push and webhooks.
  "CREATE TABLE action_mailbox_inbound_emails (id bigserial PRIMARY KEY, status int NOT NULL DEFAULT 0, message_id varchar NOT NULL, message_checksum varchar NOT NULL, created_at timestamp NOT NULL, updated_at timestamp NOT NULL, UNIQUE (message_id, message_checksum))",
  "CREATE TABLE rpush_notifications (id bigserial PRIMARY KEY, badge int, device_token varchar(64), sound varchar, alert text, data text, expiry int DEFAULT 86400, delivered boolean NOT NULL DEFAULT false, delivered_at timestamp, failed boolean NOT NULL DEFAULT false, failed_at timestamp, error_code int, error_description text, deliver_after timestamp, retries int DEFAULT 0, created_at timestamp NOT NULL, type varchar NOT NULL)",
  'CREATE TABLE ahoy_messages (id bigserial PRIMARY KEY, user_type varchar, user_id bigint, "to" text, mailer varchar, subject text, sent_at timestamp, token varchar, opened_at timestamp, clicked_at timestamp)',
  "CREATE TABLE noticed_notifications (id bigserial PRIMARY KEY, type varchar, event_id bigint NOT NULL, recipient_type varchar NOT NULL, recipient_id bigint NOT NULL, read_at timestamp, seen_at timestamp, created_at timestamp NOT NULL)",
  "CREATE TABLE email_outbound (id uuid PRIMARY KEY, to_addr text NOT NULL, from_addr text NOT NULL, mime bytea NOT NULL, state text NOT NULL DEFAULT 'queued', tries int NOT NULL DEFAULT 0, queued_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz)",
  "CREATE TABLE web_hook_logs (id bigserial PRIMARY KEY, web_hook_id bigint NOT NULL, trigger varchar, url varchar, request_headers text, request_data text, response_headers text, response_body text, response_status varchar, execution_duration float, internal_error_message varchar, created_at timestamp NOT NULL)",
  "CREATE TABLE webhook_attempts (id uuid PRIMARY KEY, event_id uuid NOT NULL, endpoint_id uuid NOT NULL, attempt_no int NOT NULL, status_code int, request_body text, response_body text, attempted_at timestamptz NOT NULL DEFAULT now())",
  "CREATE SCHEMA IF NOT EXISTS net; CREATE TABLE http_request_queue (id bigserial PRIMARY KEY, method text NOT NULL, url text NOT NULL, headers jsonb, body bytea, timeout_milliseconds int NOT NULL)",
  "CREATE TABLE job_run_details (jobid bigint, runid bigserial PRIMARY KEY, job_pid int, database text, username text, command text, status text, return_message text, start_time timestamptz, end_time timestamptz)",
  // Brokers in a database.
  "CREATE TABLE activemq_msgs (id bigint PRIMARY KEY, container varchar(250) NOT NULL, msgid_prod varchar(250), msgid_seq bigint, expiration bigint, msg bytea, priority bigint, xid varchar(250))",
  "CREATE TABLE int_channel_message (message_id char(36) NOT NULL, group_key char(36) NOT NULL, created_date bigint NOT NULL, message_priority bigint, message_sequence bigint NOT NULL DEFAULT 1, message_bytes bytea, region varchar(100) NOT NULL, PRIMARY KEY (region, group_key, created_date, message_sequence))",
  // Stores of events and their readers.
  "CREATE TABLE journal (ordering bigserial, persistence_id varchar(255) NOT NULL, sequence_number bigint NOT NULL, deleted boolean NOT NULL DEFAULT false, tags varchar(255), message bytea NOT NULL, PRIMARY KEY (persistence_id, sequence_number))",
  "CREATE TABLE token_entry (processor_name varchar(255) NOT NULL, segment int NOT NULL, owner varchar(255), timestamp varchar(255) NOT NULL, token bytea, token_type varchar(255), PRIMARY KEY (processor_name, segment))",
  "CREATE TABLE saga_entry (saga_id varchar(255) PRIMARY KEY, revision varchar(255), saga_type varchar(255), serialized_saga bytea)",
  "CREATE TABLE mt_streams (id uuid PRIMARY KEY, type varchar, version bigint, timestamp timestamptz NOT NULL DEFAULT now(), snapshot jsonb, snapshot_version int, created timestamptz NOT NULL DEFAULT now(), tenant_id varchar DEFAULT '*DEFAULT*', is_archived boolean DEFAULT false)",
  "CREATE TABLE event_store_events_in_streams (id bigserial PRIMARY KEY, stream varchar NOT NULL, position int, event_id uuid NOT NULL, created_at timestamp NOT NULL)",
  "CREATE TABLE stream_events (event_id uuid NOT NULL, stream_id bigint NOT NULL, stream_version bigint NOT NULL, original_stream_id bigint, original_stream_version bigint, PRIMARY KEY (event_id, stream_id))",
  // Ledgers, prints, sagas.
  "CREATE TABLE postings (id bigserial PRIMARY KEY, journal_entry_id bigint NOT NULL, account_id bigint NOT NULL, amount numeric(18,2) NOT NULL, direction char(1) NOT NULL, posted_at timestamptz)",
  "CREATE TABLE settlement_transfers (id uuid PRIMARY KEY, debit_account text NOT NULL, credit_account text NOT NULL, amount numeric(18,2) NOT NULL, currency char(3) NOT NULL, status text NOT NULL DEFAULT 'PENDING', payload jsonb, sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
  "CREATE TABLE print_queue (id bigserial PRIMARY KEY, printer_name text NOT NULL, document bytea NOT NULL, copies int NOT NULL DEFAULT 1, status text NOT NULL DEFAULT 'queued', printed_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
  "CREATE TABLE spool_files (id bigserial PRIMARY KEY, printer_id int NOT NULL, content bytea NOT NULL, status text NOT NULL DEFAULT 'PENDING', error text, created_at timestamptz NOT NULL, sent_at timestamptz)",
  "CREATE TABLE saga_instances (correlation_id uuid PRIMARY KEY, current_state text NOT NULL, saga_type text NOT NULL, data jsonb NOT NULL, version int NOT NULL, updated_at timestamptz)",
  "CREATE TABLE saga_steps (id uuid PRIMARY KEY, saga_id uuid NOT NULL, step_name text NOT NULL, payload jsonb, status text NOT NULL DEFAULT 'PENDING', started_at timestamptz, completed_at timestamptz, compensated_at timestamptz)",
  // Migrations and settings.
  `CREATE TABLE "__EFMigrationsHistory" ("MigrationId" varchar(150) PRIMARY KEY, "ProductVersion" varchar(32) NOT NULL)`,
  "CREATE TABLE databasechangelog (id varchar(255) NOT NULL, author varchar(255) NOT NULL, filename varchar(255) NOT NULL, dateexecuted timestamp NOT NULL, orderexecuted int NOT NULL, exectype varchar(10) NOT NULL, md5sum varchar(35), description varchar(255), deployment_id varchar(10))",
  "CREATE TABLE _prisma_migrations (id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz, migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz, started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count int NOT NULL DEFAULT 0)",
  // Feeds, people and places.
  "CREATE TABLE activity_feed (id bigserial PRIMARY KEY, user_id bigint NOT NULL, verb text NOT NULL, object_type text, object_id bigint, payload jsonb, created_at timestamptz NOT NULL DEFAULT now())",
  "CREATE TABLE feed_items (id bigserial PRIMARY KEY, feed_id bigint NOT NULL, event_type text NOT NULL, payload jsonb NOT NULL, seen_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
  "CREATE TABLE event_entity (id varchar(36) PRIMARY KEY, client_id varchar(255), details_json varchar(2550), error varchar(255), ip_address varchar(255), realm_id varchar(255), session_id varchar(255), event_time bigint, type varchar(255), user_id varchar(255))",
  "CREATE TABLE versions (id bigserial PRIMARY KEY, item_type varchar NOT NULL, item_id bigint NOT NULL, event varchar NOT NULL, whodunnit varchar, object text, object_changes text, created_at timestamp)",
  "CREATE TABLE fax_queue (id bigserial PRIMARY KEY, fax_number text NOT NULL, document bytea NOT NULL, status text NOT NULL DEFAULT 'pending', attempts int NOT NULL DEFAULT 0, sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
];

/** Tables that only a person can tell from an outbox or an inbox. */
export const ASKED_BY_TOOLS: readonly string[] = [
  "CREATE TABLE event_tickets (id bigserial PRIMARY KEY, event_id bigint NOT NULL, type text NOT NULL, status text NOT NULL DEFAULT 'reserved', payload jsonb, sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
  "CREATE TABLE mailroom_outbox_trays (id serial PRIMARY KEY, name text NOT NULL, location text, capacity int)",
  "CREATE TABLE sync_log (id bigserial PRIMARY KEY, entity_type text NOT NULL, entity_id bigint NOT NULL, operation text NOT NULL, payload jsonb, status text NOT NULL, synced_at timestamptz NOT NULL DEFAULT now(), error text)",
  "CREATE TABLE http_outbox (id uuid PRIMARY KEY, method text NOT NULL, url text NOT NULL, body jsonb, status text NOT NULL DEFAULT 'PENDING', response_code int, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz)",
  "CREATE TABLE message_store_messages (global_position bigserial PRIMARY KEY, position bigint NOT NULL, time timestamp NOT NULL DEFAULT now(), stream_name text NOT NULL, type text NOT NULL, data jsonb, metadata jsonb, id uuid NOT NULL)",
  "CREATE TABLE domain_event_entry (global_index bigserial PRIMARY KEY, aggregate_identifier varchar(255) NOT NULL, sequence_number bigint NOT NULL, type varchar(255), event_identifier varchar(255) NOT NULL, meta_data bytea, payload bytea NOT NULL, payload_revision varchar(255), payload_type varchar(255) NOT NULL, time_stamp varchar(255) NOT NULL)",
  "CREATE TABLE stripe_events (id text PRIMARY KEY, type text NOT NULL, data jsonb NOT NULL, processed_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
];
