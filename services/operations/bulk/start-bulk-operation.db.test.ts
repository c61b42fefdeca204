import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { operationRequestSchema, type PreviewRequest } from "#contracts/message/operations.ts";
import type { Actor } from "#domain/operator.ts";
import { contextOf, OPERATOR, openTestRuntime, VIEWER } from "#tests/factories/runtime.ts";
import { defineEvents } from "../../../client/events/define-events.ts";
import { listItems } from "../list-items.ts";
import { listOperations } from "../list-operations.ts";
import { previewOperation } from "../preview-operation.ts";
import { startOperation } from "../start-operation.ts";
import { bulkOutbox } from "./bulk-outbox.fixture.ts";

const outbox = bulkOutbox();
const DEAD = { action: "retry" as const, filter: { state: "dead" as const } };

describe("starting", () => {
  test("the same key gives the same operation, and is refused for another request", async () => {
    await outbox.put(3);
    await outbox.work();
    const key = randomUUID();
    const [one, other] = await Promise.all([outbox.start(DEAD, key), outbox.start(DEAD, key)]);
    expect(other.id).toBe(one.id);
    await expect(outbox.start({ ...DEAD, reason: "INC-43" }, key)).rejects.toMatchObject({ code: "conflict" });
    const list = await listOperations({ runtime: outbox.runtime(), query: { limit: 50 } });
    expect(list.operations.map(({ id }) => id)).toEqual([one.id]);
  });

  test("the same key gives the operation that it began, whatever would refuse it now", async () => {
    await outbox.put(3);
    const monitor = await outbox.work();
    const key = randomUUID();
    const { id } = await outbox.start(DEAD, key);
    await outbox.until(id, "finished", "publish");
    await monitor.stop();
    await outbox.query("TRUNCATE outbox_console_app.monitor_lease");
    await outbox.put(1001);
    expect(await outbox.start(DEAD, key)).toMatchObject({ id, finished: true, bulk: { counts: { published: 3 } } });
    await expect(outbox.start({ ...DEAD, reason: "INC-43" }, key)).rejects.toMatchObject({ code: "conflict" });
    await expect(outbox.start(DEAD)).rejects.toMatchObject({ code: "invalid_input" });
    const settings = { store: "shop", table: "public.outbox_events", mode: "operate" as const, deadAttempts: 5 };
    const switchedOff = openTestRuntime(outbox.database().url, {
      console: { databaseUrl: outbox.database().url },
      outboxes: { orders: { ...settings, actions: { bulk: false } } },
    });
    try {
      const ctx = contextOf(switchedOff);
      const request = operationRequestSchema.parse({ reason: "INC-42", ...DEAD });
      const again = (idempotencyKey: string) => startOperation({ ctx, outbox: "orders", request, idempotencyKey });
      expect((await again(key)).id).toBe(id);
      await expect(again(randomUUID())).rejects.toMatchObject({ code: "forbidden" });
    } finally {
      await switchedOff.close();
    }
  });

  test("is refused while nobody is alive to do it, and without the number of many messages", async () => {
    await outbox.put(1001);
    await expect(outbox.start(DEAD)).rejects.toMatchObject({ code: "invalid_input", details: { confirm: 1001 } });
    await expect(outbox.start({ ...DEAD, confirm: 1001 })).rejects.toMatchObject({ code: "no_monitor" });
    expect(await outbox.query("SELECT 1 FROM outbox_console.operation")).toEqual([]);
  });

  test("previews by type, with what is refused, and changes nothing", async () => {
    await outbox.put(4);
    await outbox.put(2, { type: "order.paid", attempts: 0 });
    const preview = await previewOperation({
      ctx: contextOf(outbox.runtime()),
      outbox: "orders",
      request: { action: "retry", filter: { state: "all" } },
    });
    expect(preview).toMatchObject({
      matching: { value: 6, precision: "exact" },
      confirm: null,
      types: [
        { eventType: "order.placed", messages: 4, states: { dead: 4 } },
        { eventType: "order.paid", messages: 2, states: { pending: 2 } },
      ],
      refused: [{ reason: "It is already waiting to be sent.", messages: 2 }],
    });
    expect(preview.relays?.reduce((sum, { messages }) => sum + messages, 0)).toBe(6);
    const most = preview.topAggregates.map(({ messages }) => messages);
    expect(most).toEqual(most.toSorted((one, other) => other - one));
    expect(most.length).toBe(Math.min(5, preview.aggregates));
    expect(preview.blocked).toMatch(/^No worker is alive/);
  });
});

test("no preview of a viewer tells, guess by guess, what is masked in an error", async () => {
  await outbox.put(1);
  await outbox.query("UPDATE outbox_events SET last_error = 'no account of zoe@example.org'");
  const masked = openTestRuntime(outbox.database().url, {
    outboxes: { orders: { store: "shop", table: "public.outbox_events", mode: "operate" } },
    masking: { patterns: ["email"] },
  });
  try {
    const guess = { action: "retry" as const, filter: { state: "all" as const, error: "zoe@" } };
    const preview = (actor: Actor, request: PreviewRequest = guess) =>
      previewOperation({ ctx: contextOf(masked, actor), outbox: "orders", request });
    await expect(preview(VIEWER)).rejects.toMatchObject({ code: "forbidden" });
    expect((await preview(VIEWER, { action: "retry", filter: { state: "all" } })).read).toBe(1);
    expect((await preview(OPERATOR)).read).toBe(1);
  } finally {
    await masked.close();
  }
});

test("an item's error is masked by the rules of its type, also if these are newer than the error", async () => {
  await outbox.put(1);
  await outbox.work();
  const { id } = await outbox.start(DEAD);
  await outbox.until(id, "finished", "publish");
  const told = 'HTTP 422: {"note":"zoe"}';
  await outbox.query("UPDATE outbox_console.operation_item SET outcome = 'failed_again', message = $1", [told]);
  expect((await outbox.items(id)).map(({ message }) => message)).toEqual([told]);
  const registry = join(mkdtempSync(join(tmpdir(), "outbox-registry-")), "events.json");
  const schema = z.object({ note: z.string() });
  const events = defineEvents({ "order.placed": { version: 1, aggregate: "order", schema, sensitive: ["note"] } });
  writeFileSync(registry, JSON.stringify(events.toJsonSchema()));
  const masked = openTestRuntime(outbox.database().url, {
    outboxes: { orders: { store: "shop", table: "public.outbox_events", mode: "operate", registry } },
  });
  try {
    const { items } = await listItems({ runtime: masked, id, query: { limit: 10 } });
    expect(items[0]?.message).toMatch(/^HTTP 422: \{"note":/);
    expect(items[0]?.message).not.toContain("zoe");
  } finally {
    await masked.close();
    rmSync(dirname(registry), { recursive: true });
  }
});
