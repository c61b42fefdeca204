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
  ["is no JSON", "counted", { n: 1n }, /a BigInt at n/],
  ["has a character that Postgres does not store", "placed", { id: "a\0b" }, /U\+0000/],
  ["has half of an emoji", "placed", { id: "a", note: "🎈".slice(0, 1) }, /half of a surrogate pair/],
  ["does not fit", "placed", { id: 7 }, /does not fit its schema: id: /],
  ["is too large, in bytes", "placed", { id: "a", note: "漢".repeat(400) }, /has 12\d\d bytes/],
  ["is of an unknown type", "toString", {}, /no event "toString"\. It has placed, dated, counted\.$/],
])("a payload that %s is refused", async (_, type, payload, message) => {
  await expect(make(type, payload)).rejects.toThrow(message);
});

const loose = defineEvents({ any: { version: 1, aggregate: "order", schema: z.any() } });

test.each([
  ["NaN", { total: Number.NaN }, /has NaN at total, which JSON writes as null/],
  [
    "Infinity in a list",
    { lines: [{ price: 1 }, { price: Number.POSITIVE_INFINITY }] },
    /Infinity at lines\.1\.price,/,
  ],
  ["a Date without a time", { at: new Date(Number.NaN) }, /an invalid Date at at, which JSON writes as null/],
  ["undefined in a list", { lines: [1, undefined] }, /undefined at lines\.1, which JSON writes as null/],
  ["a function in a list", [() => 1], /a function at 0, which JSON writes as null/],
  ["a Map", { byId: new Map([[1, 2]]) }, /a Map at byId, which JSON writes as \{\}/],
  ["a Set alone", new Set([1]), /a Set, which JSON writes as \{\}/],
  ["a promise that nobody awaited", { customer: Promise.resolve({ id: 1 }) }, /a Promise at customer,/],
  ["an error", { error: new Error("lost") }, /an Error at error,/],
  ["bytes", { file: new Uint8Array([1, 2]) }, /bytes at file,.*base64/],
  ["a Buffer", { file: Buffer.from("a") }, /bytes at file,.*base64/],
  ["a Buffer alone", Buffer.from("a"), /has bytes, .*base64/],
  ["a BigInt", { n: 1n }, /a BigInt at n, which JSON does not have: write it as a string/],
])(
  "%s is refused where the schema takes anything, because it would arrive as something else",
  async (_, payload, message) => {
    await expect(newMessage({ ...rules, events: loose }, "any", payload)).rejects.toThrow(message);
  },
);

test("what JSON has is written as JSON.stringify writes it", async () => {
  const payload = {
    at: new Date(0),
    left: undefined,
    minus: -0,
    own: { toJSON: () => ({ x: [null, ""] }) },
    bytes: Object.assign(Buffer.from("a"), { toJSON: () => "YQ==" }),
  };
  expect((await newMessage({ ...rules, events: loose }, "any", payload)).payload).toBe(JSON.stringify(payload));
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
  ["a delay that is no number", { delay: Number.NaN }, /^NaN is not a duration/],
  ["headers as a Map", { headers: new Map([["a", "b"]]) as never }, /headers of placed are no plain object/],
  ["headers of fetch", { headers: new Headers({ a: "b" }) as never }, /headers of placed are no plain object/],
  ["headers as a text", { headers: "a: b" as never }, /headers of placed are no plain object/],
  ["options that are a text", "10m" as never, /options of add are no plain object/],
  ["options that are a number", 5 as never, /options of add are no plain object/],
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

test("null for options and headers means none", async () => {
  expect(await make("placed", { id: "a" }, null as never)).toMatchObject({ aggregateId: "a", delayMs: null });
  expect(await make("placed", { id: "a" }, { headers: null as never })).toMatchObject({ aggregateId: "a" });
});

test("an id that is no UUID is refused for a column that takes nothing else", async () => {
  const added = (id: string) => newMessage({ ...rules, takesUuids: true }, "placed", { id: "a" }, { id });
  await expect(added("order-1")).rejects.toThrow(/"order-1" is no UUID/);
  const id = "01A22279-FA57-7540-8F66-F6C54B4F5D55";
  const stored = id.toLowerCase();
  expect([await added(id), await added(`{${id}}`)]).toMatchObject([{ id: stored }, { id: stored }]);
});

test("ids of one process rise, within a millisecond and when the clock is set back", () => {
  const nowMs = Date.now();
  const ids = [nowMs, nowMs, nowMs, nowMs - 5000, nowMs + 1].map((at) => uuidV7(at));
  expect(ids).toEqual(ids.toSorted());
  const many = Array.from({ length: 10_000 }, () => uuidV7(nowMs));
  expect(many).toEqual([...new Set(many)].sort());
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
