import { createHash, randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CorrectionBody } from "#contracts/message/corrections.ts";
import type { Actor } from "#domain/operator.ts";
import { ADMIN, contextOf, OPERATOR, openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { explainMessage } from "../messages/explain-message.ts";
import { getMessage } from "../messages/get-message.ts";
import { getOutbox } from "../outboxes/get-outbox.ts";
import type { Runtime } from "../runtime.ts";
import { correctMessage } from "./correct-message.ts";
import { getOperation } from "./get-operation.ts";
import { performOperation } from "./perform-operation.ts";

const database = testDatabase("migrated");
const TABLE = `CREATE TABLE outbox_events (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, event_id uuid NOT NULL UNIQUE, aggregate_id text NOT NULL, event_type text NOT NULL,
  payload PAYLOAD_TYPE, headers jsonb, tenant text NOT NULL, shard int GENERATED ALWAYS AS (length(tenant)) STORED,
  created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz)`;
const COLUMNS = {
  id: "event_id",
  order: "id",
  payload: "payload",
  headers: "headers",
  createdAt: "created_at",
  publishedAt: "published_at",
};
const EXACT = '{"id": 12345678901234567890, "total": 1.10}';
let runtime: Runtime;

beforeEach(async () => {
  await database().pool.query(
    "DROP SCHEMA public CASCADE; CREATE SCHEMA public; TRUNCATE outbox_console.audit, outbox_console.operation",
  );
  await database().pool.query("TRUNCATE outbox_console.dead_letter, outbox_console.mapping_fingerprint");
});
afterEach(() => runtime.close());

/** A dead message of a table with this column for the payload. */
async function openWith(payload: string, { type = "json NOT NULL", corrections = true } = {}): Promise<string> {
  const { pool, url } = database();
  await pool.query(TABLE.replace("PAYLOAD_TYPE", type));
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO outbox_events (event_id, aggregate_id, event_type, payload, headers, tenant)
     VALUES (gen_random_uuid(), 'a', 'order.placed', $1, '{"x-tenant": "eu-1"}', 'acme') RETURNING id::text`,
    [payload],
  );
  runtime = openOperatedRuntime(url, "outbox_events", { columns: COLUMNS, corrections });
  const id = rows[0]?.id ?? "";
  const { message } = await getMessage({ runtime, outbox: "orders", id });
  const targets = [{ id, version: message.version }];
  const request = { action: "dead-letter" as const, targets, reason: "INC-42" };
  await performOperation({ ctx: contextOf(runtime, ADMIN), outbox: "orders", request, idempotencyKey: null });
  return id;
}

interface Ask extends Partial<CorrectionBody> {
  actor?: Actor;
  key?: string;
}

async function correct(id: string, { actor = ADMIN, key, ...more }: Ask = {}) {
  const { message } = await getMessage({ runtime, outbox: "orders", id });
  const request = { version: message.version, payload: EXACT, reason: "INC-42", ...more };
  return correctMessage({ ctx: contextOf(runtime, actor), outbox: "orders", id, request, idempotencyKey: key ?? null });
}

const rowsOf = async () => (await database().pool.query("SELECT count(*)::int AS n FROM outbox_events")).rows[0].n;

test("the copy has a key of its own, the text as typed, and the original's other columns", async () => {
  const id = await openWith('{"id":1}');
  const { copyId, operation } = await correct(id, { headers: '{"x-tenant": "eu-2"}' });
  expect(operation).toMatchObject({
    action: "correct",
    finished: true,
    done: 1,
    outcomes: [{ id, stateAfter: "dead" }],
  });
  const { rows } = await database().pool.query(
    "SELECT id::text, event_id, payload::text, headers, tenant, shard, published_at FROM outbox_events",
  );
  const common = { tenant: "acme", shard: 4, published_at: null, headers: { "x-tenant": "eu-2" } };
  expect(rows).toMatchObject([{ ...common, id: copyId, payload: EXACT, event_id: expect.any(String) }]);
  const [original, copy] = [id, copyId ?? ""].map((one) => getMessage({ runtime, outbox: "orders", id: one }));
  expect(await original).toMatchObject({
    message: { state: "dead" },
    payload: { text: '{"id":1}' },
    correction: { copyId },
  });
  expect((await original)?.columns).not.toContainEqual({ name: "event_id", value: rows[0].event_id });
  expect((await explainMessage({ runtime, outbox: "orders", id })).summary).toContain("a corrected copy was sent");
  expect(await copy).toMatchObject({ message: { state: "pending" }, correction: { originalId: id, copyId: null } });
  expect((await original)?.audit[0]?.detail).toMatch(
    /sha256 [0-9a-f]{64}; of the copy [0-9a-f]{64}\. The headers were/,
  );
  expect(await getOperation({ runtime, id: operation.id })).toEqual(operation);
});

test("the audit has the hash of the copy as its column stores it", async () => {
  const id = await openWith('{"id":1}', { type: "jsonb NOT NULL" });
  await correct(id, { payload: '{"id":2}' });
  const { audit } = await getMessage({ runtime, outbox: "orders", id });
  const hash = createHash("sha256").update('{"id": 2}').digest("hex");
  expect(audit[0]?.detail).toContain(`of the copy ${hash}.`);
});

test("the same key answers the same; another request of that key, and another admin, are a conflict", async () => {
  const id = await openWith('{"id":1}');
  const key = randomUUID();
  const first = await correct(id, { key });
  expect(await correct(id, { key })).toEqual(first);
  await expect(correct(id, { key, payload: "{}" })).rejects.toMatchObject({ code: "conflict" });
  await expect(correct(id)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("sent already"),
  });
  expect(await rowsOf()).toBe(1);
});

test("it is off by default, and for admins only", async () => {
  const id = await openWith('{"id":1}', { corrections: false });
  await expect(correct(id)).rejects.toMatchObject({
    code: "wrong_state",
    message: expect.stringContaining("switched off"),
  });
  expect((await getOutbox({ runtime, outbox: "orders" })).capabilities.corrections.possible).toBe(false);
  await expect(correct(id, { actor: OPERATOR })).rejects.toMatchObject({ code: "forbidden" });
});

test("what was JSON stays JSON, and something has to be changed", async () => {
  const id = await openWith('{"id":1}', { type: "text" });
  await expect(correct(id, { payload: "{id: 1}" })).rejects.toMatchObject({ code: "invalid_input" });
  await expect(correct(id, { payload: '{"id":1}' })).rejects.toMatchObject({ code: "invalid_input" });
  expect(await rowsOf()).toBe(0);
});

test.each([
  ["bytes", "\\x7b7d", "bytea", /bytea: only text/],
  ["a compressed payload", gzipSync('{"id":1}').toString("base64"), "text", /shown decoded \(base64, gzip/],
  ["a payload elsewhere", "1", "int REFERENCES payloads (id)", /integer: only text/],
  ["a reference to a payload", "p1", "text REFERENCES payloads (name)", /refers to another table/],
])("%s is refused with the reason", async (_what, payload, type, message) => {
  await database().pool.query(
    "CREATE TABLE payloads (id int PRIMARY KEY, name text UNIQUE); INSERT INTO payloads VALUES (1, 'p1')",
  );
  const id = await openWith(payload, { type });
  await expect(correct(id)).rejects.toMatchObject({ code: "wrong_state", message: expect.stringMatching(message) });
  expect(await rowsOf()).toBe(0);
});

test("a key that is typed twice is refused: a jsonb column would keep one of its values only", async () => {
  const id = await openWith('{"total": "1"}', { type: "jsonb NOT NULL" });
  await expect(correct(id, { payload: '{"note": "a", "note": "b"}' })).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("the key note twice"),
  });
  expect(await rowsOf()).toBe(0);
});
