import { beforeEach, describe, expect, test } from "vitest";
import {
  EVENTS_OUTBOX,
  OUTBOX_EVENTS,
  OUTBOX_EVENTS_WITH_ATTEMPTS,
  OUTBOX_PARTITIONED,
  OUTBOX_STATUS_TEXT,
  OUTBOX_WITH_ARCHIVE,
} from "#tests/factories/layouts.ts";
import { testDatabase } from "#tests/postgres.ts";
import { readCatalog } from "../stores/postgres/catalog/read-catalog.ts";
import { looksLikeOutbox, recogniseOutbox } from "./recognise.ts";
import { recogniseInbox } from "./recognise-inbox.ts";

const database = testDatabase("empty");

beforeEach(async () => {
  await database().pool.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
});

/** Every table of the DDL as discovery returns it. */
async function discover(ddl: string) {
  await database().pool.query(ddl);
  const tables = await readCatalog(database().pool, undefined);
  const inboxes = tables.flatMap((table) => recogniseInbox(table) ?? []);
  const isInbox = (name: string) => inboxes.some((inbox) => inbox.table.name === name);
  const outboxes = tables
    .filter((table) => !isInbox(table.name) && looksLikeOutbox(table))
    .map((table) => {
      const recognised = recogniseOutbox(table, tables);
      if ("problem" in recognised) throw new Error(recognised.problem);
      return recognised;
    });
  return { outboxes, inboxes };
}

async function discoverOne(ddl: string) {
  const { outboxes, inboxes } = await discover(ddl);
  expect(outboxes).toHaveLength(1);
  const [recognised] = outboxes;
  if (!recognised) throw new Error("no outbox was found");
  const { mapping } = recognised;
  const roles = Object.fromEntries(Object.entries(mapping.columns).map(([role, column]) => [role, column.name]));
  return { ...recognised, mapping, roles, inboxes, key: mapping.primaryKey.map((column) => column.name) };
}

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

  test("(a) with attempts is dead from 10", async () => {
    const found = await discoverOne(OUTBOX_EVENTS_WITH_ATTEMPTS);
    expect(found.roles).toMatchObject({ attempts: "attempts", lastError: "last_error" });
    expect(found.mapping.deadAttempts).toBe(10);
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
    expect(found.mapping.deadAttempts).toBe(10);
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

/** Layouts of well-known libraries. */
describe("libraries", () => {
  test("Debezium: a row that exists is unpublished", async () => {
    const found = await discoverOne(
      `CREATE TABLE outboxevent (id uuid PRIMARY KEY, aggregatetype varchar(255) NOT NULL, aggregateid varchar(255) NOT NULL, type varchar(255) NOT NULL, "timestamp" timestamp NOT NULL, payload varchar(8000))`,
    );
    expect(found.roles).toMatchObject({ aggregateType: "aggregatetype", eventType: "type", createdAt: "timestamp" });
    expect(found.mapping.lifecycle.kind).toBe("delete");
    expect(found.question).toContain("delete a row");
  });

  test("MassTransit", async () => {
    const found = await discoverOne(`
      CREATE TABLE "OutboxState" ("OutboxId" uuid PRIMARY KEY, "LockId" uuid NOT NULL, "Created" timestamptz NOT NULL, "Delivered" timestamptz);
      CREATE TABLE "OutboxMessage" ("SequenceNumber" bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, "EnqueueTime" timestamptz, "SentTime" timestamptz NOT NULL,
        "Headers" text, "OutboxId" uuid REFERENCES "OutboxState", "MessageId" uuid NOT NULL, "ContentType" varchar(256) NOT NULL, "MessageType" text NOT NULL, "Body" text NOT NULL,
        "ConversationId" uuid, "DestinationAddress" varchar(256), "ExpirationTime" timestamptz)`);
    expect(found.roles).toMatchObject({
      id: "MessageId",
      order: "SequenceNumber",
      payload: "Body",
      eventType: "MessageType",
      createdAt: "SentTime",
      topic: "DestinationAddress",
      expiresAt: "ExpirationTime",
    });
    expect(found.key).toEqual(["SequenceNumber"]);
    expect(found.mapping.lifecycle.kind).toBe("delete");
  });

  test("Spring Modulith", async () => {
    const found = await discoverOne(
      "CREATE TABLE event_publication (id uuid PRIMARY KEY, listener_id text NOT NULL, event_type text NOT NULL, serialized_event text NOT NULL, publication_date timestamptz NOT NULL, completion_date timestamptz)",
    );
    expect(found.roles).toMatchObject({
      payload: "serialized_event",
      createdAt: "publication_date",
      publishedAt: "completion_date",
    });
    expect(found.mapping.lifecycle.kind).toBe("timestamp");
  });

  test("namastack", async () => {
    const found = await discoverOne(
      "CREATE TABLE outbox_record (id varchar(255) PRIMARY KEY, status varchar(20) NOT NULL, record_key varchar(255) NOT NULL, record_type varchar(255) NOT NULL, payload text NOT NULL, context text, created_at timestamptz NOT NULL, completed_at timestamptz, failure_count int NOT NULL, failure_reason varchar(1000), next_retry_at timestamptz NOT NULL, partition_no integer NOT NULL)",
    );
    expect(found.roles).toMatchObject({
      aggregateId: "record_key",
      eventType: "record_type",
      attempts: "failure_count",
      lastError: "failure_reason",
      availableAt: "next_retry_at",
      publishedAt: "completed_at",
    });
    expect(found.mapping.lifecycle.kind).toBe("status");
  });

  test("transaction-outbox", async () => {
    const found = await discoverOne(
      "CREATE TABLE txno_outbox (id varchar(36) PRIMARY KEY, invocation text, nextattempttime timestamp(6), attempts int, blocked boolean, version int, uniquerequestid varchar(250) UNIQUE, processed boolean, topic varchar(250) NOT NULL DEFAULT '*')",
    );
    expect(found.roles).toMatchObject({ payload: "invocation", publishedAt: "processed", topic: "topic" });
    expect(found.mapping.lifecycle.kind).toBe("flag");
  });

  test("ABP", async () => {
    const found = await discoverOne(
      `CREATE TABLE "AbpEventOutbox" ("Id" uuid PRIMARY KEY, "ExtraProperties" text NOT NULL, "EventName" varchar(256) NOT NULL, "EventData" bytea NOT NULL, "CreationTime" timestamp NOT NULL)`,
    );
    expect(found.roles).toMatchObject({ eventType: "EventName", payload: "EventData", createdAt: "CreationTime" });
  });

  test("a modular monolith in .NET, with its inbox and consumers", async () => {
    const found = await discoverOne(`
      CREATE TABLE outbox_messages (id uuid PRIMARY KEY, type text NOT NULL, content jsonb NOT NULL, occurred_on_utc timestamptz NOT NULL, processed_on_utc timestamptz, error text);
      CREATE TABLE inbox_messages (id uuid PRIMARY KEY, type text NOT NULL, content jsonb NOT NULL, occurred_on_utc timestamptz NOT NULL, processed_on_utc timestamptz, error text)`);
    expect(found.roles).toMatchObject({ payload: "content", publishedAt: "processed_on_utc", lastError: "error" });
    expect(found.inboxes.map((inbox) => inbox.table.name)).toEqual(["inbox_messages"]);
  });

  test("Spring Cloud Stream", async () => {
    const found = await discoverOne(
      "CREATE TABLE scs_outbox (id varchar(36) PRIMARY KEY, binding_name varchar(256) NOT NULL, captured_at timestamp NOT NULL, destination varchar(256) NOT NULL, headers text NOT NULL, payload bytea NOT NULL)",
    );
    expect(found.roles).toMatchObject({ topic: "destination", createdAt: "captured_at", headers: "headers" });
  });

  test("an enum of statuses with an archive", async () => {
    const found = await discoverOne(`
      CREATE TYPE outbox_status AS ENUM ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED');
      CREATE TABLE outbox_events (id uuid PRIMARY KEY, type text NOT NULL, payload jsonb NOT NULL, occurred_at timestamp NOT NULL, status outbox_status NOT NULL DEFAULT 'PENDING', retry_count int NOT NULL DEFAULT 0);
      CREATE TABLE outbox_events_archive (LIKE outbox_events INCLUDING ALL)`);
    expect(found.mapping.lifecycle).toMatchObject({ inFlight: ["PROCESSING"], published: ["COMPLETED"] });
    expect(found.mapping.archiveTable?.name).toBe("outbox_events_archive");
  });

  test("a sequence and a uuid", async () => {
    const found = await discoverOne(
      "CREATE TABLE outbox (position bigserial PRIMARY KEY, message_id varchar(250) NOT NULL, message_type varchar(250) NOT NULL, data jsonb NOT NULL, scheduled_at timestamptz NOT NULL, processed_at timestamptz)",
    );
    expect(found.roles).toMatchObject({ id: "message_id", order: "position", availableAt: "scheduled_at" });
  });
});
