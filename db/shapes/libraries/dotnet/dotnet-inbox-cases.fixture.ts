import type { LibraryInboxCase } from "../library-inbox-case.fixture.ts";

const ABP = `"Id" uuid PRIMARY KEY, "ExtraProperties" text NOT NULL, "MessageId" varchar(256), "EventName" varchar(256) NOT NULL, "EventData" bytea NOT NULL,
  "CreationTime" timestamp NOT NULL`;
const DDD =
  "id uuid PRIMARY KEY, type text NOT NULL, content jsonb NOT NULL, occurred_on_utc timestamptz NOT NULL, processed_on_utc timestamptz";

export const dotnetInboxCases: readonly LibraryInboxCase[] = [
  {
    slug: "abp-inbox",
    columns: `${ABP}, "Status" integer NOT NULL, "HandledTime" timestamp, "RetryCount" integer NOT NULL, "NextRetryTime" timestamp`,
    table: '"AbpEventInbox"',
    rows: [
      ["unprocessed", "'{id}', '{}', 'm1', 'Placed', '{}', '2026-01-01', 0, NULL, 0, NULL"],
      ["failed", "'{id}', '{}', 'm2', 'Placed', '{}', '2026-01-01', 0, NULL, 2, '2026-01-02'"],
      ["failed", "'{id}', '{}', 'm3', 'Placed', '{}', '2026-01-01', 1, '2026-01-02', 10, NULL"],
      ["processed", "'{id}', '{}', 'm4', 'Placed', '{}', '2026-01-01', 2, '2026-01-02', 1, NULL"],
    ],
  },
  {
    slug: "abp-inbox-8",
    columns: `${ABP}, "Processed" boolean NOT NULL, "ProcessedTime" timestamp`,
    table: '"AbpEventInbox"',
    rows: [
      ["unprocessed", "'{id}', '{}', 'm1', 'Placed', '{}', '2026-01-01', false, NULL"],
      ["processed", "'{id}', '{}', 'm2', 'Placed', '{}', '2026-01-01', true, '2026-01-02'"],
    ],
  },
  {
    slug: "kgrzybek-inbox",
    columns: `"Id" uuid PRIMARY KEY, "OccurredOn" timestamp NOT NULL, "Type" varchar(255) NOT NULL, "Data" text NOT NULL, "ProcessedDate" timestamp`,
    table: '"InboxMessages"',
    rows: [
      ["unprocessed", "'{id}', '2026-01-01', 'Placed', '{}', NULL"],
      ["processed", "'{id}', '2026-01-01', 'Placed', '{}', '2026-01-02'"],
    ],
  },
  {
    slug: "dotnet-ddd-inbox",
    columns: `${DDD}, error text`,
    table: "inbox_messages",
    rows: [
      ["unprocessed", "'{id}', 'Placed', '{}', '2026-01-01', NULL, NULL"],
      ["processed", "'{id}', 'Placed', '{}', '2026-01-01', '2026-01-02', NULL"],
      ["failed", "'{id}', 'Placed', '{}', '2026-01-01', '2026-01-02', 'refused'"],
    ],
  },
  {
    slug: "dotnet-ddd-inbox-without-error",
    columns: DDD,
    table: "inbox_messages",
    rows: [
      ["unprocessed", "'{id}', 'Placed', '{}', '2026-01-01', NULL"],
      ["processed", "'{id}', 'Placed', '{}', '2026-01-01', '2026-01-02'"],
    ],
  },
  {
    slug: "dotnet-ddd-outbox-consumers",
    columns: "outbox_message_id uuid NOT NULL, name varchar(500) NOT NULL, PRIMARY KEY (outbox_message_id, name)",
    table: "outbox_message_consumers",
    rows: [["received", "'{id}', 'handler'"]],
  },
  {
    slug: "masstransit-inbox-state",
    columns: `"Id" bigint PRIMARY KEY, "MessageId" uuid NOT NULL, "ConsumerId" uuid NOT NULL, "LockId" uuid NOT NULL, "RowVersion" bytea, "Received" timestamptz NOT NULL,
      "ReceiveCount" integer NOT NULL, "ExpirationTime" timestamptz, "Consumed" timestamptz, "Delivered" timestamptz, "LastSequenceNumber" bigint`,
    table: '"InboxState"',
    rows: [
      ["unprocessed", "1, '{id}', '{id}', '{id}', NULL, '2026-01-01', 1, NULL, NULL, NULL, NULL"],
      ["failed", "2, '{id}', '{id}', '{id}', NULL, '2026-01-01', 3, NULL, NULL, NULL, NULL"],
      ["unprocessed", "3, '{id}', '{id}', '{id}', NULL, '2026-01-01', 1, NULL, '2026-01-02', NULL, 7"],
      ["processed", "4, '{id}', '{id}', '{id}', NULL, '2026-01-01', 2, NULL, '2026-01-02', '2026-01-02', NULL"],
    ],
  },
  {
    slug: "wolverine-incoming",
    columns: `id uuid NOT NULL PRIMARY KEY, status varchar NOT NULL, owner_id integer NOT NULL, execution_time timestamptz, attempts integer DEFAULT 0, body bytea NOT NULL,
      message_type varchar NOT NULL, received_at varchar, keep_until timestamptz`,
    table: "wolverine_incoming_envelopes",
    rows: [
      ["unprocessed", "'{id}', 'Incoming', 0, NULL, 0, 'x', 'Placed', 'kafka://orders', NULL"],
      ["unprocessed", "'{id}', 'Scheduled', 0, '2035-01-01', NULL, 'x', 'Placed', 'kafka://orders', NULL"],
      ["failed", "'{id}', 'Scheduled', 0, '2035-01-01', 2, 'x', 'Placed', 'kafka://orders', NULL"],
      ["processed", "'{id}', 'Handled', 0, NULL, 2, 'x', 'Placed', 'kafka://orders', '2035-01-01'"],
    ],
  },
  {
    slug: "cap-received",
    columns: `"Id" bigint PRIMARY KEY NOT NULL, "Version" varchar(20) NOT NULL, "Name" varchar(200) NOT NULL, "Group" varchar(200), "Content" text, "Retries" int NOT NULL,
      "Added" timestamp NOT NULL, "ExpiresAt" timestamp, "StatusName" varchar(50) NOT NULL`,
    table: "received",
    rows: [
      ["unprocessed", "1, 'v1', 'placed', 'shop', '{}', 0, '2026-01-01', NULL, 'Scheduled'"],
      ["failed", "2, 'v1', 'placed', 'shop', '{}', 3, '2026-01-01', '2026-01-16', 'Failed'"],
      ["failed", "3, 'v1', 'placed', NULL, '{}', 50, '2026-01-01', '2026-01-16', 'Failed'"],
      ["processed", "4, 'v1', 'placed', 'shop', '{}', 0, '2026-01-01', '2026-01-02', 'Succeeded'"],
    ],
  },
  {
    slug: "brighter-inbox",
    columns: `commandid varchar(256) NOT NULL, commandtype varchar(256), commandbody text, timestamp timestamptz, contextkey varchar(256), causationid varchar(256),
      PRIMARY KEY (commandid, contextkey)`,
    table: "inbox",
    rows: [["received", "'m1', 'Placed', '{}', '2026-01-01', 'handler', NULL"]],
  },
];
