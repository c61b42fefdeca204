import { expect, test } from "vitest";
import { z } from "zod";
import { defineEvents } from "../events/define-events.ts";
import { outboxLayout } from "./layout.ts";
import { type AddOptions, newMessage } from "./new-message.ts";
import { uuidV7 } from "./uuid-v7.ts";

const events = defineEvents({
  placed: {
    version: 1,
    aggregate: "order",
    key: ({ id }) => id,
    schema: z.object({ id: z.string(), note: z.string().optional() }),
  },
  dated: { version: 1, aggregate: "order", schema: z.object({ at: z.date() }) },
  counted: { version: 1, aggregate: "order", schema: z.object({ n: z.bigint() }) },
});
const rules = { events, layout: outboxLayout({}), maxBytes: 1000, trace: null };
const make = (type: string, payload: unknown, options?: AddOptions) => newMessage(rules, type, payload, options);

test("what the schema does not know is not written", async () => {
  const { payload, aggregateId } = await make("placed", { id: "a", password: "secret" });
  expect([payload, aggregateId]).toEqual(['{"id":"a"}', "a"]);
});

test.each([
  ["cannot be read again, such as a Date", "dated", { at: new Date(0) }, /cannot be read again/],
  ["is no JSON", "counted", { n: 1n }, /is not JSON/],
  ["has a character that Postgres does not store", "placed", { id: "a\0b" }, /U\+0000/],
  ["has half of an emoji", "placed", { id: "a", note: "🎈".slice(0, 1) }, /half of a surrogate pair/],
  ["does not fit", "placed", { id: 7 }, /does not fit its schema: id: /],
  ["is too large, in bytes", "placed", { id: "a", note: "漢".repeat(400) }, /has 12\d\d bytes/],
  ["is of an unknown type", "toString", {}, /no event "toString"\. It has placed, dated, counted\.$/],
])("a payload that %s is refused", async (_, type, payload, message) => {
  await expect(make(type, payload)).rejects.toThrow(message);
});

test.each(["\\u0000", "\\ud83c", "🎈", "\\🎈"])("the text %s holds nothing that is not stored", async (id) => {
  const { payload, headers } = await make("placed", { id }, { headers: { note: id } });
  expect([JSON.parse(payload), JSON.parse(headers ?? "")]).toMatchObject([{ id }, { note: id }]);
});

test("a pair that a schema writes as two escapes is whole", async () => {
  const raw = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON('"\\ud83c\\udf88"');
  const any = defineEvents({ any: { version: 1, aggregate: "order", schema: z.any().transform(() => ({ raw })) } });
  expect((await newMessage({ ...rules, events: any }, "any", {})).payload).toBe('{"raw":"\\ud83c\\udf88"}');
});

test.each([
  ["a delay that is no duration", { delay: "soon" as never }, /not a duration/],
  ["a header of the outbox itself", { headers: { TraceParent: "x" } }, /set by the outbox/],
  ["a header that is no text", { headers: { n: 1 as never } }, /not a string/],
  ["an empty key", { key: "" }, /key of placed/],
  ["an empty id", { id: "" }, /id of placed/],
  ["a key with U+0000", { key: "a\0" }, /key of placed holds the character U\+0000/],
  ["an id with half of an emoji", { id: "\ud83c" }, /id of placed holds half/],
  ["a header with U+0000", { headers: { n: "a\0" } }, /header "n" holds the character/],
  ["a header with half of an emoji", { headers: { n: "\ud83c" } }, /header "n" holds half/],
  ["a sequence that is no whole number", { sequence: 1.5 }, /sequence of placed/],
  ["a topic without a column", { topic: "t" }, /role topic/],
  ["an option that does not exist", { delayMs: 5 } as AddOptions, /^add has no option delayMs; these are: id, key,/],
])("%s is refused", async (_, options, message) => {
  await expect(make("placed", { id: "a" }, options)).rejects.toThrow(message);
});

test("an id that is no UUID is refused for a column that takes nothing else", async () => {
  const added = (id: string) => newMessage({ ...rules, takesUuids: true }, "placed", { id: "a" }, { id });
  await expect(added("order-1")).rejects.toThrow(/"order-1" is no UUID/);
  const id = "01A22279-FA57-7540-8F66-F6C54B4F5D55";
  expect([await added(id), await added(`{${id}}`)]).toMatchObject([{ id }, { id: `{${id}}` }]);
});

test("ids of one process rise, within a millisecond and when the clock is set back", () => {
  const nowMs = Date.now();
  const ids = [nowMs, nowMs, nowMs, nowMs - 5000, nowMs + 1].map((at) => uuidV7(at));
  expect(ids).toEqual(ids.toSorted());
  const many = Array.from({ length: 10_000 }, () => uuidV7(nowMs));
  expect(many).toEqual([...new Set(many)].sort());
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
