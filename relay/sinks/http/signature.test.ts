import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createSigner } from "./signature.ts";

/** Test vector shared by the reference libraries of Standard Webhooks. */
const VECTOR = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
  seconds: 1_614_265_330,
  body: '{"test": 2432232314}',
  signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};

describe("Standard Webhooks signature", () => {
  test("equals that of the reference libraries, for text and for bytes", () => {
    const sign = createSigner(VECTOR.secret);
    const expected = ["webhook-timestamp", String(VECTOR.seconds), "webhook-signature", VECTOR.signature];
    expect(sign(VECTOR.id, VECTOR.body, VECTOR.seconds * 1000 + 999)).toEqual(expected);
    expect(sign(VECTOR.id, Buffer.from(VECTOR.body), VECTOR.seconds * 1000)).toEqual(expected);
  });

  test("a plain-text secret is used as the key", () => {
    const sign = createSigner("correct horse".replace(" ", "-"));
    const expected = createHmac("sha256", "correct-horse").update("id.7.Zoë").digest("base64");
    expect(sign("id", "Zoë", 7000)[3]).toBe(`v1,${expected}`);
  });

  test("each of several secrets signs", () => {
    const sign = createSigner(`new-secret ${VECTOR.secret}`);
    const [first, second, ...more] = sign(VECTOR.id, VECTOR.body, VECTOR.seconds * 1000)[3].split(" ");
    expect(first).toBe(createSigner("new-secret")(VECTOR.id, VECTOR.body, VECTOR.seconds * 1000)[3]);
    expect([second, more]).toEqual([VECTOR.signature, []]);
  });

  test("a secret that cannot be read is refused without being shown", () => {
    expect(() => createSigner("whsec_not*base64")).toThrow(/^(?!.*not\*).*base64/);
    expect(() => createSigner("  ")).toThrow(/empty/);
  });
});
