import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type HttpReceiver, startHttpReceiver } from "#tests/http-receiver.ts";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import { describeRemoteSinkConformance } from "../sink.conformance.ts";
import type { Sink } from "../sink.ts";
import { openPatientSink, openTestSink } from "./open-test-sink.fixture.ts";

const never = new AbortController().signal;

const urlOf = (receiver: HttpReceiver) => `${receiver.url.replace("://", "://user:password@")}/hook?token=secret`;

function open(receiver: HttpReceiver, headers: Record<string, string> = {}): Sink {
  return openTestSink({ url: urlOf(receiver), headers });
}

describeRemoteSinkConformance("http", async () => {
  const receiver = await startHttpReceiver();
  return {
    sink: openPatientSink({ url: urlOf(receiver) }),
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
    [404, "ambiguous", "unavailable"],
    [405, "ambiguous", "unavailable"],
    [408, "ambiguous", "timeout"],
    [409, "message", "rejected"],
    [410, "ambiguous", "unavailable"],
    [413, "message", "too_large"],
    [415, "message", "rejected"],
    [421, "environment", "unavailable"],
    [422, "message", "rejected"],
    [425, "environment", "unavailable"],
    [429, "environment", "throttled"],
    [431, "message", "too_large"],
    [500, "ambiguous", "server_error"],
    [501, "ambiguous", "server_error"],
    [502, "environment", "unavailable"],
    [503, "environment", "unavailable"],
    [504, "environment", "unavailable"],
  ])("status %i is a failure of the %s: %s", async (status, kind, code) => {
    receiver.answerWith({ status, body: "because\nof this", headers: { location: "/elsewhere" } });
    const [outcome] = await sink.publish([makeMessage(1)], never);
    expect(outcome).toMatchObject({
      kind: "failed",
      failure: { kind, code, message: `HTTP ${status}: because of this` },
    });
    expect(receiver.requests).toHaveLength(1);
  });

  test.each([
    ["/login?token=secret", "/login"],
    ["https://me:secret@sso.example/login?token=secret", "https://sso.example/login"],
  ])("a redirect that is not followed is named without its secrets: %s", async (location, shown) => {
    receiver.answerWith({ status: 301, headers: { location } });
    const [outcome] = await sink.publish([makeMessage(1)], never);
    const message = `HTTP 301: the redirect to ${shown} is not followed`;
    expect(outcome).toEqual({ kind: "failed", failure: { kind: "environment", code: "unavailable", message } });
  });

  test.each([
    [500, "failed"],
    [200, "published"],
  ])("a body of a %i that trickles in keeps neither the message nor its connection", async (status, kind) => {
    const trickling = createServer((request, response) => {
      request.resume();
      response.writeHead(status, { "content-length": "1000000" });
      const timer = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(timer));
    });
    await new Promise<void>((listening) => trickling.listen(0, "127.0.0.1", listening));
    const slow = openTestSink({ url: `http://127.0.0.1:${(trickling.address() as AddressInfo).port}` });
    try {
      const closed = new Promise((resolve) => trickling.once("connection", (socket) => socket.once("close", resolve)));
      expect(await slow.publish([makeMessage(1)], never)).toMatchObject([{ kind }]);
      await closed;
    } finally {
      await slow.close();
      trickling.closeAllConnections();
      trickling.close();
    }
  });

  test.each([200, 201, 202, 204, 299])("status %i is the confirmation", async (status) => {
    receiver.answerWith({ status });
    expect(await sink.publish([makeMessage(1)], never)).toEqual([{ kind: "published" }]);
  });

  test("with named confirmations a page that a proxy answers with 200 confirms nothing", async () => {
    const strict = openTestSink({ url: receiver.url, confirms: [202] });
    receiver.answerWith({ status: 200, body: "<html>Welcome to nginx!</html>" });
    const page = await strict.publish([makeMessage(1)], never);
    receiver.answerWith({ status: 202 });
    const accepted = await strict.publish([makeMessage(1)], never);
    await strict.close();
    const message =
      "HTTP 200 is not one of the statuses that confirm (setting confirms): <html>Welcome to nginx!</html>";
    expect(page).toEqual([{ kind: "failed", failure: { kind: "ambiguous", code: "unavailable", message } }]);
    expect(accepted).toEqual([{ kind: "published" }]);
  });

  test("a page of HTML confirms nothing, though other HTML does, and so does a page where the status is named", async () => {
    const html = { status: 200, headers: { "content-type": "text/html; charset=utf-8" } };
    receiver.answerNext({ ...html, body: "<!DOCTYPE html><html><head><title>Sign in</title></head></html>" });
    receiver.answerNext({ ...html, body: "ok" }, { ...html, body: "" });
    const outcomes = [];
    for (const n of [1, 2, 3]) outcomes.push(...(await sink.publish([makeMessage(n)], never)));
    const message = "HTTP 200 with a web page, not a confirmation: Sign in";
    const page = { kind: "failed", failure: { kind: "route", code: "unavailable", message } };
    expect(outcomes).toEqual([page, { kind: "published" }, { kind: "published" }]);
    const named = openTestSink({ url: receiver.url, confirms: [200] });
    receiver.answerNext({ ...html, body: "<html></html>" });
    expect(await named.publish([makeMessage(4)], never)).toEqual([{ kind: "published" }]);
    await named.close();
  });

  test("a kept connection that is closed under a request says nothing: the request goes once more, on a new one", async () => {
    await sink.publish([makeMessage(1)], never);
    receiver.answerNext("close");
    expect(await sink.publish([makeMessage(2)], never)).toEqual([{ kind: "published" }]);
    receiver.answerNext("close", "close");
    expect(await sink.publish([makeMessage(3)], never)).toMatchObject([{ failure: { kind: "ambiguous" } }]);
    expect(receiver.requests.map(({ headers }) => Number(headers["webhook-id"]?.slice(-12)))).toEqual([1, 2, 2, 3, 3]);
  });

  test("409 to a repeat may be a conflict of another kind: it confirms only where the sink names it", async () => {
    receiver.answerNext("close", { status: 409, body: "already processed" });
    expect(await sink.publish([makeMessage(1)], never)).toMatchObject([{ failure: { kind: "ambiguous" } }]);
    expect(await sink.publish([makeMessage(1)], never)).toMatchObject([{ failure: { code: "rejected" } }]);
    const named = openTestSink({ url: receiver.url, confirms: [204, 409] });
    receiver.answerNext({ status: 409, body: "already processed" });
    expect(await named.publish([makeMessage(1)], never)).toEqual([{ kind: "published" }]);
    await named.close();
  });

  test("100 Continue that was not asked for is named", async () => {
    const eager = createTcpServer(
      (socket) => void socket.once("data", () => socket.write("HTTP/1.1 100 Continue\r\n\r\n")),
    );
    await once(eager.listen(0, "127.0.0.1"), "listening");
    const wrong = openTestSink({ url: `http://127.0.0.1:${(eager.address() as AddressInfo).port}` });
    const [outcome] = await wrong.publish([makeMessage(1)], never);
    await wrong.close();
    eager.close();
    expect(outcome).toMatchObject({ failure: { message: expect.stringContaining("sent 100 Continue") } });
  });

  test.each([429, 500, 503])("Retry-After of a %i is honoured, as seconds and as a date", async (status) => {
    receiver.answerNext({ status, headers: { "retry-after": "7" } });
    const [seconds] = await sink.publish([makeMessage(1)], never);
    expect(seconds).toMatchObject({ failure: { retryAfterMs: 7000 } });
    const date = new Date(Date.now() + 60_000).toUTCString();
    receiver.answerNext({ status, headers: { "retry-after": date } });
    const [dated] = await sink.publish([makeMessage(2)], never);
    if (dated?.kind !== "failed") throw new Error("it was to fail");
    expect(dated.failure.retryAfterMs).toBeGreaterThan(50_000);
    expect(dated.failure.retryAfterMs).toBeLessThanOrEqual(60_000);
    receiver.answerNext({ status, headers: { "retry-after": "soon" } });
    const [strange] = await sink.publish([makeMessage(3)], never);
    expect(strange).not.toHaveProperty("failure.retryAfterMs");
  });

  test.each([
    [413, "too_large"],
    [409, "rejected"],
  ])("a %i that says when to try again does not reject the message for good", async (status, code) => {
    receiver.answerNext({ status, headers: { "retry-after": "7" } });
    const [later] = await sink.publish([makeMessage(1)], never);
    expect(later).toMatchObject({ failure: { code, kind: "ambiguous", retryAfterMs: 7000 } });
    receiver.answerNext({ status, headers: { "retry-after": "soon" } });
    const [final] = await sink.publish([makeMessage(1)], never);
    expect(final).toMatchObject({ failure: { code, kind: "message" } });
  });

  test.each([-3_600_000, 3_600_000])(
    "a date in Retry-After is of the receiver's clock, %i ms from ours",
    async (offMs) => {
      const theirs = Date.now() + offMs;
      const [date, later] = [theirs, theirs + 60_000].map((ms) => new Date(ms).toUTCString());
      receiver.answerNext({ status: 429, headers: { date: String(date), "retry-after": String(later) } });
      const [outcome] = await sink.publish([makeMessage(1)], never);
      if (outcome?.kind !== "failed") throw new Error("it was to fail");
      expect(outcome.failure.retryAfterMs).toBe(60_000);
    },
  );

  test("a message that cannot be routed fails alone, and nothing is sent", async () => {
    const routed = openTestSink({ url: receiver.url }, { preset: "debezium", key: "{aggregateId}-{eventType}" });
    const [lost, sent] = await routed.publish([makeMessage(1, { eventType: null }), makeMessage(2)], never);
    await routed.close();
    expect(lost).toMatchObject({ kind: "failed", failure: { kind: "message", code: "unroutable" } });
    expect(sent).toEqual({ kind: "published" });
    expect(receiver.requests.map(({ headers }) => headers["webhook-id"])).toEqual([makeMessage(2).eventId]);
  });

  test("no answer in time, or a connection cut after sending, is ambiguous", async () => {
    receiver.answerNext("hang");
    const [late] = await sink.publish([makeMessage(1)], never);
    expect(late).toMatchObject({ failure: { kind: "ambiguous", code: "timeout", message: "no answer within 300 ms" } });
    receiver.answerNext("close");
    const [cut] = await sink.publish([makeMessage(2)], never);
    expect(cut).toMatchObject({ failure: { kind: "ambiguous", code: "unreachable" } });
    expect(cut).toMatchObject({
      failure: { message: expect.stringContaining("closed the connection without a complete answer") },
    });
  });

  test("an answer that is not HTTP is told in words alone", async () => {
    const other = createTcpServer((socket) => socket.end("SSH-2.0-OpenSSH_9\r\n")).listen(0, "127.0.0.1");
    await once(other, "listening");
    const wrong = openTestSink({ url: `http://127.0.0.1:${(other.address() as AddressInfo).port}` });
    const [outcome] = await wrong.publish([makeMessage(1)], never);
    await wrong.close();
    other.close();
    expect(outcome).toMatchObject({
      failure: {
        code: "unreachable",
        message: expect.stringContaining("does not match the HTTP/1.1 protocol"),
      },
    });
    expect(JSON.stringify(outcome)).not.toContain("undefined");
  });

  test("check tells whether a connection can be made, and sends nothing", async () => {
    expect(await sink.check()).toBeNull();
    expect(receiver.requests).toEqual([]);
    await receiver.close();
    expect(await sink.check()).toMatchObject({ kind: "environment", code: "unreachable" });
    receiver = await startHttpReceiver();
  });

  test("a host that does not exist is an environment failure whose message has no secret", async () => {
    const nowhere = openTestSink({ url: "http://user:password@nowhere.invalid/hook?token=secret" });
    const [outcome] = await nowhere.publish([makeMessage(1)], never);
    await nowhere.close();
    expect(outcome).toMatchObject({ failure: { kind: "environment", code: "unreachable" } });
    expect(JSON.stringify(outcome)).not.toMatch(/secret|password/);
  });

  test("sends credentials of the URL and configured headers, and truncates a long error", async () => {
    receiver.answerWith({ status: 500, body: "e".repeat(100_000) });
    const [outcome] = await sink.publish([makeMessage(1)], never);
    const [request] = receiver.requests;
    expect(request?.path).toBe("/hook?token=secret");
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from("user:password").toString("base64")}`);
    expect(request?.headers["x-team"]).toBe("orders");
    if (outcome?.kind !== "failed") throw new Error("it was to fail");
    expect(outcome.failure.message.length).toBeLessThan(600);
  });

  test("a long body after the confirmation is ignored", async () => {
    receiver.answerWith({ status: 200, body: "x".repeat(1_000_000) });
    for (let n = 0; n < 5; n += 1) {
      expect(await sink.publish([makeMessage(n)], never)).toEqual([{ kind: "published" }]);
    }
  });

  test("bytes are sent as bytes, and non-JSON text has its own content type", async () => {
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
