import { afterEach, beforeEach, expect, test } from "vitest";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import type { Runtime } from "../runtime.ts";
import { explainMessage } from "./explain-message.ts";

const database = testDatabase("migrated");
let runtime: Runtime;

beforeEach(async () => {
  await database().pool.query(`DROP TABLE IF EXISTS outbox_events;
    CREATE TABLE outbox_events (id int PRIMARY KEY, aggregate_id text NOT NULL, event_type text NOT NULL,
      payload jsonb NOT NULL, occurred_at timestamptz NOT NULL DEFAULT now(), dispatched_at timestamptz,
      attempts int NOT NULL DEFAULT 0, last_error text)`);
  runtime = openOperatedRuntime(database().url, "outbox_events");
});

afterEach(() => runtime.close());

const add = (id: number, attempts: number, error: string | null) =>
  database().pool.query(
    `INSERT INTO outbox_events (id, aggregate_id, event_type, payload, attempts, last_error)
     VALUES ($1, 'A-1', 'order.placed', '{}', $2, $3)`,
    [id, attempts, error],
  );
const explain = (id: number) => explainMessage({ runtime, outbox: "orders", id: String(id) });

test.each([
  ["HTTP 500: boom.", "HTTP 500: boom."],
  ["connection refused", "connection refused."],
  ["java.io.IOException: no route\n\tat gateway.Client.send", "java.io.IOException: no route."],
  [null, "no error was recorded."],
])("the last error %j is quoted as one sentence", async (error, quoted) => {
  await add(1, 2, error);
  expect((await explain(1)).reasons).toMatchObject([{ rule: "failed", text: `Its last attempt failed: ${quoted}` }]);
});

test("a message that nothing holds up waits for the team's own relay, in a mode that does more than observe", async () => {
  await add(1, 0, null);
  const { reasons } = await explain(1);
  expect(reasons).toMatchObject([
    { text: expect.stringMatching(/^It has waited for .+ for your team's own relay\.$/) },
  ]);
});
