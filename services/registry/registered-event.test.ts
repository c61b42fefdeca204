import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import type { StoredText } from "#db/stores/port/message-detail.ts";
import { defineEvents } from "../../client/events/define-events.ts";
import { eventCatalogSchema, sensitivePaths } from "./event-catalog.ts";
import { registeredEvent } from "./registered-event.ts";

const folder = mkdtempSync(join(tmpdir(), "outbox-registry-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const events = defineEvents({
  "order.placed": {
    version: 2,
    aggregate: "order",
    description: "A customer has placed an order.",
    schema: z.object({ orderId: z.string(), lines: z.array(z.object({ note: z.string(), quantity: z.int() })) }),
    sensitive: ["lines.*.note"],
  },
  "order.dated": { version: 1, aggregate: "order", schema: z.object({ at: z.date() }) },
});
const file = join(folder, "events.json");
writeFileSync(file, JSON.stringify(events.toJsonSchema()));

const stored = (text: string, more: Partial<StoredText> = {}): StoredText => {
  const bytes = Buffer.byteLength(text);
  return { text, format: "json", totalBytes: bytes, shownBytes: bytes, ...more };
};
const GOOD = '{"orderId": "o-1", "lines": [{"note": "secret words", "quantity": 1}]}';
const judge = (payload: StoredText | null, eventType: string | null = "order.placed", path = file) =>
  registeredEvent(path, { eventType, payload, headers: stored('{"event-version": "1"}') });
const verdict = async (...args: Parameters<typeof judge>) => {
  const found = await judge(...args);
  return found?.kind === "known" ? found.verdict : found;
};

test("a payload that fits is said to, with what the registry says of its type", async () => {
  expect(await judge(stored(GOOD))).toEqual({
    kind: "known",
    description: "A customer has placed an order.",
    version: 2,
    writtenVersion: "1",
    aggregate: "order",
    sensitive: ["lines.*.note"],
    verdict: { kind: "fits" },
  });
});

test("what does not fit is named by its path, without its value", async () => {
  const bad = GOOD.replace(": 1}", ': "secret number"}');
  const found = await verdict(stored(bad));
  expect(found).toEqual({
    kind: "unfit",
    issues: [{ path: "lines.0.quantity", message: expect.stringMatching(/expected (int|number)/) }],
    more: 0,
  });
  expect(JSON.stringify(found)).not.toContain("secret");
});

test.each([
  ["a payload that is cut", stored(GOOD, { totalBytes: 1e6 }), /too long/],
  ["bytes", stored("AAEC", { format: "base64" }), /not stored as JSON/],
  ["a number that would be rounded", stored(GOOD.replace(": 1}", ": 9007199254740993}")), /beyond 2\^53/],
  ["no payload", null, /no payload/],
])("%s is not checked, with the reason", async (_, payload, reason) => {
  expect(await verdict(payload)).toEqual({ kind: "not_checked", reason: expect.stringMatching(reason) });
});

test("a type without a schema is not checked, and one that is unknown is said to be", async () => {
  expect(await verdict(stored("{}"), "order.dated")).toMatchObject({ kind: "not_checked" });
  expect(await judge(stored("{}"), "toString")).toEqual({
    kind: "unknown",
    reason: "The registry has no type toString.",
  });
  expect(await judge(stored("{}"), null)).toMatchObject({ kind: "unknown" });
});

test("a file that is missing, broken or of a later format is said to be, without its folder", async () => {
  const broken = join(folder, "broken.json");
  const problem = async (path: string) => JSON.stringify(await judge(stored(GOOD), "order.placed", path));
  expect(await problem(join(folder, "none.json"))).toContain("none.json cannot be read (ENOENT).");
  writeFileSync(broken, "{");
  expect(await problem(broken)).toContain("broken.json is not a registry of format 1");
  writeFileSync(broken, JSON.stringify({ ...events.toJsonSchema(), format: 2 }));
  utimesSync(broken, 1, 1);
  expect(await problem(broken)).toContain("broken.json is not a registry of format 1");
  expect(await problem(broken)).not.toContain(folder);
  writeFileSync(broken, JSON.stringify(events.toJsonSchema()));
  expect(await problem(broken)).toContain('"fits"');
});

test("an outbox without a registry has nothing to say", async () => {
  expect(await registeredEvent(undefined, { eventType: "a", payload: null, headers: null })).toBeNull();
});

test("the sensitive paths of a type are those of the registry, and without a type those of all types", () => {
  const catalog = eventCatalogSchema.parse(events.toJsonSchema());
  expect([
    sensitivePaths(catalog, "order.placed"),
    sensitivePaths(catalog, "other"),
    sensitivePaths(catalog, null),
  ]).toEqual([["lines.*.note"], [], ["lines.*.note"]]);
});
