import { afterEach, beforeEach, expect, test } from "vitest";
import { openOperatedRuntime, openTestRuntime } from "#tests/factories/runtime.ts";
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

test("a long error is cut, because the page has it whole", async () => {
  await add(1, 2, `HTTP 500: ${"a very long answer ".repeat(40)}`);
  const [reason] = (await explain(1)).reasons;
  expect(reason?.text).toMatch(/^Its last attempt failed: HTTP 500: a very .+ …$/);
  expect(reason?.text.length).toBeLessThan(200);
});

test("where nobody may act, the next step is none of the console's", async () => {
  await runtime.close();
  const columns = { status: "state" };
  const lifecycle = { kind: "status" as const, pending: ["NEW"], failed: ["FAILED"], dead: ["DEAD"], expired: ["OLD"] };
  await database().pool.query("ALTER TABLE outbox_events ADD state text NOT NULL DEFAULT 'NEW', DROP dispatched_at");
  runtime = openTestRuntime(database().url, {
    outboxes: { orders: { store: "shop", table: "outbox_events", columns, lifecycle } },
  });
  for (const [id, state] of [
    [1, "FAILED"],
    [2, "DEAD"],
    [3, "OLD"],
  ] as const) {
    await add(id, 2, "HTTP 500: boom");
    await database().pool.query("UPDATE outbox_events SET state = $2 WHERE id = $1", [id, state]);
  }
  const nextOf = async (id: number) => (await explain(id)).reasons[0]?.next ?? "";
  expect(await nextOf(1)).toMatch(/^Fix the cause/);
  expect(await nextOf(2)).toMatch(/^Fix the cause/);
  for (const id of [1, 2, 3]) expect(await nextOf(id)).not.toMatch(/retry|archive/i);
  expect((await explain(3)).reasons[0]?.evidence).toBe('Its status is "OLD".');
});
