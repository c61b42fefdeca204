import { describe, expect, test } from "vitest";
import {
  EVENTS_OUTBOX,
  OUTBOX_EVENTS,
  OUTBOX_EVENTS_WITH_ATTEMPTS,
  OUTBOX_PARTITIONED,
  OUTBOX_STATUS_TEXT,
  OUTBOX_WITH_ARCHIVE,
} from "#tests/factories/layouts.ts";
import { leftAlone } from "./candidates.ts";
import { discovery } from "./discovery.fixture.ts";
import { recogniseInbox } from "./inbox/recognise-inbox.ts";

const { catalogOf, discover, discoverOne } = discovery();

describe("the tutorial layouts", () => {
  test("(a) outbox_events", async () => {
    const found = await discoverOne(OUTBOX_EVENTS);
    expect(found.mapping.shape).toBe("tutorial-outbox-events");
    expect(found.confidence).toBe("exact");
    expect(found.roles).toEqual({
      id: "id",
      aggregateId: "aggregate_id",
      eventType: "event_type",
      payload: "payload",
      createdAt: "occurred_at",
      publishedAt: "dispatched_at",
    });
    expect(found.mapping.lifecycle.kind).toBe("timestamp");
    expect(found.mapping.deadAttempts).toBeNull();
    expect(found.warnings).toEqual([]);
  });

  test("(a) with attempts: no number of them is known to mean dead", async () => {
    const found = await discoverOne(OUTBOX_EVENTS_WITH_ATTEMPTS);
    expect(found.roles).toMatchObject({ attempts: "attempts", lastError: "last_error" });
    expect(found.mapping.deadAttempts).toBeNull();
  });

  test("(b) events_outbox with its serial id as the order, and processed_events by consumer", async () => {
    const found = await discoverOne(EVENTS_OUTBOX);
    expect(found.mapping.shape).toBe("tutorial-events-outbox");
    expect(found.roles).toMatchObject({ id: "id", order: "id", eventType: "type", publishedAt: "dispatched_at" });
    expect(found.inboxes).toHaveLength(1);
    expect(found.inboxes[0]).toMatchObject({
      shape: "processed-events",
      tracksProcessing: false,
      messageId: { name: "event_id" },
      consumer: { name: "consumer" },
    });
  });

  test("(c) outbox with an archive table, an inbox and processed events", async () => {
    const found = await discoverOne(OUTBOX_WITH_ARCHIVE);
    expect(found.mapping.shape).toBe("tutorial-outbox");
    expect(found.mapping.archiveTable).toEqual({ schema: "public", name: "outbox_archive" });
    expect(found.mapping.columns.createdAt?.time).toEqual({ kind: "timestamp", zone: "UTC" });
    expect(found.inboxes.map((inbox) => [inbox.table.name, inbox.messageId.name, inbox.tracksProcessing])).toEqual([
      ["inbox", "message_id", true],
      ["processed_events", "event_id", false],
    ]);
  });

  describe("a table keyed by a place in a topic", () => {
    const RECORDS = `CREATE TABLE processed_kafka_records (topic text NOT NULL, "partition" int NOT NULL, "offset" bigint NOT NULL, processed_at timestamptz DEFAULT now(),
      PRIMARY KEY (topic, "partition", "offset"))`;

    test.each([
      RECORDS,
      RECORDS.replace(", processed_at timestamptz DEFAULT now()", ""),
      RECORDS.replaceAll('"offset"', "kafka_offset").replace("topic text", "consumer_group text NOT NULL, topic text"),
    ])("is a question, and not an inbox: %s", async (ddl) => {
      const [table] = await catalogOf(ddl);
      expect(table && recogniseInbox(table)).toBeUndefined();
      expect(leftAlone(table ? [table] : [])).toMatchObject([
        { table: { name: "processed_kafka_records" }, mayBeInbox: true, reason: expect.stringContaining("is it one?") },
      ]);
    });

    test("is an inbox that matches no outbox once a person has said so", async () => {
      const [table] = await catalogOf(RECORDS);
      expect(table && recogniseInbox(table, {})).toMatchObject({
        ...{ byPosition: true, messageId: { name: "offset" }, processedAt: { name: "processed_at" } },
        primaryKey: [{ name: "topic" }, { name: "partition" }, { name: "offset" }],
      });
    });

    test.each([
      "CREATE TABLE consumer_offsets (topic text, partition int, next_offset bigint NOT NULL, PRIMARY KEY (topic, partition))",
      RECORDS.replace("processed_kafka_records", "kafka_records"),
    ])("is none, and nobody is asked: %s", async (ddl) => {
      expect(leftAlone(await catalogOf(ddl))).toEqual([]);
    });
  });

  test("(d) partitioned: one outbox; its partitions are not outboxes", async () => {
    const found = await discoverOne(OUTBOX_PARTITIONED);
    expect(found.mapping.shape).toBe("tutorial-outbox-partitioned");
    expect(found.key).toEqual(["id", "created_at"]);
  });

  test("(e) status words and times as text", async () => {
    const found = await discoverOne(OUTBOX_STATUS_TEXT);
    expect(found.mapping.shape).toBe("tutorial-status-text-time");
    expect(found.roles).toMatchObject({
      id: "outbox_id",
      attempts: "retry_count",
      lastError: "error_message",
      headers: "metadata",
      status: "status",
      publishedAt: "published_at",
    });
    expect(found.mapping.columns.createdAt?.time).toEqual({ kind: "compact-text", zone: "UTC" });
    expect(found.mapping.deadAttempts).toBeNull();
    const { lifecycle } = found.mapping;
    if (lifecycle.kind !== "status") throw new Error(lifecycle.kind);
    expect(lifecycle.pending[0]).toBe("PENDING");
    expect(lifecycle.published[0]).toBe("PUBLISHED");
    expect(lifecycle.failed[0]).toBe("FAILED");
  });

  test("words are written in the spelling of the table's default", async () => {
    const found = await discoverOne(OUTBOX_STATUS_TEXT.replace("'PENDING'", "'new'"));
    const { lifecycle } = found.mapping;
    if (lifecycle.kind !== "status") throw new Error(lifecycle.kind);
    expect([lifecycle.pending[0], lifecycle.failed[0], lifecycle.published[0]]).toEqual(["new", "failed", "published"]);
  });
});

describe("words of a status", () => {
  const base = (status: string) =>
    `CREATE TABLE outbox (id uuid PRIMARY KEY, event_type text, payload jsonb, created_at timestamptz, status ${status})`;

  test.each([
    ["an enum", "CREATE TYPE st AS ENUM ('queued', 'sent', 'dead_letter', 'odd');", "st"],
    ["a CHECK of varchar", "", "varchar(20) CHECK (status IN ('queued', 'sent', 'dead_letter', 'odd'))"],
    ["a CHECK of text", "", "text CHECK (status IN ('queued', 'sent', 'dead_letter', 'odd'))"],
  ])("come from %s, and one that means nothing stays unknown", async (_, before, type) => {
    const { mapping } = await discoverOne(before + base(type));
    expect(mapping.lifecycle).toMatchObject({
      kind: "status",
      pending: ["queued"],
      published: ["sent"],
      dead: ["dead_letter"],
      failed: [],
      guessed: false,
    });
  });
});

describe("names", () => {
  test("in upper case and quoted, and a reserved word", async () => {
    const found = await discoverOne(
      `CREATE TABLE "OutboxMessages" ("Id" uuid PRIMARY KEY, "OccurredOn" timestamp NOT NULL, "Type" varchar(255) NOT NULL, "Data" text NOT NULL, "ProcessedDate" timestamp, "user" text)`,
    );
    expect(found.mapping.table.name).toBe("OutboxMessages");
    expect(found.roles).toMatchObject({
      id: "Id",
      createdAt: "OccurredOn",
      eventType: "Type",
      payload: "Data",
      publishedAt: "ProcessedDate",
    });
  });

  test("a table without a primary key is mapped, with a warning", async () => {
    const found = await discoverOne(
      "CREATE TABLE outbox (id uuid, event_type text, payload jsonb, created_at timestamptz, published_at timestamptz)",
    );
    expect(found.key).toEqual([]);
    expect(found.warnings.join()).toContain("no primary key");
  });

  test("a key that contains the mark of the state is told, as the ids of such a table change", async () => {
    const found = await discoverOne(
      `CREATE TABLE outbox (id bigserial, event_type text, payload jsonb, created_at timestamptz, status text NOT NULL
         CHECK (status IN ('PENDING', 'SENT')), PRIMARY KEY (id, status)) PARTITION BY LIST (status);
       CREATE TABLE outbox_pending PARTITION OF outbox FOR VALUES IN ('PENDING');
       CREATE TABLE outbox_sent PARTITION OF outbox FOR VALUES IN ('SENT')`,
    );
    expect(found.warnings.join()).toContain("contains status, so the id of a message changes");
  });

  test("a unique key without nulls serves as the key", async () => {
    const found = await discoverOne(
      "CREATE TABLE outbox (id uuid NOT NULL UNIQUE, event_type text, payload jsonb, created_at timestamptz, published_at timestamptz)",
    );
    expect(found.key).toEqual(["id"]);
  });
});

describe("tables whose names only resemble an outbox", () => {
  test.each([
    [
      "e-mails",
      "CREATE TABLE email_outbox (id bigserial PRIMARY KEY, recipient text, subject text, body text, status text, sent_at timestamptz)",
    ],
    [
      "an archive",
      "CREATE TABLE outbox_archive (id uuid PRIMARY KEY, event_type text, payload jsonb, created_at timestamptz, published_at timestamptz)",
    ],
    ["orders", "CREATE TABLE orders (id bigserial PRIMARY KEY, status text, data jsonb, created_at timestamptz)"],
    [
      "an event store",
      "CREATE TABLE events (id bigserial PRIMARY KEY, stream_id text, type text, data jsonb, created_at timestamptz)",
    ],
    [
      "locks of an outbox",
      "CREATE TABLE outbox_lock (id varchar(32) PRIMARY KEY, owner_id varchar(128), valid_until timestamp)",
    ],
    [
      "relays of an outbox",
      "CREATE TABLE outbox_instance (instance_id varchar(255) PRIMARY KEY, hostname varchar(255), status varchar(50), started_at timestamptz)",
    ],
  ])("%s", async (_, ddl) => {
    expect((await discover(ddl)).outboxes).toEqual([]);
  });
});
