import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { HttpSinkConfig } from "#services/config/sinks/http-sink-schema.ts";
import { type HttpReceiver, startHttpReceiver } from "#tests/http-receiver.ts";
import { makeCertificates } from "#tests/make-certificates.ts";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import type { PublishOutcome } from "../sink.ts";
import { openTestSink } from "./open-test-sink.fixture.ts";

const never = new AbortController().signal;

describe("redirects of an http sink", () => {
  let home: HttpReceiver;
  let other: HttpReceiver;
  beforeEach(async () => {
    [home, other] = await Promise.all([startHttpReceiver(), startHttpReceiver()]);
  });
  afterEach(() => Promise.all([home.close(), other.close()]));

  async function publish(settings: Partial<HttpSinkConfig>, count = 1): Promise<PublishOutcome[]> {
    const url = `${home.url.replace("://", "://user:password@")}/hook?token=secret`;
    const sink = openTestSink({ url, headers: { "x-api-key": "k", "event-type": "ours" }, ...settings });
    try {
      const outcomes: PublishOutcome[] = [];
      for (let n = 0; n < count; n += 1) outcomes.push(...(await sink.publish([makeMessage(n)], never)));
      return outcomes;
    } finally {
      await sink.close();
    }
  }
  const to = (location: string, status = 307) => ({ status, headers: { location } });
  const refusal = (message: RegExp) => [
    { kind: "failed", failure: { kind: "environment", code: "unavailable", message: expect.stringMatching(message) } },
  ];

  test.each([307, 308])("%i within the origin is followed with all headers and the body", async (status) => {
    home.answerWith(({ path }) => (path === "/v2?a=b" ? { status: 204 } : to("/v2?a=b", status)));
    expect(await publish({ redirects: 1, secret: "s" }, 2)).toEqual([{ kind: "published" }, { kind: "published" }]);
    const [, last] = home.requests;
    expect(last).toMatchObject({ method: "POST", path: "/v2?a=b" });
    expect(last?.body.toString()).toBe('{"n":0}');
    expect(last?.headers).toMatchObject({
      authorization: expect.stringMatching(/^Basic/),
      "x-api-key": "k",
      "event-type": "ours",
      "webhook-signature": expect.stringMatching(/^v1,/),
    });
  });

  test("a redirect to another origin drops credentials and configured headers", async () => {
    home.answerWith(to(`${other.url}/in`));
    expect(await publish({ redirects: 1, privateRedirects: true, secret: "s" })).toEqual([{ kind: "published" }]);
    const [request] = other.requests;
    expect(request).toMatchObject({ method: "POST", path: "/in" });
    expect(request?.body.toString()).toBe('{"n":0}');
    expect(request?.headers).toMatchObject({
      "webhook-id": makeMessage(0).eventId,
      "webhook-signature": expect.stringMatching(/^v1,/),
      "event-type": "order.changed",
    });
    expect(request?.headers).not.toHaveProperty("authorization");
    expect(request?.headers).not.toHaveProperty("x-api-key");
  });

  test("the last response is the outcome", async () => {
    home.answerWith(to(`${other.url}/in`));
    other.answerWith({ status: 422, body: "no" });
    expect(await publish({ redirects: 1, privateRedirects: true })).toMatchObject([
      { failure: { kind: "message", code: "rejected", message: "HTTP 422: no" } },
    ]);
  });

  test.each([301, 302, 303])("%i, which turns a POST into a GET, is a wrong address", async (status) => {
    home.answerWith(to("/v2", status));
    expect(await publish({ redirects: 5 })).toMatchObject(
      refusal(new RegExp(`^HTTP ${status}: the redirect to .*/v2 is not followed$`)),
    );
    expect(home.requests).toHaveLength(1);
  });

  test("redirects are not followed by default, and never beyond the limit", async () => {
    home.answerWith(to("/again"));
    expect(await publish({})).toMatchObject(refusal(/^HTTP 307: the redirect to \/again is not followed$/));
    expect(home.requests).toHaveLength(1);
    expect(await publish({ redirects: 3 })).toMatchObject(refusal(/more than 3 redirects/));
    expect(home.requests).toHaveLength(5);
  });

  test("a private address is refused, as an address and as a name", async () => {
    home.answerWith(to(`${other.url}/in`));
    expect(await publish({ redirects: 1 })).toMatchObject(refusal(/127\.0\.0\.1 is not a public address/));
    home.answerWith(to(`http://localhost:${other.port}/in?token=other`));
    const outcomes = await publish({ redirects: 1 });
    expect(outcomes).toMatchObject(refusal(/redirect to localhost is refused.*not a public address/));
    expect(JSON.stringify(outcomes)).not.toMatch(/token/);
    expect(other.requests).toEqual([]);
  });

  test("a redirect from https to http is refused", async () => {
    const certificates = makeCertificates();
    const secure = await startHttpReceiver({ tls: certificates.server });
    secure.answerWith(to(`${other.url}/in`));
    const sink = openTestSink({
      url: secure.url,
      redirects: 1,
      privateRedirects: true,
      tls: { ca: certificates.ca, insecure: false },
    });
    expect(await sink.publish([makeMessage(1)], never)).toMatchObject(refusal(/from https to http/));
    await sink.close();
    await secure.close();
    expect(other.requests).toEqual([]);
  });

  test("an unreachable target is an outage", async () => {
    home.answerWith(to(`${other.url}/in`));
    await other.close();
    expect(await publish({ redirects: 1, privateRedirects: true })).toMatchObject([
      { failure: { kind: "environment", code: "unreachable" } },
    ]);
    other = await startHttpReceiver();
  });

  test("connections to many targets are bounded", async () => {
    const receivers = await Promise.all(Array.from({ length: 12 }, () => startHttpReceiver()));
    home.answerWith(({ index }) => to(`${receivers[index % receivers.length]?.url}/in`));
    const outcomes = await publish({ redirects: 1, privateRedirects: true }, 24);
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(["published"]));
    expect(receivers.map(({ requests }) => requests.length)).toEqual(receivers.map(() => 2));
    await Promise.all(receivers.map((receiver) => receiver.close()));
  });
});
