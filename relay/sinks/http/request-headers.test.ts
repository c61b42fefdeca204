import { describe, expect, test } from "vitest";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import { headerValue, requestHeaders } from "./request-headers.ts";

const asRecord = (headers: string[]) => {
  const pairs = headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1]]] : []));
  return Object.fromEntries(pairs) as Record<string, string>;
};

describe("request headers", () => {
  test.each(["plain-1_2", "Zoë", "50 %", "a\r\nx: y", "漢字 😀", "\u0000", "\ud800"])(
    "%j survives as a value",
    (value) => {
      expect(headerValue(value)).toMatch(/^[\x20-\x7e]*$/);
      expect(decodeURIComponent(headerValue(value))).toBe(value.toWellFormed());
    },
  );

  test("a row's own headers pass under safe names and override nothing", () => {
    const headers = asRecord(
      requestHeaders(
        makeMessage(1, {
          headers: JSON.stringify({
            traceparent: "00-abc",
            "X-Tenant": 7,
            nested: { a: 1 },
            "bad name": "x",
            Host: "evil",
            "content-length": "0",
            authorization: "Bearer x",
            "webhook-signature": "v1,x",
            "X-Team": "row",
          }),
        }),
        ["x-team", "configured"],
      ),
    );
    expect(headers).toMatchObject({ traceparent: "00-abc", "X-Tenant": "7", "x-team": "configured" });
    for (const name of [
      "nested",
      "bad name",
      "Host",
      "content-length",
      "authorization",
      "webhook-signature",
      "X-Team",
    ]) {
      expect(headers).not.toHaveProperty(name);
    }
  });

  test("headers that are no JSON object are left out", () => {
    const plain = requestHeaders(makeMessage(1), []);
    expect(requestHeaders(makeMessage(1, { headers: "not json" }), [])).toEqual(plain);
    expect(requestHeaders(makeMessage(1, { headers: "[1]" }), [])).toEqual(plain);
  });
});
