import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ItemRow } from "#db/stores/port/bulk-records.ts";
import { outboxOf } from "#services/outboxes/outbox-of.ts";
import type { OutboxHandle } from "#services/runtime.ts";
import { waitFor } from "#tests/wait-for.ts";
import { insertEvents } from "../../testing/outbox.fixture.ts";
import { openRuntimeHarness, type RuntimeHarness } from "../../testing/runtime-harness.fixture.ts";

const COUNT = 600;
const AT_ONCE = 10;

let harness: RuntimeHarness;
beforeEach(async () => {
  harness = await openRuntimeHarness();
});
afterEach(() => harness.close());

/** Retries them ten at a time, one transaction after the other, while the relay publishes those before. */
async function retryAll(handle: OutboxHandle): Promise<void> {
  const { read, act } = outboxOf(handle);
  const operationId = randomUUID();
  const dead = await read.list({ filter: { state: "dead" }, limit: COUNT, count: false });
  const items: Pick<ItemRow, "messageId" | "version">[] = dead.rows.map(({ id, version }) => ({
    messageId: id,
    version,
  }));
  const order = await act.inOrder(items.map(({ messageId }) => messageId));
  const versions = new Map(items.map(({ messageId, version }) => [messageId, version]));
  for (let from = 0; from < order.length; from += AT_ONCE) {
    const acts = await act.performItems(
      order.slice(from, from + AT_ONCE).map((id) => ({
        ...{ action: "retry", id, version: versions.get(id) ?? "", actor: { name: "ana", role: "admin" } },
        ...{ reason: "the consumer is repaired", operationId, dryRun: false },
      })),
    );
    expect(acts.filter(({ failure }) => failure !== null)).toEqual([]);
  }
}

test("messages retried in many small batches arrive once each, in the order of their aggregates, while more are retried", async () => {
  harness.receiver.answerWith({ status: 422 });
  await insertEvents(harness.pool, { count: COUNT, aggregates: 40 });
  await harness.start();
  const buried = async () => (await harness.pool.query("SELECT FROM outbox_console.dead_letter")).rowCount === COUNT;
  await waitFor(buried, { timeoutMs: 60_000, message: "all are dead" });
  const refused = harness.receiver.requests.length;
  harness.receiver.answerWith({ status: 204 });
  await retryAll(await harness.runtime.outbox("orders"));
  await harness.waitUntilSent();
  const arrived = harness.deliveries().slice(refused);
  expect(arrived).toHaveLength(COUNT);
  for (const of of Map.groupBy(arrived, ({ aggregate }) => aggregate).values())
    expect(of.map(({ n }) => n)).toEqual(of.map((_, n) => n));
});
