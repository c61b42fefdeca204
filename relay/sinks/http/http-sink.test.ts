import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type HttpReceiver, startHttpReceiver } from "#tests/http-receiver.ts";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import { describeRemoteSinkConformance } from "../sink.conformance.ts";
import type { Sink } from "../sink.ts";
import { createHttpSink } from "./http-sink.ts";

const never = new AbortController().signal;

function open(receiver: HttpReceiver, headers: Record<string, string> = {}): Sink {
  const url = `${receiver.url.replace("://", "://user:password@")}/hook?token=secret`;
  return createHttpSink({ url, headers, timeoutMs: 300, connectTimeoutMs: 1000, concurrency: 8 });
}

describeRemoteSinkConformance("http", async () => {
  const receiver = await startHttpReceiver();
  return {
    sink: open(receiver),
    received: () =>
      receiver.requests.map(({ headers, body }) => ({
        id: String(headers["webhook-id"]),
        body: body.toString("utf8"),
      })),
    stopConfirming: () => receiver.answerWith("hang"),
    takeDown: () => receiver.close(),
    close: () => receiver.close().catch(() => undefined),
  };
});

describe("an http sink", () => {
  let receiver: HttpReceiver;
  let sink: Sink;
  beforeEach(async () => {
    receiver = await startHttpReceiver();
    sink = open(receiver, { "x-team": "orders" });
  });
  afterEach(async () => {
    await sink.close();
    await receiver.close();
  });

  test.each([
    [400, "message", "rejected"],
    [401, "environment", "auth"],
    [403, "environment", "auth"],
    [404, "environment", "unavailable"],
    [405, "message", "rejected"],
    [408, "ambiguous", "timeout"],
    [409, "message", "rejected"],
    [410, "message", "rejected"],
    [413, "message", "too_large"],
    [415, "message", "rejected"],
    [421, "ambiguous", "unknown"],
    [422, "message", "rejected"],
    [425, "ambiguous", "unknown"],
    [429, "environment", "throttled"],
    [500, "ambiguous", "server_error"],
    [501, "ambiguous", "server_error"],
    [502, "environment", "unavailable"],
    [503, "environment", "unavailable"],
    [504, "environment", "unavailable"],
    [301, "environment", "unavailable"],
  ])("status %i is a failure of the %s: %s", async (status, kind, code) => {
    receiver.answerWith({ status, body: "because\nof this", headers: { location: "/elsewhere" } });
    const [outcome] = await sink.publish([makeMessage(1)], never);
    expect(outcome).toMatchObject({
      kind: "failed",
      failure: { kind, code, message: `HTTP ${status}: because of this` },
    });
    expect(receiver.requests).toHaveLength(1);
  });

  test.each([200, 201, 202, 204, 299])("status %i is the confirmation", async (status) => {
    receiver.answerWith({ status });
    expect(await sink.publish([makeMessage(1)], never)).toEqual([{ kind: "published" }]);
  });

  test("Retry-After is passed on", async () => {
    receiver.answerWith({ status: 429, headers: { "retry-after": "7" } });
    const [outcome] = await sink.publish([makeMessage(1)], never);
    expect(outcome).toMatchObject({ failure: { retryAfterMs: 7000 } });
  });

  test("no answer in time, or a connection cut after sending, may be anyone's fault", async () => {
    receiver.answerNext("hang");
    const [late] = await sink.publish([makeMessage(1)], never);
    expect(late).toMatchObject({ failure: { kind: "ambiguous", code: "timeout" } });
    receiver.answerNext("close");
    const [cut] = await sink.publish([makeMessage(2)], never);
    expect(cut).toMatchObject({ failure: { kind: "ambiguous", code: "unreachable" } });
  });

  test("a host that does not exist is the environment's fault, and its message has no secret", async () => {
    const nowhere = createHttpSink({
      url: "http://user:password@nowhere.invalid/hook?token=secret",
      headers: {},
      timeoutMs: 1000,
      connectTimeoutMs: 1000,
      concurrency: 1,
    });
    const [outcome] = await nowhere.publish([makeMessage(1)], never);
    await nowhere.close();
    expect(outcome).toMatchObject({ failure: { kind: "environment", code: "unreachable" } });
    expect(JSON.stringify(outcome)).not.toMatch(/secret|password/);
  });

  test("sends credentials of the URL and configured headers, and a long error is cut", async () => {
    receiver.answerWith({ status: 500, body: "e".repeat(100_000) });
    const [outcome] = await sink.publish([makeMessage(1)], never);
    const [request] = receiver.requests;
    expect(request?.path).toBe("/hook?token=secret");
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from("user:password").toString("base64")}`);
    expect(request?.headers["x-team"]).toBe("orders");
    if (outcome?.kind !== "failed") throw new Error("it was to fail");
    expect(outcome.failure.message.length).toBeLessThan(600);
  });

  test("a long body after the confirmation does no harm", async () => {
    receiver.answerWith({ status: 200, body: "x".repeat(1_000_000) });
    for (let n = 0; n < 5; n += 1) {
      expect(await sink.publish([makeMessage(n)], never)).toEqual([{ kind: "published" }]);
    }
  });

  test("bytes are sent as bytes, and text that is no JSON says so", async () => {
    await sink.publish([makeMessage(1, { payload: "AP8=", payloadKind: "binary" })], never);
    await sink.publish([makeMessage(2, { payload: "hello", payloadKind: "text" })], never);
    await sink.publish([makeMessage(3, { payload: null, payloadKind: "text" })], never);
    expect([...(receiver.requests[0]?.body ?? [])]).toEqual([0, 255]);
    expect(receiver.requests.map(({ headers }) => headers["content-type"])).toEqual([
      "application/octet-stream",
      "text/plain; charset=utf-8",
      "text/plain; charset=utf-8",
    ]);
  });
});
