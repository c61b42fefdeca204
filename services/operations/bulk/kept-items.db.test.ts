import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { contextOf } from "#tests/factories/runtime.ts";
import { previewOperation } from "../preview-operation.ts";
import { bulkOutbox } from "./bulk-outbox.fixture.ts";

const outbox = bulkOutbox();

test("the rest of an operation, and what it did, can be taken up by another", async () => {
  await outbox.put(12);
  await outbox.work();
  const dead = await outbox.start({ action: "archive", filter: { state: "dead" } });
  const ended = await outbox.until(dead.id, "finished");
  expect(ended.bulk?.counts.done).toBe(12);
  const request = { action: "restore" as const, itemsOf: { operation: dead.id, outcomes: ["done" as const] } };
  const preview = () => previewOperation({ ctx: contextOf(outbox.runtime()), outbox: "orders", request });
  expect(await preview()).toMatchObject({ matching: { value: 12, precision: "exact" }, read: 12 });
  await outbox.query(
    "DELETE FROM outbox_console.archive WHERE message_id IN (SELECT max(message_id) FROM outbox_console.archive)",
  );
  expect(await preview()).toMatchObject({ matching: { value: 11, precision: "exact" }, read: 11 });
  const undo = await outbox.start(request);
  expect((await outbox.until(undo.id, "finished")).bulk?.counts).toMatchObject({ selected: 11, done: 11 });
  expect(await outbox.query("SELECT count(*)::int AS n FROM outbox_events WHERE attempts = 5")).toEqual([{ n: 11 }]);
});

test("the rest of an operation that does not exist is not said to be nothing", async () => {
  await outbox.work();
  const itemsOf = { operation: randomUUID(), outcomes: ["failed_again" as const] };
  await expect(outbox.start({ action: "retry", itemsOf })).rejects.toMatchObject({ code: "not_found" });
});

test("items of an operation that ended 90 days ago cannot be taken up again, and it says so", async () => {
  await outbox.put(2);
  await outbox.work();
  const { id } = await outbox.start({ action: "archive", filter: { state: "dead" } });
  const ended = await outbox.until(id, "finished");
  const days = (Date.parse(ended.bulk?.itemsKeptUntil ?? "") - Date.parse(ended.bulk?.endedAt ?? "")) / 86_400_000;
  expect(days).toBe(90);
  await outbox.query("UPDATE outbox_console.operation SET ended_at = now() - interval '91 days'");
  const undo = { action: "restore" as const, itemsOf: { operation: id, outcomes: ["done" as const] } };
  await expect(outbox.start(undo)).rejects.toThrow(/^The items of this operation were kept for 90 days/);
});
