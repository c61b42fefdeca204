import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SAMPLE_PAYLOADS } from "#demo/testing/sample-payload.fixture.ts";
import { registeredEvent } from "#services/registry/registered-event.ts";
import { shopEvents } from "./shop-events.ts";

const FILE = new URL("../events.json", import.meta.url);

test("the file that the console reads is the shop's registry", () => {
  const written = JSON.parse(readFileSync(FILE, "utf8"));
  expect(written, "write it again: node scripts/write-demo-registry.ts").toEqual(
    JSON.parse(JSON.stringify(shopEvents.toJsonSchema())),
  );
});

test.each(Object.entries(SAMPLE_PAYLOADS))(
  "by it, a payload of %s fits, or says why that is not known",
  async (eventType, text) => {
    const bytes = Buffer.byteLength(text);
    const payload = { text, format: "json" as const, totalBytes: bytes, shownBytes: bytes };
    const found = await registeredEvent(FILE.pathname, { eventType, payload, headers: null });
    // A ledger's number is beyond 2^53.
    const kind = eventType === "order.paid" ? "not_checked" : "fits";
    expect(found).toMatchObject({ kind: "known", version: 2, verdict: { kind } });
  },
);
