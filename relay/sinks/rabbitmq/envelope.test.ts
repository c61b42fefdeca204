import { describe, expect, test } from "vitest";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import { prepare } from "./envelope.ts";

function prepareWith(headers: [string, string][]) {
  const routed = { topic: "orders.a", key: null, headers, body: "{}", contentType: "application/json" };
  return prepare(makeMessage(1), routed, { exchange: "x", frameMax: 10_000 });
}

describe("headers for RabbitMQ", () => {
  test.each([
    ["letters of one byte", "x".repeat(7900)],
    ["letters of three bytes", "漢".repeat(2600)],
  ])("that fit into a frame are sent: %s", (_, value) => {
    expect(prepareWith([["note", value]])).toMatchObject({ envelope: { headers: { note: value } } });
  });

  test.each([
    ["letters of one byte", "x".repeat(8000)],
    ["letters of three bytes", "漢".repeat(2700)],
  ])("that do not fit are the message's fault: %s", (_, value) => {
    expect(prepareWith([["note", value]])).toMatchObject({ kind: "message", code: "too_large" });
  });

  test("that affect routing are left out, and no others", () => {
    const prepared = prepareWith([
      ["CC", "elsewhere"],
      ["BCC", "elsewhere"],
      ["__proto__", "kept"],
    ]);
    expect("envelope" in prepared && Object.entries(prepared.envelope.headers ?? {})).toEqual([["__proto__", "kept"]]);
  });
});
