import { afterEach, beforeAll, expect, test } from "vitest";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { list, type Query } from "../messages/list-messages.fixture.ts";
import type { Runtime } from "../runtime.ts";
import { missingIndexesOf } from "./missing-indexes.ts";

const database = testDatabase("migrated");
let runtime: Runtime;
afterEach(() => runtime.close());

beforeAll(() =>
  database().pool.query(
    `CREATE TABLE outbox (id bigint PRIMARY KEY, event_type text, payload json, status text NOT NULL DEFAULT 'NEW', created_at timestamptz);
     INSERT INTO outbox SELECT n, 'a', '{}', 'SENT', now() FROM generate_series(1, 10) n`,
  ),
);

const waitingIndex = async (settings?: Record<string, unknown>) => {
  runtime = openOperatedRuntime(database().url, "outbox", settings);
  const found = await missingIndexesOf(await runtime.outbox("orders"));
  return found.find(({ purpose }) => purpose.startsWith("Finding waiting messages"));
};

test("no SQL is advised that lists every word that a status may have, before a person has named them", async () => {
  expect(await waitingIndex()).toMatchObject({
    purpose: expect.stringMatching(/answer the question about the mapping first$/),
    sql: null,
  });
});

test("once they are named, the index has exactly these", async () => {
  const none = { inFlight: [], failed: [], dead: [] };
  const lifecycle = { kind: "status", pending: ["NEW"], published: ["SENT"], ...none };
  expect((await waitingIndex({ lifecycle, columns: { status: "status" } }))?.sql).toMatch(
    /WHERE "status" (IN \('NEW'\)|= 'NEW');$/,
  );
});

test("a refused list, and one that is not read, name no such index either", async () => {
  const { pool, name } = database();
  await pool.query(
    `ALTER DATABASE "${name}" SET seq_page_cost = 1e9; ALTER DATABASE "${name}" SET random_page_cost = 1e9`,
  );
  await pool.query(
    "INSERT INTO outbox SELECT n, 'a', to_json(repeat('x', 1000)), 'SENT', now() FROM generate_series(11, 20000) n; ANALYZE outbox",
  );
  runtime = openOperatedRuntime(database().url, "outbox");
  const ask = (query: Query) => list(runtime, query).catch((error: unknown) => error);
  expect(await ask({ state: "dead" })).toMatchObject({ partial: { read: 0, index: "" } });
  expect(await ask({ state: "dead", from: "2020-01-01T00:00:00Z" })).toMatchObject({
    code: "filter_not_indexed",
    message: expect.stringMatching(/answer the question about the mapping first\.$/),
    details: {},
  });
  expect(await ask({ state: "published", eventType: "a" }), "an index without words is named").toMatchObject({
    code: "filter_not_indexed",
    details: { index: expect.stringMatching(/^CREATE INDEX/) },
  });
});
