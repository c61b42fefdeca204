import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { MessageAction } from "#domain/message/message-state.ts";
import { ADA, REASON } from "../../conformance/operator-desk.fixture.ts";
import type { MappedColumn, OutboxMapping } from "../../port/mapping.ts";
import type { OutboxStore } from "../../port/store.ts";
import { createTutorialShop, eventItem, type TutorialShop } from "../tutorial-shop.fixture.ts";

let shop: TutorialShop;
beforeEach(async () => {
  shop = await createTutorialShop();
});
afterEach(() => shop.drop());

const column = (name: string, type: string, more: Partial<MappedColumn> = {}): MappedColumn => ({
  ...{ name, type, nullable: true, from: "config" },
  ...more,
});

async function open(columns: Partial<OutboxMapping["columns"]>, more: Partial<OutboxMapping>): Promise<OutboxStore> {
  const attributes = { ...shop.family.attributes, tries: "number" as const };
  const { store } = shop.open({ storeSide: true, family: { attributes } });
  await store.migrate();
  const mapping: OutboxMapping = { ...shop.mapping, ...more, columns: { ...shop.mapping.columns, ...columns } };
  return store.outbox({ name: "orders", mapping, storeSide: true, maxAttempts: null, estimatedRows: -1 });
}

const rowOf = async ({ read }: OutboxStore) => (await read.list({ filter: { state: "all" }, limit: 1 })).rows[0];
const act = async (outbox: OutboxStore, action: MessageAction) => {
  const { id = "", version = "" } = (await rowOf(outbox)) ?? {};
  const verb = { action, id, version, actor: ADA, reason: REASON, operationId: randomUUID(), dryRun: false };
  return outbox.act.perform(verb, 0);
};

test("the state after an action is the one that the item then has, also where that is not the usual one", async () => {
  const expiresAt = column("ttl", "seconds", { time: { kind: "epoch", unit: "s" } });
  const outbox = await open({ expiresAt }, {});
  await shop.tables.put(shop.table, [eventItem({ attributes: { ttl: { N: "4000000000" } } })]);
  await act(outbox, "dead-letter");
  const own = `${shop.tables.prefix}own`;
  const [image] = (await shop.tables.all(own)).filter(({ pk }) => pk?.S === "image#orders");
  // Its time has come while it was among the dead letters.
  await shop.tables.put(own, [{ ...image, image: { M: { ...image?.image?.M, ttl: { N: "1700000000" } } } }]);
  expect(await act(outbox, "retry")).toMatchObject({ stateBefore: "dead", stateAfter: "expired" });
  expect((await rowOf(outbox))?.state).toBe("expired");
});

test("an action after which the mapping would see no change is refused, and nothing is written", async () => {
  const outbox = await open({ attempts: column("tries", "number") }, { deadAttempts: 0 });
  const item = eventItem({ attributes: { tries: { N: "3" } } });
  await shop.tables.put(shop.table, [item]);
  await expect(act(outbox, "retry")).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("would be dead after it, too"),
  });
  expect(await shop.tables.all(shop.table)).toEqual([item]);
});
