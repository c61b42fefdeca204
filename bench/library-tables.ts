/** A library's table for the console's reads: its DDL, and how it is filled. */
export interface LibraryBenchTable {
  library: string;
  /** What marks a published message there. */
  marks: string;
  table: string;
  /** Without indexes, except the library's own. */
  ddl: string;
  /** SELECT of the columns of `i`, the row's number, of which `rows` are made. */
  fill: (rows: number) => string;
  /** Bare conditions for the same rows. */
  waits: string;
  dead: string;
  published: string | null;
  order: string;
}

/** Of ten million rows, 3,000 wait and 30,000 are dead. */
const WAITING = 3_000;
const DEAD = 30_000;
const body = "jsonb_build_object('n', i, 'note', repeat('x', 470))";
const state = (rows: number, waiting: string, dead: string, published: string) =>
  `CASE WHEN i > ${rows - WAITING} THEN ${waiting} WHEN i % ${Math.max(1, Math.floor(rows / DEAD))} = 0 THEN ${dead} ELSE ${published} END`;
const at = (rows: number) => `now() - interval '30 days' + i * (interval '30 days' / ${rows})`;

export const LIBRARY_TABLES: readonly LibraryBenchTable[] = [
  {
    library: "CAP",
    marks: "a status",
    table: 'public."published"',
    ddl: `CREATE TABLE "published" ("Id" bigint PRIMARY KEY NOT NULL, "Version" varchar(20) NOT NULL, "Name" varchar(200) NOT NULL, "Content" text, "Retries" int NOT NULL,
      "Added" timestamp NOT NULL, "ExpiresAt" timestamp, "StatusName" varchar(50) NOT NULL);
      CREATE INDEX "idx_published_ExpiresAt_StatusName" ON "published" ("ExpiresAt", "StatusName")`,
    fill: (rows) =>
      `SELECT i, 'v1', 'order.changed.' || i % 19, (${body})::text, ${state(rows, "0", "50", "0")}, ${at(rows)}, NULL::timestamp, ${state(rows, "'Scheduled'", "'Failed'", "'Succeeded'")} FROM generate_series(1, ${rows}) i`,
    waits: `"StatusName" IN ('Scheduled', 'Queued', 'Delayed') OR ("StatusName" = 'Failed' AND "Retries" < 50)`,
    dead: `"StatusName" = 'Failed' AND "Retries" >= 50`,
    published: `"StatusName" = 'Succeeded'`,
    order: '"Added", "Id"',
  },
  {
    library: "pg-transactional-outbox",
    marks: "a time",
    table: "public.outbox",
    ddl: `CREATE TABLE outbox (id uuid PRIMARY KEY, aggregate_type text NOT NULL, aggregate_id text NOT NULL, message_type text NOT NULL, segment text,
      concurrency text NOT NULL DEFAULT 'sequential', payload jsonb NOT NULL, metadata jsonb, locked_until timestamptz NOT NULL DEFAULT to_timestamp(0),
      created_at timestamptz NOT NULL DEFAULT clock_timestamp(), processed_at timestamptz, abandoned_at timestamptz, started_attempts smallint NOT NULL DEFAULT 0,
      finished_attempts smallint NOT NULL DEFAULT 0)`,
    fill: (rows) =>
      `SELECT gen_random_uuid(), 'order', 'order-' || i % 200000, 'order.changed.' || i % 19, NULL::text, 'sequential', ${body}, NULL::jsonb, to_timestamp(0), ${at(rows)},
        ${state(rows, "NULL::timestamptz", "NULL::timestamptz", at(rows))}, ${state(rows, "NULL::timestamptz", at(rows), "NULL::timestamptz")}, 1, ${state(rows, "0", "5", "1")} FROM generate_series(1, ${rows}) i`,
    waits: "processed_at IS NULL AND abandoned_at IS NULL",
    dead: "abandoned_at IS NOT NULL AND processed_at IS NULL",
    published: "processed_at IS NOT NULL",
    order: "created_at, id",
  },
  {
    library: "fullstackhouse/nestjs-outbox",
    marks: "its row is deleted, so all of them wait or are dead",
    table: "public.outbox_transport_event",
    ddl: `CREATE TABLE outbox_transport_event (id bigserial PRIMARY KEY, event_name varchar(255) NOT NULL, event_payload json NOT NULL, delivered_to_listeners json NOT NULL,
      attempt_at bigint, expire_at bigint NOT NULL, inserted_at bigint NOT NULL, retry_count int NOT NULL DEFAULT 0, status varchar(20) NOT NULL DEFAULT 'pending')`,
    fill: (rows) =>
      `SELECT i, 'order.changed.' || i % 19, (${body})::json, '[]'::json, CASE WHEN i % 5 = 0 THEN NULL ELSE 1700000000000 + i END, 1900000000000, 1700000000000 + i,
        CASE WHEN i % 5 = 0 THEN 6 ELSE 0 END, CASE WHEN i % 5 = 0 THEN 'failed' ELSE 'pending' END FROM generate_series(1, ${rows}) i`,
    waits: "status = 'pending' AND attempt_at IS NOT NULL",
    dead: "status = 'failed'",
    published: null,
    order: "inserted_at, id",
  },
];
