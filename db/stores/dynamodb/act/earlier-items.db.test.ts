import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { MessageAction } from "#domain/message/message-state.ts";
import type { OutboxStore } from "../../port/store.ts";
import { createTutorialShop, eventItem, type TutorialShop } from "../tutorial-shop.fixture.ts";

let shop: TutorialShop;
let outbox: OutboxStore;
beforeEach(async () => {
  shop = await createTutorialShop();
  const opened = shop.open({ storeSide: true });
  await opened.store.migrate();
  outbox = opened.outbox;
});
afterEach(() => shop.drop());

const act = async (action: MessageAction, id: string) => {
  const version = (await outbox.read.message(id))?.row.version ?? "";
  const actor = { name: "ada", role: "admin" } as const;
  const verb = { action, id, version, actor, reason: "INC-42", operationId: randomUUID(), dryRun: false };
  return outbox.act.perform(verb, 0);
};
const onlyId = async () => (await outbox.read.list({ filter: { state: "all" }, limit: 1 })).rows[0]?.id ?? "";
const counts = async () => {
  const { dead, pending, archived } = (await outbox.read.figures()).counts;
  return [pending.value, dead.value, archived.value];
};

test("an item of the same key as a dead letter is a message of its own, and neither is lost", async () => {
  const item = eventItem();
  await shop.tables.put(shop.table, [item]);
  const id = await onlyId();
  await act("dead-letter", id);
  await shop.tables.put(shop.table, [{ ...item, event_type: { S: "again" } }]);
  expect(await counts()).toEqual([1, 1, 0]);
  expect((await outbox.read.message(id))?.row).toMatchObject({ state: "pending", eventType: "again" });
  await expect(act("dead-letter", id)).rejects.toMatchObject({ code: "conflict", message: /earlier message/ });
  expect(await counts()).toEqual([1, 1, 0]);
  await shop.tables.delete(shop.table, { PK: item.PK ?? { S: "" }, SK: item.SK ?? { S: "" } });
  await act("retry", id);
  expect(await shop.tables.get(shop.table, { PK: item.PK ?? { S: "" }, SK: item.SK ?? { S: "" } })).toEqual(item);
});

test("who looked before a message was dead-lettered and retried meets a conflict", async () => {
  await shop.tables.put(shop.table, [eventItem()]);
  const id = await onlyId();
  const seen = (await outbox.read.message(id))?.row.version ?? "";
  await act("dead-letter", id);
  await act("retry", id);
  const actor = { name: "ben", role: "operator" } as const;
  const late = { action: "dead-letter", id, version: seen, actor, reason: "late", dryRun: false } as const;
  await expect(outbox.act.perform({ ...late, operationId: randomUUID() }, 0)).rejects.toMatchObject({
    code: "conflict",
  });
});

test("a message that others move back and forth is never nowhere", async () => {
  await shop.tables.put(shop.table, [eventItem()]);
  const id = await onlyId();
  let moving = true;
  const move = async () => {
    for (let n = 0; n < 12; n += 1) for (const action of ["dead-letter", "retry"] as const) await act(action, id);
  };
  const mover = move().finally(() => {
    moving = false;
  });
  const seen: number[] = [];
  while (moving) {
    const [message, { rows }] = await Promise.all([
      outbox.read.message(id),
      outbox.read.list({ filter: { state: "all" }, limit: 10 }),
    ]);
    seen.push(message === null ? 0 : 1, rows.length);
  }
  await mover;
  expect(new Set(seen)).toEqual(new Set([1]));
});
