import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { relaySchema } from "#services/config/relay-schema.ts";
import type { RouteConfig } from "#services/config/route-schema.ts";
import type { SinkConfig } from "#services/config/sinks/sink-schema.ts";
import { makeMessage } from "../testing/make-message.fixture.ts";
import { createRouter } from "./create-router.ts";

type Kind = SinkConfig["kind"];
type Route = Partial<RouteConfig>;

function route(route: Route, fields: Partial<OutgoingMessage> = {}, sinkKind: Kind = "http") {
  const config = relaySchema.parse({ sink: "s", route: { preset: "cloudevents", ...route } }).route;
  const result = createRouter({ config, outbox: "orders", sinkKind })(makeMessage(1, fields));
  if ("failure" in result) throw new Error(result.failure.message);
  return result.routed;
}

const structured = (fields: Partial<OutgoingMessage>) => String(route({ mode: "structured" }, fields).body);
const ID = makeMessage(1).eventId;

describe("preset cloudevents", () => {
  test.each<[Kind, string]>([
    ["http", "ce-"],
    ["nats", "ce-"],
    ["kafka", "ce_"],
    ["redis", "ce_"],
    ["rabbitmq", "cloudEvents:"],
  ])("binary for %s: attributes in headers that begin with %s", (kind, prefix) => {
    const { headers, body, contentType, topic } = route({}, {}, kind);
    expect({ body, contentType, topic }).toEqual({ body: '{"n":1}', contentType: "application/json", topic: "order" });
    expect(Object.fromEntries(headers)).toEqual({
      [`${prefix}specversion`]: "1.0",
      [`${prefix}id`]: ID,
      [`${prefix}source`]: "/outboxes/orders",
      [`${prefix}type`]: "order.changed",
      [`${prefix}subject`]: "a",
      [`${prefix}time`]: "2026-03-01T10:00:00.123456Z",
      ...(kind === "kafka" ? { ce_partitionkey: "a" } : {}),
      ...(kind === "http" ? { "webhook-id": ID } : { event_id: ID }),
    });
  });

  test("structured: one JSON document, with additional columns as extensions", () => {
    const { body, contentType, headers } = route(
      { mode: "structured", source: "/shop/{aggregateType}", fields: { tenant_Id: "t", type: "x", dataschema: "s" } },
      { fields: { tenant_Id: "t-1", type: "no", dataschema: "https://x/y" }, headers: '{"traceparent":"00-a"}' },
    );
    expect(contentType).toBe("application/cloudevents+json; charset=utf-8");
    expect(headers).toEqual([
      ["webhook-id", ID],
      ["traceparent", "00-a"],
    ]);
    expect(JSON.parse(String(body))).toEqual({
      specversion: "1.0",
      id: ID,
      source: "/shop/order",
      type: "order.changed",
      subject: "a",
      time: "2026-03-01T10:00:00.123456Z",
      tenantid: "t-1",
      dataschema: "https://x/y",
      datacontenttype: "application/json",
      data: { n: 1 },
    });
  });

  test("structured data: text as a string, bytes as base64, nothing for null", () => {
    expect(JSON.parse(structured({ payload: 'hello "you"\n', payloadKind: "text" }))).toMatchObject({
      datacontenttype: "text/plain; charset=utf-8",
      data: 'hello "you"\n',
    });
    expect(JSON.parse(structured({ payload: "AP8=", payloadKind: "binary" }))).toMatchObject({
      datacontenttype: "application/octet-stream",
      data_base64: "AP8=",
    });
    const tombstone = JSON.parse(structured({ payload: null }));
    expect(tombstone).not.toHaveProperty("data");
    expect(tombstone).not.toHaveProperty("datacontenttype");
  });

  test("an event without a type or a source is unroutable; a subject, time or key may be missing", () => {
    for (const mode of ["binary", "structured"] as const) {
      expect(() => route({ mode }, { eventType: null })).toThrow("no value for eventType");
      expect(() => route({ mode, source: "/{tenant}" })).toThrow("no value for tenant");
      const { headers, body } = route({ mode }, { aggregateId: null, createdAt: "infinity" }, "kafka");
      expect(JSON.stringify([headers, body])).not.toMatch(/subject|time|partitionkey/);
    }
  });

  test("the stored text of JSON is part of a structured event, character by character", () => {
    const number = fc.constantFrom("9007199254740993", "1.10", "1e400", "-0");
    const text = fc
      .tuple(fc.json(), fc.constantFrom("", " ", "\n\t"), number)
      .map(([json, space, digits]) => `${space}{"a":${space}${json},${space}"n":${digits}}${space}`);
    fc.assert(
      fc.property(text, fc.constantFrom("json" as const, "text" as const), (payload, payloadKind) => {
        const body = structured({ payload, payloadKind });
        expect(body.endsWith(`"data":${payload}}`)).toBe(true);
        expect(JSON.parse(body).data).toEqual(JSON.parse(payload));
      }),
    );
  });

  test("for any row, a structured event is JSON with the row's values", () => {
    const any = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom('"', "}", "\\", "__proto__"));
    fc.assert(
      fc.property(any, any, any, fc.option(any), (payload, eventType, aggregateId, headers) => {
        const fields = { payload, payloadKind: "text" as const, eventType: `t${eventType}`, aggregateId, headers };
        const event = JSON.parse(structured(fields));
        expect(event.type).toBe(`t${eventType}`);
        expect(event.subject ?? "").toBe(aggregateId);
        expect(event.datacontenttype === "application/json" || event.data === payload).toBe(true);
      }),
    );
  });
});
