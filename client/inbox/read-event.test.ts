import { expect, test } from "vitest";
import { z } from "zod";
import { defineEvents } from "../events/define-events.ts";
import type { ReceivedMessage } from "../messages/received-message.ts";
import { contractMessage } from "../testing/inbox-contract.ts";
import { messageKey } from "./message-key.ts";
import { readEvent } from "./read-event.ts";

type Older = { total: number | null };

const cents = ({ total }: Older) => {
  if (total === null) throw new Error("no total");
  return { cents: total * 100 };
};
const rest = { version: 2, aggregate: "order", schema: z.object({ cents: z.number() }) };
const events = defineEvents({
  now: { ...rest, upgrade: (payload) => cents(payload as Older) },
  later: { ...rest, upgrade: async (payload) => cents(payload as Older) },
});
const read = (type: string, version: number | null, payload: unknown) =>
  readEvent(events, { ...contractMessage(), type, version, payload }, { known: false, why: "not_watched" });

test.each(["now", "later"])("an older payload goes through the upgrade first, %s", async (type) => {
  expect((await read(type, 1, { total: 3 })).payload).toEqual({ cents: 300 });
  await expect(read(type, 1, { total: null })).rejects.toThrow("no total");
});

test("a payload of this version, or of none that is said, is read as it is, and a newer one is refused", async () => {
  expect((await read("now", 2, { cents: 3 })).payload).toEqual({ cents: 3 });
  expect((await read("now", null, { cents: 3 })).payload).toEqual({ cents: 3 });
  await expect(read("now", 3, { cents: 3 })).rejects.toThrow(/written by newer code/);
});

test("a message made by hand may lack fields: it is refused for its type, not for a mistake of ours", async () => {
  const bare = { id: crypto.randomUUID(), payload: { cents: 3 } } as ReceivedMessage;
  expect(messageKey(events, { ...bare, type: "now" }, "mysql")).toMatchObject({
    type: "now",
    aggregateType: "order",
    aggregateId: null,
  });
  expect(messageKey(events, bare, "postgres")).toMatchObject({ type: null, aggregateType: null });
  await expect(readEvent(events, bare, { known: false, why: "not_watched" })).rejects.toThrow(/says no event type/);
});
