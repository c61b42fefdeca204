import { randomUUID } from "node:crypto";
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { MessageAction } from "#domain/message/message-state.ts";
import type { MappedColumn, OutboxMapping } from "../../port/mapping.ts";
import { createTutorialShop, eventItem, type TutorialShop } from "../tutorial-shop.fixture.ts";

let shop: TutorialShop;
beforeEach(async () => {
  shop = await createTutorialShop();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await shop.drop();
});

const column = (name: string, type: string, more: Partial<MappedColumn> = {}): MappedColumn => ({
  ...{ name, type, nullable: true, from: "config" },
  ...more,
});
const UNTIL = column("lease_until", "milliseconds", { time: { kind: "epoch", unit: "ms" } });

const NEXT = column("next_at", "milliseconds", { time: { kind: "epoch", unit: "ms" } });

/** An item with these attributes, after the actions one by one. */
async function after(type: string, words: readonly [string, string, string], item: Record<string, AttributeValue>) {
  const { columns } = shop.mapping;
  const { publishedAt: _, ...others } = columns;
  const status = column("st", type);
  const [pending, published, dead] = words;
  const mapping: OutboxMapping = {
    ...shop.mapping,
    columns: { ...others, status, lockedUntil: UNTIL, availableAt: NEXT },
    lifecycle: {
      ...{ kind: "status", column: status, pending: [pending], published: [published], dead: [dead] },
      ...{ inFlight: [], failed: [], expired: [] },
    },
  };
  const attributes = {
    ...shop.family.attributes,
    st: type as "number",
    lease_until: "milliseconds" as const,
    next_at: "milliseconds" as const,
  };
  const { store } = shop.open({ storeSide: true, family: { attributes } });
  await store.migrate();
  const outbox = store.outbox({ name: "orders", mapping, storeSide: true, maxAttempts: null, estimatedRows: -1 });
  const written = eventItem({ attributes: item });
  await shop.tables.put(shop.table, [written]);
  const key = { PK: written.PK ?? { S: "" }, SK: written.SK ?? { S: "" } };
  const [row] = (await outbox.read.list({ filter: { state: "all" }, limit: 1 })).rows;
  const id = row?.id ?? "";
  return async (action: MessageAction) => {
    const version = (await outbox.read.message(id))?.row.version ?? "";
    const actor = { name: "ada", role: "admin" } as const;
    const request = { action, id, version, actor, reason: "INC-42", operationId: randomUUID(), dryRun: false };
    await outbox.act.perform(request, 0);
    return shop.tables.get(shop.table, key);
  };
}

test.each<{ is: string; type: string; words: [string, string, string]; values: AttributeValue[] }>([
  { is: "a number", type: "number", words: ["0", "1", "9"], values: [{ N: "0" }, { N: "9" }] },
  { is: "a number, declared as a text", type: "text", words: ["0", "1", "9"], values: [{ N: "0" }, { N: "9" }] },
  { is: "digits in a text", type: "text", words: ["0", "1", "9"], values: [{ S: "0" }, { S: "9" }] },
  { is: "a word", type: "text", words: ["NEW", "SENT", "DEAD"], values: [{ S: "NEW" }, { S: "DEAD" }] },
])("a status that is $is keeps its type when an operator acts", async ({ type, words, values: [pending, dead] }) => {
  const act = await after(type, words, { st: pending as AttributeValue });
  expect((await act("dead-letter"))?.st).toEqual(dead);
  expect((await act("retry"))?.st).toEqual(pending);
});

test("a retry leaves the end of a claim that is a placeholder, with which a relay compares, and removes a real one", async () => {
  const free = await after("text", ["NEW", "SENT", "DEAD"], { st: { S: "DEAD" }, lease_until: { N: "0" } });
  expect(await free("retry")).toMatchObject({ st: { S: "NEW" }, lease_until: { N: "0" } });
  await shop.drop();
  shop = await createTutorialShop();
  const ended = await after("text", ["NEW", "SENT", "DEAD"], {
    st: { S: "DEAD" },
    lease_until: { N: "1764000000000" },
  });
  expect(await ended("retry")).not.toHaveProperty("lease_until");
});

test("a retry makes a message due now by the server's clock, also without a count of attempts", async () => {
  const act = await after("text", ["NEW", "SENT", "DEAD"], { st: { S: "DEAD" }, next_at: { N: "4000000000000" } });
  const now = Date.now;
  vi.spyOn(Date, "now").mockImplementation(() => now() + 3_600_000);
  const item = await act("retry");
  vi.restoreAllMocks();
  const nextAt = Number(item?.next_at?.N);
  expect(nextAt).toBeGreaterThan(Date.now() - 600_000);
  expect(nextAt).toBeLessThan(Date.now() + 600_000);
});
