import { describe, expect, test } from "vitest";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { relaySchema } from "#services/config/relay-schema.ts";
import type { RouteConfig } from "#services/config/route-schema.ts";
import type { SinkConfig } from "#services/config/sinks/sink-schema.ts";
import { makeMessage } from "../testing/make-message.fixture.ts";
import { createRouter } from "./create-router.ts";
import type { Routed } from "./router.ts";

type Kind = SinkConfig["kind"];
type Route = Partial<RouteConfig>;

const routerFor = (route: Route, sinkKind: Kind = "kafka") =>
  createRouter({ config: relaySchema.parse({ sink: "s", route }).route, outbox: "orders", sinkKind });

function routed(route: Route, fields: Partial<OutgoingMessage> = {}, sinkKind: Kind = "kafka"): Routed {
  const result = routerFor(route, sinkKind)(makeMessage(1, fields));
  if ("failure" in result) throw new Error(result.failure.message);
  return result.routed;
}

function failure(route: Route, fields: Partial<OutgoingMessage> = {}) {
  const result = routerFor(route)(makeMessage(1, fields));
  return "failure" in result ? result.failure : null;
}

const ID = makeMessage(1).eventId;
const CREATED = makeMessage(1).createdAt;

describe("preset plain", () => {
  test("needless headers are left out, for that call only", () => {
    const route = routerFor({ headers: { team: "orders" } }, "http");
    const message = makeMessage(1, { headers: '{"own":"1"}' });
    const namesOf = (needless?: ReadonlySet<string>) => {
      const result = route(message, needless);
      return "routed" in result ? result.routed.headers.map(([name]) => name) : [];
    };
    const all = namesOf();
    expect(all).toContain("event_id");
    expect(namesOf(new Set(all))).toEqual(["own"]);
    expect(namesOf(new Set(["team"]))).toEqual(all.filter((name) => name !== "team"));
    expect(namesOf()).toEqual(all);
  });

  test("the row's topic or else its aggregate type; key, headers and body as stored", () => {
    expect(routed({})).toEqual({
      topic: "order",
      key: "a",
      headers: [
        ["event_id", ID],
        ["event_type", "order.changed"],
        ["aggregate_type", "order"],
        ["aggregate_id", "a"],
        ["created_at", CREATED],
      ],
      body: '{"n":1}',
      contentType: "application/json",
    });
    expect(routed({}, { topic: "billing" }).topic).toBe("billing");
  });

  test("http uses the header names of webhooks and needs no topic", () => {
    const { headers, topic } = routed({}, { aggregateType: null }, "http");
    expect(topic).toBe("");
    expect(headers.map(([name]) => name)).toEqual([
      "webhook-id",
      "event_id",
      "event-type",
      "aggregate-id",
      "event-created-at",
    ]);
  });

  test("a missing value makes a message unroutable", () => {
    expect(failure({}, { aggregateType: null })).toEqual({
      code: "unroutable",
      kind: "message",
      message: "The topic cannot be made: the message has no value for topic or aggregateType.",
    });
    expect(failure({ topic: "{aggregateType:lower}.{operation:lower}" })?.message).toContain("no value for operation");
    expect(failure({ key: "{tenant}" })?.message).toBe("The key cannot be made: the message has no value for tenant.");
  });

  test("templates look at roles, then additional columns, then the row's own headers", () => {
    const row = {
      aggregateType: "Order",
      fields: { operation: "INSERT", gap: null },
      headers: '{"operation":"x","gap":7}',
    };
    expect(routed({ topic: "{aggregateType:lower}.{operation:lower}.{gap}" }, row).topic).toBe("order.insert.7");
    expect(routed({ topic: "t", key: "{id}/{eventId}/{eventType:suffix}" }).key).toBe(`${ID}/${ID}/changed`);
    expect(failure({ topic: "{constructor}{__proto__}" }, row)?.code).toBe("unroutable");
  });

  test("the row's own headers are sent, keep their digits, and replace nothing", () => {
    const own =
      '{"traceparent":"00-a","big":9007199254740993,"price":1.10,"yes":true,"no":null,"deep":{"a":1},"EVENT_ID":"x","Content-Type":"y"}';
    expect(routed({}, { headers: own }).headers.slice(5)).toEqual([
      ["traceparent", "00-a"],
      ["big", "9007199254740993"],
      ["price", "1.10"],
      ["yes", "true"],
    ]);
  });

  test.each(["", "[1]", "not json", "{broken", "7", "null"])(
    "headers that are not a JSON object are ignored: %j",
    (headers) => {
      expect(routed({}, { headers }).headers).toHaveLength(5);
    },
  );

  test("configured headers are templates, replace the preset's but never the id, and are left out without a value", () => {
    const headers = { event_type: "{eventType:upper}", "x-team": "orders", "x-op": "{operation}", Event_ID: "no" };
    const found = routed({ headers }, { headers: '{"x-team":"row"}' }).headers;
    expect(Object.fromEntries(found)).toEqual({
      event_id: ID,
      aggregate_type: "order",
      aggregate_id: "a",
      created_at: CREATED,
      event_type: "ORDER.CHANGED",
      "x-team": "orders",
    });
  });

  test.each<[Partial<OutgoingMessage>, string]>([
    [{ payload: "AP8=", payloadKind: "binary" }, "application/octet-stream"],
    [{ payload: '{"a":1}', payloadKind: "text" }, "application/json"],
    [{ payload: " [1]", payloadKind: "text" }, "application/json"],
    [{ payload: "true", payloadKind: "text" }, "application/json"],
    [{ payload: "truth", payloadKind: "text" }, "text/plain; charset=utf-8"],
    [{ payload: "{half", payloadKind: "text" }, "text/plain; charset=utf-8"],
    [{ payload: "", payloadKind: "text" }, "text/plain; charset=utf-8"],
    [{ payload: null, payloadKind: "text" }, "text/plain; charset=utf-8"],
    [{ payload: null, payloadKind: "json" }, "application/json"],
  ])("%j is %s", (fields, contentType) => {
    expect(routed({}, fields).contentType).toBe(contentType);
  });
});

describe("preset debezium", () => {
  test("topic, key, id and additional columns as in Debezium's event router", () => {
    const route: Route = { preset: "debezium", fields: { eventType: "type", version: "v" } };
    const row = { fields: { eventType: "OrderCreated", version: null }, headers: '{"trace":"1"}', topic: "ignored" };
    expect(routed(route, row)).toEqual({
      topic: "outbox.event.order",
      key: "a",
      headers: [
        ["id", ID],
        ["event_id", ID],
        ["eventType", "OrderCreated"],
        ["trace", "1"],
      ],
      body: '{"n":1}',
      contentType: "application/json",
    });
    expect(routed({ ...route, topic: "events.{aggregateType:upper}" }, row).topic).toBe("events.ORDER");
  });

  test("a null payload is a tombstone, and bytes stay bytes", () => {
    expect(routed({ preset: "debezium" }, { payload: null }).body).toBeNull();
    expect(routed({ preset: "debezium" }, { payload: "AP8=", payloadKind: "binary" }).body).toEqual(
      Buffer.from([0, 255]),
    );
  });
});

describe("a message that is re-published", () => {
  const OPERATION = "7d9c1f0e-0000-4000-8000-000000000001";
  const KINDS = ["http", "kafka", "rabbitmq", "nats", "redis", "log"] as const;
  const PRESETS: Route[] = [
    { preset: "plain" },
    { preset: "debezium" },
    { preset: "cloudevents" },
    { preset: "cloudevents", mode: "structured" },
  ];

  test.each(KINDS)("says so in a header over %s, and keeps its id", (kind) => {
    for (const route of PRESETS) {
      const first = routed(route, {}, kind);
      const { headers, ...again } = routed(route, { replay: OPERATION }, kind);
      expect(headers).toEqual([...first.headers, ["outbox-replay", OPERATION]]);
      expect({ ...again, headers: first.headers }).toEqual(first);
    }
  });

  test("is marked by the relay alone: the row's own header of that name gives way", () => {
    const own = { headers: '{"Outbox-Replay":"forged","tenant":"a"}', replay: OPERATION };
    expect(routed({}, own).headers.slice(-2)).toEqual([
      ["tenant", "a"],
      ["outbox-replay", OPERATION],
    ]);
  });
});
