import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { operationRequestSchema } from "#contracts/message/operations.ts";
import { ADMIN, contextOf, openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { startMonitor } from "../../../monitor/start-monitor.ts";
import { getOperation } from "../get-operation.ts";
import { startOperation } from "../start-operation.ts";

const database = testDatabase("migrated");

/** Random ids, so that they tell nothing about the order. */
const TABLE = `CREATE TABLE outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), seq bigint GENERATED ALWAYS AS IDENTITY,
  aggregate_id text, event_type text, payload jsonb, created_at timestamptz DEFAULT now(), published_at timestamptz);
  CREATE INDEX ON outbox (seq) WHERE published_at IS NULL; CREATE INDEX ON outbox (created_at DESC, id DESC)`;
const ITEMS = `SELECT row_number() OVER (ORDER BY i.seq)::int AS turn, place FROM outbox_console.operation_item i
  JOIN places ON places.id::text = i.message_id WHERE i.operation_id = $1 ORDER BY i.seq`;

async function open() {
  const { url } = database();
  const columns = { order: "seq", publishedAt: "published_at" };
  const runtime = openTestRuntime(url, {
    console: { databaseUrl: url },
    sinks: { stdout: { kind: "log" } },
    outboxes: { orders: { store: "shop", table: "public.outbox", mode: "operate", columns } },
  });
  onTestFinished(() => runtime.close());
  const monitor = await startMonitor({ runtime, leaseMs: 2000, renewMs: 100 });
  onTestFinished(() => monitor.stop());
  await waitFor(() => monitor.leads, { message: "the monitor leads" });
  return async (request: { action: string; filter: { state: string } }) => {
    const { id } = await startOperation({
      ctx: contextOf(runtime, ADMIN),
      outbox: "orders",
      request: operationRequestSchema.parse({ reason: "INC-42", ...request }),
      idempotencyKey: randomUUID(),
    });
    return {
      id,
      ended: () =>
        waitFor(async () => (await getOperation({ runtime, id })).bulk?.state === "finished", {
          message: "the operation has ended",
        }),
      places: async () =>
        waitFor(
          async () => {
            const { rows } = await database().pool.query<{ place: number }>(ITEMS, [id]);
            return rows.length === 300 && rows.map(({ place }) => place);
          },
          { message: "every item is written" },
        ),
    };
  };
}

test("messages that a relay gave up on together are retried in the order of the outbox", async () => {
  const { pool } = database();
  await pool.query(TABLE);
  await pool.query(
    "INSERT INTO outbox (aggregate_id, event_type, payload) SELECT 'order-' || (n % 5), 'placed', '{}' FROM generate_series(1, 300) n",
  );
  await pool.query("CREATE TABLE places AS SELECT id, seq::int AS place FROM outbox");
  const start = await open();
  await (await start({ action: "dead-letter", filter: { state: "pending" } })).ended();
  // A relay gives up on many messages in one statement, with one time.
  await pool.query(
    "UPDATE outbox_console.dead_letter SET dead_at = (SELECT max(dead_at) FROM outbox_console.dead_letter)",
  );
  const retried = await start({ action: "retry", filter: { state: "dead" } });
  expect(await retried.places()).toEqual(Array.from({ length: 300 }, (_, n) => n + 1));
});
