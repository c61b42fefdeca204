import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { maskingSchema } from "../config/masking-schema.ts";
import { decodePayload } from "../payload/decode-payload.ts";
import { maskDecoded } from "./mask-decoded.ts";
import { maskWhereJson } from "./mask-stored.ts";
import { maskerOf } from "./masker.ts";

async function shown(bytes: Uint8Array, ...paths: string[]): Promise<string> {
  const rules = (await maskerOf(maskingSchema.parse({ paths }), undefined))?.rules("e");
  if (!rules) throw new Error("Nothing is masked.");
  const stored = { columnType: "bytea", bytes, totalBytes: bytes.length, kind: "binary" as const, declared: null };
  const decoded = await decodePayload(stored, (text) => maskWhereJson(text, rules, false));
  return JSON.stringify(maskDecoded(decoded, rules));
}

const CLOUD_EVENT = { specversion: "1.0", id: "1", source: "/s", type: "t", data: { email: "ann@x.org", n: 7 } };
const MASSTRANSIT = {
  ...{ messageId: "m-1", correlationId: "secret-7", sourceAddress: "rabbitmq://h/q", messageType: ["urn:message:A:B"] },
  message: { email: "ann@x.org", n: 7 },
};

test.each([
  ["CloudEvents", CLOUD_EVENT, "data.email", "ann@x.org"],
  ["MassTransit", MASSTRANSIT, "message.email", "ann@x.org"],
  ["MassTransit", MASSTRANSIT, "correlationId", "secret-7"],
])("a path into the envelope of %s masks also what is unfolded from it", async (name, payload, path, value) => {
  const json = Buffer.from(JSON.stringify(payload));
  for (const bytes of [json, gzipSync(json)]) {
    const text = await shown(bytes, path);
    expect(text).toContain(name);
    expect(text).toContain("[masked]");
    expect(text).not.toContain(value);
    expect(text).toContain("7");
  }
});
