import { describe, expect, test } from "vitest";
import type { Routed } from "../../routing/router.ts";
import { faultOfSubject, prepare } from "./nats-message.ts";

const ROUTED: Routed = { topic: "orders.a", key: "a", headers: [], body: "{}", contentType: "application/json" };

describe("a subject", () => {
  test.each(["orders", "orders.a", "orders.漢字", "a*b.c>d"])("%s can be published on", (subject) => {
    expect(faultOfSubject(subject)).toBeNull();
  });

  test.each([
    "",
    "orders a",
    "orders\ta",
    "orders\r\nPUB x 0",
    ".orders",
    "orders.",
    "orders..a",
    "orders.*",
    "orders.>",
    ">",
    "$JS.API.STREAM.DELETE.ORDERS",
    "$SYS.x",
    "_INBOX.x",
    "x".repeat(3073),
  ])("%j cannot", (subject) => {
    expect(faultOfSubject(subject)).toMatch(/\.$/);
    expect(prepare("1", { ...ROUTED, topic: subject })).toMatchObject({ kind: "message", code: "unroutable" });
  });
});

describe("headers", () => {
  const headersOf = (headers: Routed["headers"]) => {
    const prepared = prepare("id-1", { ...ROUTED, headers });
    if (!("headers" in prepared)) throw new Error(prepared.message);
    return prepared.headers;
  };

  test("carry the id, by which the stream drops duplicates, and a content type unless one is set", () => {
    expect(headersOf([]).get("Nats-Msg-Id")).toBe("id-1");
    expect(headersOf([]).get("Content-Type")).toBe("application/json");
    expect([...headersOf([["content-type", "text/plain"]])]).toContainEqual(["content-type", ["text/plain"]]);
    expect(headersOf([["content-type", "text/plain"]]).has("Content-Type")).toBe(false);
  });

  test("that control the stream are left out", () => {
    const names = headersOf([
      ["Nats-Rollup", "all"],
      ["nats-expected-last-sequence", "7"],
      ["Nats-Msg-Id", "other"],
      ["team", "orders"],
    ]).keys();
    expect(names.sort()).toEqual(["Content-Type", "Nats-Msg-Id", "team"]);
  });

  test("cannot inject further lines", () => {
    const headers = headersOf([
      ["na:me", "Zoë 漢字"],
      ["a b", "x\r\nevil: 1"],
      ["half\ud800", "\udc00"],
    ]);
    expect(headers.get("half%EF%BF%BD")).toBe("\udc00");
    expect(headers.get("na%3Ame")).toBe("Zoë 漢字");
    expect(headers.get("a%20b")).toBe("x%0D%0Aevil: 1");
  });
});
