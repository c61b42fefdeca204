import { createPool, type Pool } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testMysqlDatabase } from "../tests/mysql.ts";
import { testDatabase } from "../tests/postgres.ts";
import { mysql2 } from "./adapters/mysql2.ts";
import { pg } from "./adapters/pg.ts";
import { isClientError } from "./errors.ts";
import { createInbox } from "./inbox/create-inbox.ts";
import { createOutbox } from "./outbox/create-outbox.ts";
import type { LayoutOptions } from "./outbox/layout.ts";
import { contractEvents, contractPayload } from "./testing/contract-events.ts";
import { contractMessage, inboxContract } from "./testing/inbox-contract.ts";
import { outboxContract } from "./testing/outbox-contract.ts";
import { testOutbox } from "./testing/test-outbox.ts";

const outside = async () => undefined;

/** Tables of teams from docs/shapes.md, each with the client's options for it. */
const OUTBOXES: Record<string, { ddl: string; layout: LayoutOptions }> = {
  "a time of dispatch and attempts": {
    ddl: `CREATE TABLE outbox_events (id uuid PRIMARY KEY, aggregate_id text, event_type text, payload jsonb, occurred_at timestamptz,
      dispatched_at timestamptz, attempts int, last_error text)`,
    layout: {
      table: "outbox_events",
      columns: {
        id: "id",
        aggregateId: "aggregate_id",
        eventType: "event_type",
        payload: "payload",
        createdAt: "occurred_at",
        publishedAt: "dispatched_at",
        attempts: "attempts",
      },
    },
  },
  "a serial id and times without a zone": {
    ddl: `CREATE TABLE events_outbox (id bigserial PRIMARY KEY, aggregate_id text, type text, payload json, created_at timestamp,
      send_after timestamp, dispatched_at timestamp)`,
    layout: {
      table: "public.events_outbox",
      columns: {
        id: { name: "id", type: "generated" },
        aggregateId: "aggregate_id",
        eventType: "type",
        payload: { name: "payload", type: "json" },
        createdAt: { name: "created_at", type: "timestamp" },
        availableAt: { name: "send_after", type: "timestamp" },
        publishedAt: "dispatched_at",
      },
    },
  },
  "a status and times as 14 digits": {
    ddl: `CREATE TABLE outbox_status (outbox_id varchar(36) PRIMARY KEY, event_type varchar, aggregate_id varchar, payload text, metadata text,
      created_at varchar(14) NOT NULL, status varchar NOT NULL, retry_count int)`,
    layout: {
      table: "outbox_status",
      columns: {
        id: { name: "outbox_id", type: "text" },
        eventType: "event_type",
        aggregateId: "aggregate_id",
        payload: { name: "payload", type: "text" },
        headers: { name: "metadata", type: "text" },
        createdAt: { name: "created_at", type: "compact-text" },
        status: "status",
        attempts: "retry_count",
      },
      lifecycle: { kind: "status", pending: ["PENDING"] },
    },
  },
  "Debezium's columns, a trace and epochs": {
    ddl: `CREATE SCHEMA "Shop Data"; CREATE TABLE "Shop Data"."Out""box ?" (id uuid PRIMARY KEY, aggregatetype varchar, aggregateid varchar,
      type varchar, "pay$1load" jsonb, at bigint, "due At" bigint, trace_id text)`,
    layout: {
      table: 'Shop Data.Out"box ?',
      columns: {
        id: "id",
        aggregateType: "aggregatetype",
        aggregateId: "aggregateid",
        eventType: "type",
        payload: "pay$1load",
        createdAt: { name: "at", type: "epoch-ms" },
        availableAt: { name: "due At", type: "epoch-s" },
        traceId: "trace_id",
      },
    },
  },
  "numbers for status and aggregate": {
    ddl: `CREATE TABLE numbered (id uuid PRIMARY KEY, kind varchar NOT NULL, body text NOT NULL, order_key text, order_no int, state smallint NOT NULL,
      tries smallint NOT NULL, due timestamptz NOT NULL DEFAULT now())`,
    layout: {
      table: "numbered",
      columns: {
        id: "id",
        eventType: "kind",
        aggregateId: "order_key",
        payload: { name: "body", type: "text" },
        status: { name: "state", type: "integer" },
        attempts: "tries",
        availableAt: "due",
      },
      lifecycle: { kind: "status", pending: ["0", "1"] },
    },
  },
  "no status in a new row": {
    ddl: `CREATE TABLE messages (id uuid PRIMARY KEY, event_type text, aggregate_id text, payload jsonb, created_at timestamptz DEFAULT now(),
      send_after timestamptz, send_flag varchar(10) DEFAULT 'S')`,
    layout: {
      table: "messages",
      columns: {
        id: "id",
        eventType: "event_type",
        aggregateId: "aggregate_id",
        payload: "payload",
        availableAt: "send_after",
        status: "send_flag",
      },
      lifecycle: { kind: "status", pending: [null, "RETRY"] },
    },
  },
  "enumerated types, as TypeORM and Prisma make them": {
    ddl: `CREATE TYPE outbox_message_status_enum AS ENUM ('pending', 'sent'); CREATE TYPE "Kind" AS ENUM ('contract.checked', 'other');
      CREATE TABLE "OutboxMessage" (id uuid PRIMARY KEY, "aggregateId" varchar NOT NULL, "eventType" "Kind" NOT NULL, payload jsonb NOT NULL,
      status outbox_message_status_enum NOT NULL, "createdAt" timestamp NOT NULL DEFAULT now(), "availableAt" timestamp)`,
    layout: {
      table: "OutboxMessage",
      columns: {
        id: "id",
        aggregateId: "aggregateId",
        eventType: { name: "eventType", type: "enum" },
        payload: "payload",
        createdAt: { name: "createdAt", type: "timestamp" },
        availableAt: { name: "availableAt", type: "timestamp" },
        status: { name: "status", type: "enum" },
      },
      lifecycle: { kind: "status", pending: ["pending"] },
    },
  },
};

describe("an outbox in Postgres with", () => {
  const database = testDatabase("empty");
  const via = pg();
  const db = () => database().pool;
  beforeAll(() =>
    db().query(
      Object.values(OUTBOXES)
        .map(({ ddl }) => ddl)
        .join(";"),
    ),
  );

  describe.each(Object.entries(OUTBOXES))("%s", (_, { layout }) => {
    for (const { name, run } of outboxContract({ via, db, layout, outside })) test(name, run);
  });

  test("times are now, in the column's own form and in UTC", async () => {
    const add = (layout: LayoutOptions, delay?: "1h") =>
      via.transaction(db(), async (tx) => {
        await tx.query("SET LOCAL TIME ZONE 'Asia/Tokyo'");
        const outbox = createOutbox(contractEvents, { via, ...layout });
        await outbox.add(tx, "contract.checked", contractPayload("times"), delay ? { delay } : {});
      });
    const layouts = Object.values(OUTBOXES).map(({ layout }) => layout);
    for (const [index, layout] of layouts.entries()) await add(layout, index % 2 === 1 ? "1h" : undefined);
    const { rows } = await db().query(`SELECT
      (SELECT abs(extract(epoch FROM now() - max(occurred_at))) < 60 FROM outbox_events) AS instant,
      (SELECT abs(extract(epoch FROM now() AT TIME ZONE 'UTC' - max(created_at))) < 60 FROM events_outbox) AS zoneless,
      (SELECT abs(extract(epoch FROM now() AT TIME ZONE 'UTC' + interval '1 hour' - max(send_after))) < 60 FROM events_outbox) AS due,
      (SELECT abs(extract(epoch FROM now() AT TIME ZONE 'UTC' - to_timestamp(max(created_at), 'YYYYMMDDHH24MISS')::timestamp)) < 60 FROM outbox_status) AS digits,
      (SELECT bool_and(status = 'PENDING' AND retry_count = 0) FROM outbox_status) AS words,
      (SELECT bool_and(send_flag IS NULL) FROM messages) AS bare,
      (SELECT abs(extract(epoch FROM now()) * 1000 - max(at)) < 60000 FROM "Shop Data"."Out""box ?") AS epoch_ms,
      (SELECT abs(extract(epoch FROM now()) + 3600 - max("due At")) < 60 FROM "Shop Data"."Out""box ?") AS epoch_s`);
    expect(Object.entries(rows[0]).filter(([, holds]) => holds !== true)).toEqual([]);
  });

  test("the test kit shows header names as a reader does", async () => {
    const { layout } = Object.values(OUTBOXES)[2] ?? { layout: {} };
    const outbox = createOutbox(contractEvents, { via, ...layout });
    await via.transaction(db(), (tx) =>
      outbox.add(tx, "contract.checked", contractPayload("named"), { headers: { "X-Tenant": "a" } }),
    );
    const added = await testOutbox(outbox, db()).expectAdded("contract.checked", { key: "named" });
    expect(added.headers).toMatchObject({ "x-tenant": "a" });
  });

  test("an aggregate whose id is an integer is written and read", async () => {
    const layout = OUTBOXES["numbers for status and aggregate"]?.layout;
    const columns = { ...layout?.columns, aggregateId: { name: "order_no", type: "integer" } } as const;
    const outbox = createOutbox(contractEvents, { via, ...layout, columns });
    await via.transaction(db(), (tx) => outbox.add(tx, "contract.checked", contractPayload("n"), { key: "42" }));
    expect(await testOutbox(outbox, db()).expectAdded("contract.checked", { key: "n" })).toMatchObject({
      aggregateId: "42",
    });
  });

  test.each(Object.entries(OUTBOXES))(
    "the test kit shows when an event was created, with %s",
    async (_, { layout }) => {
      const outbox = createOutbox(contractEvents, { via, ...layout });
      const begun = Date.now();
      await via.transaction(db(), (tx) => outbox.add(tx, "contract.checked", contractPayload("timed")));
      const { createdAt } = await testOutbox(outbox, db()).expectAdded("contract.checked", { key: "timed" });
      if (layout.columns?.createdAt) expect(Math.abs(Date.parse(createdAt ?? "") - begun)).toBeLessThan(60_000);
      else expect(createdAt).toBeNull();
    },
  );

  test("a trace is kept in the column for it", async () => {
    const { layout } = Object.values(OUTBOXES)[3] ?? { layout: {} };
    const outbox = createOutbox(contractEvents, { via, ...layout, trace: () => ({ traceparent: "00-aa-bb-01" }) });
    const { id } = await via.transaction(db(), (tx) => outbox.add(tx, "contract.checked", contractPayload("traced")));
    const { rows } = await db().query('SELECT trace_id FROM "Shop Data"."Out""box ?" WHERE id = $1', [id]);
    expect(rows).toEqual([{ trace_id: "00-aa-bb-01" }]);
  });

  test.each([
    ["no payload", { columns: { eventType: "type" } }, /column for the payload/],
    ["no limit of bytes", { maxBytes: Number.NaN }, /maxBytes must be a number/],
    ["a status without words", { columns: { eventType: "t", payload: "p", status: "s" } }, /lifecycle.pending/],
    [
      "a text in place of a list of words",
      {
        columns: { eventType: "t", payload: "p", status: "s" },
        lifecycle: { kind: "status", pending: "NEW" } as never,
      },
      /lifecycle\.pending is no list of words/,
    ],
    [
      "a lifecycle of another kind",
      { columns: { eventType: "t", payload: "p" }, lifecycle: { kind: "flag" } as never },
      /kind of the lifecycle is "flag"; it may be "status"\./,
    ],
    ["a table that is no name", { table: 5 as never }, /no name of a table/],
    ["an unknown role", { columns: { eventType: "t", payload: "p", colour: "c" } as never }, /colour is not a role/],
    ["nowhere to keep a trace", { columns: { eventType: "t", payload: "p" }, trace: () => ({}) }, /headers or traceId/],
  ])("a layout with %s is refused at once", (_, layout, message) => {
    expect(() => createOutbox(contractEvents, { via, ...layout })).toThrow(message);
  });
});

const PROCESSED = { consumer: "consumer", messageId: "event_id", processedAt: "processed_at" } as const;

describe("processed events in Postgres", () => {
  const database = testDatabase("empty");
  const via = pg();
  const db = () => database().pool;
  const effects = { table: "effects" };
  beforeAll(() =>
    db().query(`${createOutbox(contractEvents, { via, ...effects }).schema()}
      CREATE SCHEMA billing;
      CREATE TABLE billing.processed_events (consumer text, event_id text, processed_at timestamptz, PRIMARY KEY (consumer, event_id))`),
  );

  test("an id that is no UUID is refused for a column that takes nothing else, and the transaction goes on", async () => {
    await db().query("CREATE TABLE seen (id uuid PRIMARY KEY)");
    const columns = { messageId: { name: "id", type: "uuid" } } as const;
    const inbox = createInbox(contractEvents, { via, consumer: "billing", table: "seen", columns });
    await via.transaction(db(), async (tx) => {
      for (const refused of [
        inbox.once(db(), contractMessage("order-1"), async () => 1),
        inbox.onceIn(tx, contractMessage("7"), async () => 1),
      ])
        await expect(refused).rejects.toSatisfy((error) => isClientError(error, "invalid_message"));
      expect(await inbox.onceIn(tx, contractMessage(), async () => 1)).toMatchObject({ outcome: "processed" });
    });
  });

  test("a type that its enum has is kept, and another is refused with a sentence", async () => {
    await db().query(
      `CREATE TYPE billing.kind AS ENUM ('other'); CREATE TABLE billing.kinds (id text PRIMARY KEY, kind billing.kind)`,
    );
    const columns = { messageId: "id", eventType: { name: "kind", type: "enum" } } as const;
    const inbox = createInbox(contractEvents, { via, consumer: "billing", table: "billing.kinds", columns });
    const once = () => inbox.once(db(), contractMessage("1"), async () => 1);
    await expect(once()).rejects.toMatchObject({ code: "unusable_table", message: expect.stringContaining("enum") });
    await db().query("ALTER TYPE billing.kind ADD VALUE 'contract.checked'");
    expect(await once()).toMatchObject({ outcome: "processed" });
    expect((await db().query("SELECT kind::text FROM billing.kinds")).rows).toEqual([{ kind: "contract.checked" }]);
  });

  const layout = { table: "billing.processed_events", columns: PROCESSED };
  for (const { name, run } of inboxContract({ via, db, layout, effects, outside })) test(name, run);
});

describe("processed events in MySQL", () => {
  const database = testMysqlDatabase("mysql", "empty");
  const via = mysql2();
  const effects = { table: "effects" };
  let pool: Pool | undefined;
  beforeAll(async () => {
    await database().query(createOutbox(contractEvents, { via, ...effects }).schema());
    await database().query(
      "CREATE TABLE processed_events (consumer varchar(64), event_id varchar(64), processed_at datetime(6), PRIMARY KEY (consumer, event_id))",
    );
    pool = createPool({ uri: database().url, connectionLimit: 10 });
  });
  afterAll(() => pool?.end());

  const layout = { table: "processed_events", columns: PROCESSED };
  for (const { name, run } of inboxContract({ via, db: () => pool as Pool, layout, effects, outside })) test(name, run);
});
