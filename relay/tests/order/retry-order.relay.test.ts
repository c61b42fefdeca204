import { afterEach, beforeEach, expect, test } from "vitest";
import { targetedRequestSchema } from "#contracts/message/operations.ts";
import { getMessage } from "#services/messages/get-message.ts";
import { performOperation } from "#services/operations/perform-operation.ts";
import type { Runtime } from "#services/runtime.ts";
import { contextOf } from "#tests/factories/runtime.ts";
import { waitFor } from "#tests/wait-for.ts";
import { insertEvents, OUTBOX_DDL } from "../../testing/outbox.fixture.ts";
import { openRuntimeHarness, type RuntimeHarness } from "../../testing/runtime-harness.fixture.ts";

const COUNT = 20;
/** Dead rows stay in a table with foreign keys to it, where a test can lock them. */
const REFERRED_TO = `${OUTBOX_DDL}; CREATE TABLE receipt (event_id uuid REFERENCES outbox_events)`;

let harness: RuntimeHarness;
let runtime: Runtime;
beforeEach(async () => {
  harness = await openRuntimeHarness(REFERRED_TO);
  runtime = harness.runtime;
});
afterEach(() => harness.close());

/** In a list's order, newest first. */
async function deadIds(): Promise<string[]> {
  const { rows } = await harness.pool.query(
    "SELECT d.message_id AS id FROM outbox_console.delivery d JOIN outbox_events e ON e.id::text = d.message_id WHERE d.dead_at IS NOT NULL ORDER BY e.seq DESC",
  );
  return rows.map(({ id }) => id);
}

async function retryRequest(ids: readonly string[]) {
  const targets: { id: string; version: string }[] = [];
  for (const id of ids) {
    targets.push({ id, version: (await getMessage({ runtime, outbox: "orders", id })).message.version });
  }
  return targetedRequestSchema.parse({ action: "retry", targets, reason: "the consumer is repaired" });
}

/** Locks the message, so that the relay publishes the messages already retried before the operation reaches it. */
async function lockMessage(id: string): Promise<() => Promise<void>> {
  const other = await harness.pool.connect();
  await other.query("BEGIN");
  await other.query("SELECT 1 FROM outbox_events WHERE id = $1 FOR UPDATE", [id]);
  return async () => {
    await other.query("ROLLBACK");
    other.release();
  };
}

test("dead messages of one aggregate, retried newest first, arrive oldest first", async () => {
  harness.receiver.answerWith({ status: 422 });
  await insertEvents(harness.pool, { count: COUNT });
  await harness.start();
  await waitFor(async () => (await deadIds()).length === COUNT, { timeoutMs: 20_000, message: "all are dead" });
  const refused = harness.receiver.requests.length;
  harness.receiver.answerWith({ status: 204 });
  const ids = await deadIds();
  const request = await retryRequest(ids);
  const letGo = await lockMessage(ids[COUNT / 2] ?? "");
  const retrying = performOperation({ ctx: contextOf(runtime), outbox: "orders", request, idempotencyKey: null });
  await harness.receiver.waitForRequests(refused + 1).finally(letGo);
  const { outcomes } = await retrying;
  expect(outcomes.map(({ id, outcome }) => [id, outcome])).toEqual(ids.map((id) => [id, "done"]));
  await harness.waitUntilSent();
  const arrived = harness.deliveries().slice(refused);
  expect(arrived.map(({ n }) => n)).toEqual(Array.from({ length: COUNT }, (_, n) => n));
});
