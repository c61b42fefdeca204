import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { type HttpReceiver, type ReceivedRequest, startHttpReceiver } from "#tests/http-receiver.ts";
import { waitFor } from "#tests/wait-for.ts";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import { type Arrived, describeRemoteSinkConformance } from "../sink.conformance.ts";
import type { PublishOutcome, Sink } from "../sink.ts";
import { openPatientSink, openTestSink } from "./open-test-sink.fixture.ts";

const never = new AbortController().signal;

/** The one event of a request, its payload as the exact text in the body. */
function onlyEvent({ body }: ReceivedRequest): Arrived {
  const text = body.toString("utf8");
  const payload = text.slice(text.indexOf('"payload":') + '"payload":'.length, -2);
  const [{ id, contentType }] = JSON.parse(text);
  return { id, body: contentType === undefined ? payload : JSON.parse(payload) };
}

describeRemoteSinkConformance("http in batches", async () => {
  const receiver = await startHttpReceiver();
  return {
    sink: openPatientSink({ url: receiver.url, batch: 100 }),
    received: () => receiver.requests.map(onlyEvent),
    stopConfirming: () => receiver.answerWith("hang"),
    takeDown: () => receiver.close(),
    close: () => receiver.close().catch(() => undefined),
  };
});

const idsOf = ({ body }: ReceivedRequest): string[] =>
  JSON.parse(body.toString("utf8")).map((event: Arrived) => event.id);
const numbersOf = (request: ReceivedRequest) => idsOf(request).map((id) => Number(id.slice(-12)));
const kindsOf = (outcomes: PublishOutcome[]) =>
  outcomes.map((outcome) => (outcome.kind === "failed" ? outcome.failure.code : outcome.kind));

describe("http batches", () => {
  let receiver: HttpReceiver;
  let sink: Sink;
  beforeEach(async () => {
    receiver = await startHttpReceiver();
    sink = openTestSink({ url: receiver.url, batch: 100 });
  });
  afterEach(async () => {
    await sink.close();
    await receiver.close();
  });

  /** Events 0 to n-1 of the aggregates a0, a1, ... in turn. */
  const make = (count: number, aggregates: number, fields: Partial<OutgoingMessage> = {}) =>
    Array.from({ length: count }, (_, n) => makeMessage(n, { aggregateId: `a${n % aggregates}`, ...fields }));
  /** Rejects every request that contains one of these. */
  const refuse = (numbers: number[], status: number) =>
    receiver.answerWith((request) => ({ status: numbersOf(request).some((n) => numbers.includes(n)) ? status : 204 }));

  test("say that they are re-published, in the request and in each event", async () => {
    await sink.publish(make(3, 3, { replay: "one" }), never);
    const [request] = receiver.requests;
    expect(request?.headers["outbox-replay"]).toBe("one");
    const events = JSON.parse(request?.body.toString("utf8") ?? "[]");
    expect(events.map((event: { headers: unknown }) => event.headers)).toEqual(
      Array(3).fill({ "outbox-replay": "one" }),
    );
  });

  test("one request carries all events in order, as envelopes with their stored payloads", async () => {
    const messages = [
      makeMessage(1, { payload: '{ "n": 1.10, "big": 9007199254740993 }', headers: '{"traceparent":"00-ä"}' }),
      makeMessage(2, { payload: "hello", payloadKind: "text", eventType: null, createdAt: null }),
      makeMessage(3, { payload: "AP8=", payloadKind: "binary", aggregateType: null, aggregateId: null }),
      makeMessage(4, { payload: null }),
    ];
    expect(await sink.publish(messages, never)).toEqual(messages.map(() => ({ kind: "published" })));
    const [request] = receiver.requests;
    expect(receiver.requests).toHaveLength(1);
    expect(request?.headers["content-type"]).toBe("application/json");
    const id = (n: number) => makeMessage(n).eventId;
    const at = "2026-03-01T10:00:00.123456Z";
    expect(request?.body.toString("utf8")).toBe(
      `[{"id":"${id(1)}","type":"order.changed","aggregate":{"type":"order","id":"a"},"createdAt":"${at}",` +
        `"headers":{"traceparent":"00-ä"},"payload":{ "n": 1.10, "big": 9007199254740993 }},` +
        `{"id":"${id(2)}","type":null,"aggregate":{"type":"order","id":"a"},"createdAt":null,` +
        `"headers":{},"contentType":"text/plain; charset=utf-8","payload":"hello"},` +
        `{"id":"${id(3)}","type":"order.changed","aggregate":null,"createdAt":"${at}","headers":{},"payloadBase64":"AP8="},` +
        `{"id":"${id(4)}","type":"order.changed","aggregate":{"type":"order","id":"a"},"createdAt":"${at}",` +
        `"headers":{},"payload":null}]`,
    );
  });

  test("text cannot break out of its envelope", async () => {
    const payload = '1},{"id":"forged","payload":2';
    await sink.publish([makeMessage(1, { payload, payloadKind: "text" })], never);
    const [request] = receiver.requests;
    expect(request && JSON.parse(request.body.toString("utf8"))).toMatchObject([{ payload }]);
  });

  test("ids and types arrive as they are, whatever their characters", async () => {
    const strange = 'a "quoted" \\ Zoë 漢字 😀 \n\u0001\u007f\u2028\ud800';
    const aggregate = { aggregateType: strange, aggregateId: strange };
    const messages = [strange, "", " !#[]~/:.-_"].map((text) =>
      makeMessage(1, { ...aggregate, eventId: text, eventType: text, createdAt: text }),
    );
    await sink.publish(messages, never);
    const [request] = receiver.requests;
    expect(request?.body.toString("utf8")).toBe(
      `[${messages
        .map(({ eventId: id, eventType: type, createdAt, payload }) => {
          const envelope = { id, type, aggregate: { type: strange, id: strange }, createdAt, headers: {} };
          return `${JSON.stringify(envelope).slice(0, -1)},"payload":${payload}}`;
        })
        .join(",")}]`,
    );
  });

  test("headers of the row and of the route are in the envelope, except those that repeat an attribute", async () => {
    const routed = openTestSink({ url: receiver.url, batch: 100 }, { headers: { team: "{aggregateType}s" } });
    await routed.publish([makeMessage(1, { headers: '{"traceparent":"00-1","event-type":"forged"}' })], never);
    await routed.close();
    const [request] = receiver.requests;
    expect(request && JSON.parse(request.body.toString("utf8"))).toMatchObject([
      { type: "order.changed", headers: { team: "orders", traceparent: "00-1" } },
    ]);
    expect(request?.body.toString("utf8")).not.toContain("forged");
  });

  test("the same batch has the same webhook-id, another has another, and the signature fits", async () => {
    const signed = openTestSink({ url: receiver.url, batch: 100, secret: "s" });
    await signed.publish(make(3, 1), never);
    await signed.publish(make(3, 1), never);
    await signed.publish(make(4, 1), never);
    await signed.close();
    const [first, again, other] = receiver.requests.map(({ headers }) => headers["webhook-id"]);
    expect(first).toMatch(/^batch_[0-9a-f]{32}$/);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    expect(receiver.requests[0]?.headers["webhook-signature"]).toMatch(/^v1,/);
  });

  test.each([
    [422, "rejected"],
    [500, "server_error"],
  ])("an event that is answered %i fails alone; its aggregate stops there", async (status, code) => {
    refuse([4], status);
    const outcomes = await sink.publish(make(12, 3), never);
    const expected = Array.from({ length: 12 }, () => "published");
    expected[4] = code;
    expected[7] = "aborted";
    expected[10] = "aborted";
    expect(kindsOf(outcomes)).toEqual(expected);
    const single = receiver.requests.slice(1).map(numbersOf);
    expect(single.every((numbers) => numbers.length === 1)).toBe(true);
    for (const a of [0, 1, 2]) {
      const ofAggregate = single.flat().filter((n) => n % 3 === a);
      expect(ofAggregate).toEqual(a === 1 ? [1, 4] : [a, a + 3, a + 6, a + 9]);
    }
  });

  test("a failure among events without an aggregate stops none of them", async () => {
    refuse([1], 400);
    const messages = make(4, 1, { aggregateKey: null });
    expect(kindsOf(await sink.publish(messages, never))).toEqual(["published", "rejected", "published", "published"]);
  });

  test("an unroutable event is not sent, and stops its aggregate", async () => {
    const routed = openTestSink({ url: receiver.url, batch: 100 }, { key: "{eventType}" });
    const messages = make(6, 2);
    messages[2] = makeMessage(2, { aggregateId: "a0", eventType: null });
    const outcomes = await routed.publish(messages, never);
    await routed.close();
    expect(kindsOf(outcomes)).toEqual(["published", "published", "unroutable", "published", "aborted", "published"]);
    expect(receiver.requests.map(numbersOf)).toEqual([[0, 1, 3, 5]]);
  });

  test("an outage fails the whole batch, and nothing is sent one by one", async () => {
    receiver.answerWith({ status: 503, headers: { "retry-after": "9" } });
    const outcomes = await sink.publish(make(5, 5), never);
    expect(kindsOf(outcomes)).toEqual(Array.from({ length: 5 }, () => "unavailable"));
    expect(outcomes[0]).toMatchObject({ failure: { kind: "environment", retryAfterMs: 9000 } });
    expect(receiver.requests).toHaveLength(1);
  });

  test("a receiver that answers everything with 500 soon gets no more requests", async () => {
    receiver.answerWith({ status: 500 });
    const outcomes = await sink.publish(make(100, 100), never);
    const failed = outcomes.filter(({ kind }) => kind === "failed").length;
    expect(failed).toBeGreaterThanOrEqual(3);
    expect(failed).toBeLessThan(20);
    expect(outcomes.filter(({ kind }) => kind === "aborted")).toHaveLength(100 - failed);
  });

  test("an outage in the middle of sending one by one ends it", async () => {
    let requests = 0;
    receiver.answerWith(() => {
      requests += 1;
      return { status: requests === 1 ? 400 : requests < 5 ? 204 : 503 };
    });
    const outcomes = kindsOf(await sink.publish(make(50, 1), never));
    expect(outcomes.slice(0, 5)).toEqual(["published", "published", "published", "unavailable", "aborted"]);
    expect(receiver.requests).toHaveLength(5);
  });

  test("after a batch is too large, all later batches are smaller", async () => {
    receiver.answerWith(({ body }) => ({ status: body.length > 3000 ? 413 : 204 }));
    const outcomes = await sink.publish(make(60, 60), never);
    expect(new Set(kindsOf(outcomes))).toEqual(new Set(["published"]));
    const before = receiver.requests.length;
    expect(receiver.requests.slice(0, 2).map(numbersOf)[0]).toHaveLength(60);
    await sink.publish(make(60, 60), never);
    const later = receiver.requests.slice(before);
    expect(later.every(({ body }) => body.length <= 3000)).toBe(true);
    expect(later.flatMap(numbersOf)).toEqual(Array.from({ length: 60 }, (_, n) => n));
  });

  test("a batch that is too large for now is split too", async () => {
    receiver.answerWith(({ body }) => ({
      status: body.length > 3000 ? 413 : 204,
      headers: { "retry-after": "60" },
    }));
    expect(new Set(kindsOf(await sink.publish(make(60, 60), never)))).toEqual(new Set(["published"]));
  });

  test("a single event that is too large fails alone and permanently", async () => {
    receiver.answerWith(({ body }) => ({ status: body.length > 3000 ? 413 : 204 }));
    const messages = make(4, 4);
    messages[2] = makeMessage(2, { aggregateId: "a2", payload: JSON.stringify("x".repeat(5000)) });
    expect(kindsOf(await sink.publish(messages, never))).toEqual(["published", "published", "too_large", "published"]);
  });

  test("a body of more than four megabytes is split, in order", async () => {
    const messages = make(10, 1, { payload: JSON.stringify("x".repeat(1_000_000)) });
    await sink.publish(messages, never);
    expect(receiver.requests.map(numbersOf)).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
      [8, 9],
    ]);
  });

  test("the limit counts bytes, not characters", async () => {
    await sink.publish(make(4, 1, { payload: JSON.stringify("漢".repeat(500_000)) }), never);
    expect(receiver.requests.map(numbersOf)).toEqual([
      [0, 1],
      [2, 3],
    ]);
  });

  test("an abort in the middle leaves the rest unsent", async () => {
    const abort = new AbortController();
    receiver.answerNext({ status: 204 }, "hang");
    const publishing = sink.publish(make(10, 1, { payload: JSON.stringify("x".repeat(1_000_000)) }), abort.signal);
    await waitFor(() => receiver.requests.length === 2, { message: "the second request arrived" });
    abort.abort();
    const outcomes = kindsOf(await publishing);
    expect(outcomes.slice(0, 4)).toEqual(["published", "published", "published", "published"]);
    expect(outcomes.slice(4)).toEqual(Array.from({ length: 6 }, () => "aborted"));
    expect(receiver.requests).toHaveLength(2);
  });
});
