import { expect, test } from "vitest";
import { createTestDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import type { OutboxMapping } from "../../port/mapping.ts";
import type { OutgoingMessage } from "../../port/relay/outgoing-message.ts";
import type { Notice } from "../../port/relay/relay-stream.ts";
import { column, READ_ALL } from "../relay/box.fixture.ts";
import { createRelayTable } from "../relay/postgres-relay-table.ts";
import { dropSlot } from "./box.fixture.ts";

const PUBLISHED = column("sent", "boolean");
const BASE = (
  payload: string,
  created: ReturnType<typeof column>,
  keys: ReturnType<typeof column>[],
): OutboxMapping => ({
  table: { schema: "public", name: "Odd box" },
  primaryKey: keys,
  columns: {
    id: column("id", "character(12)"),
    payload: column("payload", payload),
    aggregateType: column("kind", "character varying(20)"),
    aggregateId: column("agg", "integer"),
    eventType: column("event", "text"),
    topic: column("flag", "boolean"),
    headers: column("headers", "jsonb"),
    createdAt: created,
    availableAt: column("due", "timestamp with time zone", { kind: "timestamptz" }),
    attempts: column("tries", "smallint"),
  },
  lifecycle: { kind: "flag", column: PUBLISHED },
  deadAttempts: null,
  archiveTable: null,
  shape: "configured",
});
const ID = column("id", "character(12)");
const AT = column("at", "timestamp with time zone", { kind: "timestamptz" });
const LOCAL = column("local", "timestamp without time zone", { kind: "timestamp", zone: "Europe/Berlin" });

const CASES: [string, OutboxMapping][] = [
  ["json", BASE("json", AT, [ID])],
  ["jsonb", BASE("jsonb", LOCAL, [ID, AT])],
  ["text", BASE("text", column("ms", "bigint", { kind: "epoch", unit: "ms" }), [LOCAL])],
  [
    "bytea",
    BASE("bytea", column("compact", "text", { kind: "compact-text", zone: "Europe/Berlin" }), [column("key", "text")]),
  ],
];
const VALUES: Record<string, string[]> = {
  json: ['{ "big": 9007199254740993, "price": 1.10, "b": "ü€😀\\u0000" }', `"${"y".repeat(20_000)}"`],
  jsonb: ['{"big": 9007199254740993, "price": 1.10}', "null"],
  text: ["", "a\nb\\c'd"],
  bytea: ["\\x", "\\x00ff10"],
};

test.each(CASES)("a row of the stream is the message that the table gives: %s", async (type, mapping) => {
  const database = await createTestDatabase();
  const slot = `s_${database.name}`;
  await database.pool.query(`CREATE TABLE "Odd box" (id char(12), key text, payload ${type}, kind varchar(20), agg int, event text, flag boolean, headers jsonb,
    at timestamptz, local timestamp, ms bigint, compact text, due timestamptz, tries smallint, sent boolean NOT NULL DEFAULT false, extra numeric(10,2),
    PRIMARY KEY (${mapping.primaryKey.map(({ name }) => `"${name}"`).join(", ")}))`);
  await database.pool.query(`CREATE PUBLICATION ${slot} FOR TABLE "Odd box" WITH (publish = 'insert')`);
  await database.pool.query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [slot]);
  const options = { outbox: "odd", ordering: "aggregate", maxAttempts: 3, relayId: "r", sinkName: "s" } as const;
  const fields = { more: "extra", yes: "flag" };
  const table = createRelayTable({
    ...options,
    fields,
    mapping,
    url: database.url,
    cdc: { slot, publication: slot, mark: "none" },
  });
  const notices: Notice[] = [];
  const nothing = () => undefined;
  const open = await table.stream?.open({
    notice: (one) => notices.push(one),
    commit: nothing,
    position: nothing,
    flushed: nothing,
  });
  const instants = [
    "2026-03-01 10:00:00.5+00",
    "2026-10-25 00:30:00.123456+00",
    "2026-03-29 01:00:00+00",
    "2026-07-01 00:00:00+00",
  ];
  for (const [index, at] of instants.entries()) {
    await database.pool.query(
      `INSERT INTO "Odd box" (id, key, payload, kind, agg, event, flag, headers, at, local, ms, compact, due, tries, extra)
       VALUES ($1, $2, $3::${type}, $4, $5, $6, $7, $8, $9, $9::timestamptz AT TIME ZONE 'Europe/Berlin' + interval '1 us', $10, to_char($9::timestamptz AT TIME ZONE 'Europe/Berlin', 'YYYYMMDDHH24MISS'), $11, $12, 1.5)`,
      [
        `id ${index}`,
        `k/ ${index} ü`,
        VALUES[type]?.[index % 2],
        index === 1 ? null : "order",
        index === 2 ? null : index,
        "e",
        index % 2 === 0,
        index === 0 ? null : '{"a": 1}',
        at,
        1_772_359_200_123 + index,
        index === 3 ? "2026-01-01" : null,
        index,
      ],
    );
  }
  await waitFor(() => notices.length === instants.length, { message: "all rows were told of" });
  const lease = await table.acquireLease({ owner: "me", leaseMs: 6000 });
  if (!lease) throw new Error("the lease is not free");
  const { claim } = await table.claimNew({ ...READ_ALL, lease });
  // A log row has another order and no version: it is never marked in the table.
  const plain = (message: OutgoingMessage | null | undefined) => ({ ...message, order: null, version: null });
  const byId = new Map(notices.map(({ id, message }) => [id, plain(message)]));
  expect(claim?.messages).toHaveLength(instants.length);
  for (const message of claim?.messages ?? []) expect(byId.get(message.id)).toEqual(plain(message));
  await open?.close();
  await dropSlot(database.pool, slot);
  await table.close();
  await database.drop();
});
