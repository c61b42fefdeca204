import { expect, test } from "vitest";
import { type CorrectionBody, correctionRequestSchema } from "#contracts/message/corrections.ts";
import { MOST_EDITED_BYTES } from "#domain/message/correction.ts";
import { MAX_BODY_BYTES } from "./max-body.ts";

test.each([
  ["quotes", '"'],
  ["control characters", "\u0001"],
  ["two-byte letters", "ä"],
  ["emoji", "😀"],
  ["lone surrogates", "\ud800"],
])("a corrected copy whose payload and headers just fit, full of %s, fits a request", (_, character) => {
  const text = character.repeat(MOST_EDITED_BYTES / Buffer.byteLength(character));
  const body: CorrectionBody = { version: "v".repeat(200), payload: text, headers: text, reason: "ä".repeat(500) };
  correctionRequestSchema.parse(body);
  expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(MAX_BODY_BYTES);
});
