import { describe, expect, test } from "vitest";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import { testRoute } from "./open-test-sink.fixture.ts";
import { configuredHeaders, createHeaderBuilder, headerValue } from "./request-headers.ts";

function headersOf(fields: Partial<OutgoingMessage> = {}, configured: [string, string][] = []): string[] {
  const result = testRoute()(makeMessage(1, fields));
  if ("failure" in result) throw new Error(result.failure.message);
  const { headers, contentType } = result.routed;
  return createHeaderBuilder(configured)({ webhookId: makeMessage(1).eventId, contentType, signature: [], headers });
}

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

  test("carry the row's values, each once", () => {
    expect(headersOf()).toEqual([
      "content-type",
      "application/json",
      "webhook-id",
      "00000000-0000-4000-8000-000000000001",
      "event_id",
      "00000000-0000-4000-8000-000000000001",
      "event-type",
      "order.changed",
      "aggregate-type",
      "order",
      "aggregate-id",
      "a",
      "event-created-at",
      "2026-03-01T10:00:00.123456Z",
    ]);
  });

  test("a row's own headers are sent under safe names and override nothing", () => {
    const own = {
      traceparent: "00-abc",
      "X-Tenant": 7,
      "x-tenant": "again",
      nested: { a: 1 },
      "bad name": "x",
      Host: "evil",
      "content-length": "0",
      "Content-Type": "text/html",
      authorization: "Bearer x",
      "webhook-signature": "v1,x",
      "X-Team": "row",
      "event-type": "other",
      "Event-Id": "other",
    };
    const headers = asRecord(headersOf({ headers: JSON.stringify(own) }, [["x-team", "configured"]]));
    expect(headers).toMatchObject({
      traceparent: "00-abc",
      "X-Tenant": "7",
      "x-team": "configured",
      "event-type": "order.changed",
    });
    for (const name of Object.keys(own).slice(2)) {
      if (name !== "event-type") expect(headers).not.toHaveProperty([name]);
    }
  });

  test("configured headers win over the sink's own", () => {
    const headers = headersOf({}, [
      ["content-type", "application/vnd.orders+json"],
      ["event-type", "fixed"],
    ]);
    expect(headers.filter((part) => part === "content-type" || part === "event-type")).toHaveLength(2);
    expect(asRecord(headers)).toMatchObject({
      "content-type": "application/vnd.orders+json",
      "event-type": "fixed",
    });
  });

  test("configured headers that HTTP cannot carry are refused when the sink opens", () => {
    expect(configuredHeaders({ "X-Team": "Zoë", Host: "hooks.internal" })).toEqual([
      ["x-team", "Zo%C3%AB"],
      ["host", "hooks.internal"],
    ]);
    expect(() => configuredHeaders({ "x team": "a" })).toThrow(/cannot send a header named "x team"/);
    expect(() => configuredHeaders({ "Content-Length": "1" })).toThrow(/content-length .* belongs to the connection/);
  });

  test("attributes of CloudEvents are encoded as their binding says", () => {
    const build = createHeaderBuilder([]);
    const headers: [string, string][] = [["ce-subject", 'Euro € "50 %"']];
    const sent = build({ webhookId: "1", contentType: "text/plain", signature: [], headers });
    expect(asRecord(sent)["ce-subject"]).toBe("Euro%20%E2%82%AC%20%2250%20%25%22");
  });

  test("headers that are not a JSON object are left out", () => {
    expect(headersOf({ headers: "not json" })).toEqual(headersOf());
    expect(headersOf({ headers: "[1]" })).toEqual(headersOf());
  });

  test("thousands of different names do not fill the memory", () => {
    const build = createHeaderBuilder([]);
    for (let n = 0; n < 3000; n += 1) {
      const headers: [string, string][] = [[`x-${n}`, "1"]];
      expect(build({ webhookId: "1", contentType: "a/b", signature: [], headers })).toContain(`x-${n}`);
    }
  });
});
