import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type HttpReceiver, startHttpReceiver } from "#tests/http-receiver.ts";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import { openTestSink } from "./open-test-sink.fixture.ts";

const never = new AbortController().signal;

describe("CloudEvents over http", () => {
  let receiver: HttpReceiver;
  beforeEach(async () => {
    receiver = await startHttpReceiver();
  });
  afterEach(() => receiver.close());

  async function send(batch: number, mode: "binary" | "structured" | "batch", count = 1) {
    const sink = openTestSink(
      { url: receiver.url, batch, secret: "s" },
      { preset: "cloudevents", mode, source: "/shop" },
    );
    const messages = Array.from({ length: count }, (_, n) =>
      makeMessage(n, { payload: `{"n": ${n}.10}`, aggregateId: "Ü 1" }),
    );
    expect(await sink.publish(messages, never)).toEqual(messages.map(() => ({ kind: "published" })));
    await sink.close();
    return receiver.requests.map(({ headers, body }) => ({ headers, body: body.toString("utf8") }));
  }

  const attributes = {
    specversion: "1.0",
    id: makeMessage(0).eventId,
    source: "/shop",
    type: "order.changed",
    subject: "Ü 1",
    time: "2026-03-01T10:00:00.123456Z",
  };

  test("binary: attributes are headers, the body is the payload", async () => {
    const [request] = await send(1, "binary");
    expect(request?.body).toBe('{"n": 0.10}');
    expect(request?.headers).toMatchObject({
      "content-type": "application/json",
      "webhook-id": attributes.id,
      "webhook-signature": expect.stringMatching(/^v1,/),
      "ce-subject": "%C3%9C%201",
    });
    for (const [name, value] of Object.entries(attributes)) {
      expect(decodeURIComponent(String(request?.headers[`ce-${name}`]))).toBe(value);
    }
  });

  test("structured: the event is the body, its data exactly as stored", async () => {
    const [request] = await send(1, "structured");
    expect(request?.headers["content-type"]).toMatch(/^application\/cloudevents\+json/);
    expect(request?.headers).not.toHaveProperty("ce-id");
    expect(JSON.parse(request?.body ?? "")).toEqual({
      ...attributes,
      datacontenttype: "application/json",
      data: { n: 0.1 },
    });
    expect(request?.body).toContain('"data":{"n": 0.10}');
  });

  test.each(["structured", "batch"] as const)("mode %s with a batch: an array of events", async (mode) => {
    const [request, ...more] = await send(10, mode, 3);
    expect(more).toEqual([]);
    expect(request?.headers["content-type"]).toMatch(/^application\/cloudevents-batch\+json/);
    const events = JSON.parse(request?.body ?? "");
    expect(events).toHaveLength(3);
    expect(events[0]).toMatchObject(attributes);
    expect(request?.body).toContain('"data":{"n": 2.10}');
  });
});
