import { expect, test } from "vitest";
import { maskingSchema } from "../config/masking-schema.ts";
import { createErrorMask } from "./error-mask.ts";
import { maskerOf } from "./masker.ts";

const maskWith = (masking: object) => createErrorMask(() => maskerOf(maskingSchema.parse(masking), undefined));
const message = (payload: unknown, change: object = {}) => ({
  ...{ eventType: "order.placed", payload: JSON.stringify(payload), payloadKind: "json" as const, headers: null },
  ...change,
});

test("an error that quotes a masked value of its message loses it, wherever it stands", async () => {
  const mask = await maskWith({ paths: ["customer.name"] });
  const sent = message({ customer: { name: 'Ann "A" Doe' }, total: 12 });
  expect(mask(sent, 'no account for Ann "A" Doe, total 12')).toBe("no account for [masked], total 12");
  expect(mask(sent, 'body {"who":"Ann \\"A\\" Doe"}')).toBe('body {"who":"[masked]"}');
  const bytes = { payload: Buffer.from('{"name":"Zoe Q"}').toString("base64"), payloadKind: "binary" as const };
  expect(await maskWith({ paths: ["name"] }).then((by) => by(message(null, bytes), "Zoe Q is unknown"))).toBe(
    "[masked] is unknown",
  );
});

test("of a type that is hidden whole, no value of the payload stays in an error", async () => {
  const mask = await maskWith({ types: ["order.*"] });
  expect(mask(message({ iban: "X-1234", deep: ["secret"] }), "X-1234 of secret refused")).toBe(
    "[masked] of [masked] refused",
  );
  expect(mask(message({ iban: "X-1234" }, { eventType: "other" }), "X-1234 refused")).toBe("X-1234 refused");
});

test("without masking an error stays as it is", async () => {
  expect((await maskWith({}))(message({ a: "secret" }), "secret")).toBe("secret");
});

test("a mask that fails hides the text and lets the outcome be recorded", async () => {
  const broken = { rules: () => ({ paths: null }) } as unknown as Awaited<ReturnType<typeof maskerOf>>;
  const mask = await createErrorMask(async () => broken);
  expect(mask(message({}), "secret")).toBe("The text of this error is hidden: it could not be masked.");
});
