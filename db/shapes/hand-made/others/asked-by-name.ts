const UUID = "id uuid PRIMARY KEY";
const EVENT = "event_type text NOT NULL, payload jsonb NOT NULL";
const TIME = "created_at timestamptz NOT NULL DEFAULT now()";

/**
 * Tables with an outbox's columns whose names say something else. They may be asked about, and are never taken for one.
 */
export const ASKED_BY_NAME: readonly string[] = [
  // Copies that somebody made.
  `CREATE TABLE outbox_old (${UUID}, ${EVENT}, published_at timestamptz, ${TIME})`,
  `CREATE TABLE outbox_events_bak_20260101 (${UUID}, ${EVENT}, published_at timestamptz, ${TIME})`,
  `CREATE TABLE "TmpOutboxCopy" (${UUID}, ${EVENT}, published_at timestamptz, ${TIME})`,
  // What arrives, and what readers keep.
  `CREATE TABLE inbound_events (${UUID}, ${EVENT}, topic text NOT NULL, status text NOT NULL DEFAULT 'pending', processed_at timestamptz, ${TIME})`,
  `CREATE TABLE event_queue_inbound (${UUID}, ${EVENT}, topic text NOT NULL, published_at timestamptz, ${TIME})`,
  `CREATE TABLE projection_events (${UUID}, ${EVENT}, aggregate_id uuid, processed_at timestamptz, ${TIME})`,
  `CREATE TABLE import_events (${UUID}, ${EVENT}, topic text NOT NULL, status text NOT NULL DEFAULT 'new', processed_at timestamptz, ${TIME})`,
  // Parcels.
  `CREATE TABLE delivery_events (${UUID}, ${EVENT}, entity_id uuid NOT NULL, courier text, delivered_at timestamptz, ${TIME})`,
  // Logs and event stores.
  `CREATE TABLE published_events_log (id bigserial PRIMARY KEY, topic text NOT NULL, payload jsonb, status text NOT NULL, published_at timestamptz NOT NULL DEFAULT now())`,
  `CREATE TABLE domain_events (${UUID}, aggregate_id uuid NOT NULL, version int NOT NULL, ${EVENT}, status text NOT NULL DEFAULT 'pending', ${TIME}, UNIQUE (aggregate_id, version))`,
  // Jobs and text messages.
  `CREATE TABLE message_queue (id bigserial PRIMARY KEY, queue_name text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'pending', visible_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, ${TIME})`,
  `CREATE TABLE message_outbox (${UUID}, to_phone text NOT NULL, body text NOT NULL, status text NOT NULL DEFAULT 'queued', provider_sid text, sent_at timestamptz, ${TIME})`,
  `CREATE TABLE message_box (${UUID}, message_type text NOT NULL, payload jsonb NOT NULL, direction text NOT NULL CHECK (direction IN ('IN','OUT')), processed_at timestamptz, ${TIME})`,
  // Helpers of an outbox.
  `CREATE TABLE outbox_heartbeat (id int PRIMARY KEY, payload jsonb, status text NOT NULL DEFAULT 'new', ${TIME})`,
  `CREATE TABLE outbox_leader (id int PRIMARY KEY, topic text, payload jsonb, ${TIME})`,
  // Transactions of a bank, and commands to a machine.
  "CREATE TABLE transaction_events (id uuid PRIMARY KEY, transaction_id uuid NOT NULL, event_type text NOT NULL, payload jsonb, amount numeric, created_at timestamptz NOT NULL DEFAULT now())",
  "CREATE TABLE bank_transaction_messages (id bigserial PRIMARY KEY, transaction_id bigint NOT NULL, message text NOT NULL, status text NOT NULL DEFAULT 'PENDING', processed_at timestamptz, created_at timestamptz DEFAULT now())",
  "CREATE TABLE robot_command_dispatch (id bigserial PRIMARY KEY, robot_id bigint NOT NULL, command text NOT NULL, status text NOT NULL DEFAULT 'pending', dispatched_at timestamptz, finished_at timestamptz)",
];
