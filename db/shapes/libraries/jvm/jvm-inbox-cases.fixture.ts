import type { LibraryInboxCase } from "../library-inbox-case.fixture.ts";

export const jvmInboxCases: readonly LibraryInboxCase[] = [
  {
    slug: "eventuate-received",
    columns:
      "consumer_id varchar(1000), message_id varchar(1000), creation_time bigint, published smallint DEFAULT 0, PRIMARY KEY (consumer_id, message_id)",
    table: "received_messages",
    rows: [["received", "'shop', 'm1', 1767225600000, 0"]],
  },
  {
    slug: "oncebox-consumed",
    columns: "id uuid PRIMARY KEY, consumed_at timestamp NOT NULL",
    table: "outbox_consumed_events",
    rows: [["received", "'{id}', '2026-01-01'"]],
  },
  {
    slug: "debezium-consumed",
    columns: "eventid uuid PRIMARY KEY, timeofreceiving timestamptz",
    table: "consumedmessage",
    rows: [["received", "'{id}', '2026-01-01'"]],
  },
];
