import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { expect, test } from "vitest";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { PublishOutcome, Sink } from "../sinks/sink.ts";
import { type TracedOptions, tracedSink } from "./traced-sink.ts";

const log = { debug: () => undefined };
const SIGNAL = new AbortController().signal;
const traceId = (nth: number) => String(nth).padStart(32, "0");
const parent = (nth: number, flags = "01") => `00-${traceId(nth)}-${"b".repeat(16)}-${flags}`;

function message(nth: number, traceparent: string | null = parent(nth)): OutgoingMessage {
  return {
    ...{ id: `${nth}`, eventId: `event-${nth}`, aggregateKey: null, aggregateType: null, aggregateId: null },
    ...{ eventType: "order.placed", topic: null, payload: "{}", payloadKind: "json", scheduled: false },
    ...{ createdAt: new Date(Date.now() - 5_000).toISOString(), order: ["1", "1"], attempts: 2 },
    headers: traceparent === null ? null : JSON.stringify({ traceparent }),
  };
}

const failed = (code: "rejected" | "timeout"): PublishOutcome => ({
  kind: "failed",
  failure: { code, kind: "message", message: "a secret of the payload" },
});

async function spansOf(
  messages: readonly OutgoingMessage[],
  outcomes: readonly PublishOutcome[],
  change: Partial<TracedOptions> = {},
): Promise<ReadableSpan[]> {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const seen: (readonly OutgoingMessage[])[] = [];
  const sink = {
    ...{ kind: "kafka", maxBatch: 500, keepsOrderInBatch: true },
    publish: async (given: readonly OutgoingMessage[]) => {
      seen.push(given);
      return [...outcomes];
    },
  } as unknown as Sink;
  const options = {
    outbox: "orders",
    sinkName: "bus",
    topicOf: () => "shop.orders",
    messages: "off",
    slowMs: 60_000,
    log,
  };
  const traced = tracedSink(sink, { tracer: provider.getTracer("test"), linkLimit: 128 }, {
    ...options,
    ...change,
  } as TracedOptions);
  expect(await traced.publish(messages, SIGNAL)).toEqual(outcomes);
  expect(seen).toEqual([messages]);
  await provider.forceFlush();
  return exporter.getFinishedSpans();
}

const published: PublishOutcome = { kind: "published" };
const linkedIds = (span: ReadableSpan | undefined) => span?.links.map(({ context }) => context.traceId);

test("a request is one span of its own trace, linked to where its messages were written", async () => {
  const [span, ...more] = await spansOf(
    [message(1), message(2, parent(2, "00")), message(3, null)],
    [published, published, published],
  );
  expect(more).toEqual([]);
  expect(span?.name).toBe("send shop.orders");
  expect(span?.parentSpanContext).toBeUndefined();
  expect(linkedIds(span)).toEqual([traceId(1), traceId(2)]);
  expect(span?.links.map(({ context }) => context.traceFlags)).toEqual([1, 0]);
  expect(span?.attributes).toMatchObject({
    ...{ "messaging.system": "kafka", "messaging.operation.name": "send", "messaging.batch.message_count": 3 },
    ...{ "messaging.destination.name": "shop.orders", "outbox_console.outbox": "orders" },
  });
});

test("of more messages than a span may have links, the failed ones are linked first", async () => {
  const messages = Array.from({ length: 10_000 }, (_, index) => message(index + 1));
  const outcomes = messages.map((_, index) => (index === 9_999 ? failed("rejected") : published));
  const [span] = await spansOf(messages, outcomes);
  expect(span?.links).toHaveLength(128);
  expect(linkedIds(span)?.slice(0, 2)).toEqual([traceId(10_000), traceId(1)]);
  expect(span?.attributes).toMatchObject({ "error.type": "rejected", "outbox_console.failed": 1 });
  expect(span?.status.code).toBe(2);
  expect(JSON.stringify([span?.attributes, span?.status, span?.events])).not.toContain("secret");
});

test("as a link, the span of a message belongs to the request; as a parent, to the message's own trace", async () => {
  const messages = [message(1, parent(1, "00")), message(2)];
  for (const [mode, ofTrace] of [
    ["link", "request"],
    ["parent", traceId(2)],
  ] as const) {
    const spans = await spansOf(messages, [published, published], { messages: mode });
    const [request] = spans.filter(({ name }) => name.startsWith("send "));
    const own = spans.filter(({ name }) => name.startsWith("publish "));
    expect(own.map(({ attributes }) => attributes["messaging.message.id"])).toEqual(["event-2"]);
    const requestId = request?.spanContext().traceId;
    expect(own[0]?.spanContext().traceId).toBe(ofTrace === "request" ? requestId : ofTrace);
    expect(linkedIds(own[0])).toEqual([ofTrace === "request" ? traceId(2) : requestId]);
    expect(own[0]?.attributes["outbox_console.attempt"]).toBe(3);
    expect(own[0]?.attributes["outbox_console.waited_ms"]).toBeGreaterThan(4_000);
  }
});

test("a failed message has a span of its own with the code, and all messages of a slow request have one", async () => {
  const two = [message(1, null), message(2, null)];
  const one = await spansOf(two, [failed("timeout"), published], { messages: "link" });
  expect(one.flatMap(({ name, attributes }) => (name.startsWith("publish") ? [attributes["error.type"]] : []))).toEqual(
    ["timeout"],
  );
  const slow = await spansOf(two, [published, published], { messages: "link", slowMs: 0 });
  expect(slow.filter(({ name }) => name.startsWith("publish"))).toHaveLength(2);
});

test("a failed message of an unsampled trace is not lost in it: its span is the request's", async () => {
  const spans = await spansOf([message(1, parent(1, "00"))], [failed("rejected")], { messages: "parent" });
  const [own, request] = ["publish", "send"].map((word) => spans.find(({ name }) => name.startsWith(word)));
  expect(own?.spanContext().traceId).toBe(request?.spanContext().traceId);
  expect(linkedIds(own)).toEqual([traceId(1)]);
});

test("a request whose messages failed in several ways says so", async () => {
  const [span] = await spansOf([message(1), message(2)], [failed("rejected"), failed("timeout")]);
  expect(span?.attributes["error.type"]).toBe("_OTHER");
});
