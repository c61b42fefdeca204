import { afterEach, beforeAll, expect, test } from "vitest";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
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
